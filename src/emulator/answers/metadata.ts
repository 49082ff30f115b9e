// Answers about what exists: the account, databases, containers, physical partitions and offers.

import type { ContainerDefinition } from '../storage/definition.ts'
import type { Account, Database, Offer } from '../storage/account.ts'
import { baseRead } from '../charges.ts'
import { completed, type Container } from '../storage/container.ts'
import { isObject } from '../../model/json/json.ts'
import { hasFlag, headerOf, jsonOf, Refusal, type Answer, type CosmosRequest } from '../http-messages.ts'
import { selectMetadata } from './query-metadata.ts'
import { ridText } from '../storage/resource-id.ts'

export function answerAccount({ properties }: Account, request: CosmosRequest): Answer {
  const location = [{ name: 'Local', databaseAccountEndpoint: `http://${headerOf(request, 'host') ?? 'localhost'}/` }]
  return answer(200, {
    id: 'local',
    _rid: 'local.documents.azure.com',
    writableLocations: location,
    readableLocations: location,
    enableMultipleWriteLocations: false,
    userReplicationPolicy: { asyncReplication: false, minReplicaSetSize: 1, maxReplicasetSize: 1 },
    userConsistencyPolicy: { defaultConsistencyLevel: 'Session' },
    systemReplicationPolicy: { minReplicaSetSize: 1, maxReplicasetSize: 1 },
    readPolicy: { primaryReadCoefficient: 1, secondaryReadCoefficient: 1 },
    queryEngineConfiguration: '{}',
    ...properties,
  })
}

export function answerDatabase(account: Account, request: CosmosRequest): Answer {
  const id = request.segments[1]
  if (id === undefined) {
    if (isList(request)) return list(request, 'Databases', '', [...account.databases.values()].map(databaseJson))
    const database = account.createDatabase(checkedName(request))
    offerOf(account, request, database.self, ridText(database.rid))
    return answer(201, databaseJson(database), { applied: true })
  }
  const database = account.database(id)
  if (request.method === 'GET') return answer(200, databaseJson(database))
  if (request.method !== 'DELETE') throw new Refusal(405, `A database cannot be asked to ${request.method}.`)
  account.databases.delete(id)
  return { status: 204, charge: baseRead, applied: true }
}

export function answerContainer(account: Account, request: CosmosRequest): Answer {
  const [, databaseId = '', , id] = request.segments
  const database = account.database(databaseId)
  if (id === undefined) {
    if (isList(request)) return list(request, 'DocumentCollections', ridText(database.rid), [...database.containers.values()].map(containerJson))
    const name = checkedName(request)
    const container = account.createContainer(database, { ...(jsonOf(request) as ContainerDefinition), id: name })
    offerOf(account, request, container.self, ridText(container.rid))
    return answer(201, containerJson(container), { applied: true })
  }
  const container = account.container(databaseId, id)
  if (request.method === 'GET') {
    const quota = hasFlag(request, 'x-ms-documentdb-populatequotainfo')
    return answer(200, containerJson(container), quota ? { headers: { 'x-ms-documentdb-collection-index-transformation-progress': String(container.indexProgress()) } } : {})
  }
  if (request.method === 'PUT') {
    container.redefine(completed({ ...(jsonOf(request) as ContainerDefinition), id }))
    return answer(200, containerJson(container), { applied: true })
  }
  if (request.method !== 'DELETE') throw new Refusal(405, `A container cannot be asked to ${request.method}.`)
  database.containers.delete(id)
  return { status: 204, charge: baseRead, applied: true }
}

export function answerRanges(account: Account, request: CosmosRequest): Answer {
  const [, databaseId = '', , id = ''] = request.segments
  const container = account.container(databaseId, id)
  const rid = ridText(container.rid)
  // The map changes only with a split, and every split brings new ids.
  const etag = `"${container.partitions.map((each) => each.id).join('-')}"`
  if (headerOf(request, 'if-none-match') === etag) return { status: 304, charge: baseRead, headers: { etag } }
  const ranges = [...container.replaced, ...container.partitions].map((partition) => ({
    id: partition.id,
    minInclusive: partition.range.min,
    maxExclusive: partition.range.max,
    parents: partition.parents,
    status: 'online',
    throughputFraction: 1 / container.partitions.length,
    ridPrefix: Number(partition.id),
    lsn: partition.lsn,
    _rid: rid,
  }))
  return { ...list(request, 'PartitionKeyRanges', rid, ranges), headers: { etag } }
}

export function answerOffer(account: Account, request: CosmosRequest): Answer {
  const id = request.segments[1]
  if (id === undefined) return list(request, 'Offers', '', [...account.offers.values()].map(offerJson))
  const offer = account.offers.get(id)
  if (offer === undefined) throw new Refusal(404, `The offer '${id}' does not exist.`)
  const body = request.method === 'PUT' ? jsonOf(request) : undefined
  if (isObject(body) && isObject(body['content'])) offer.content = body['content']
  return answer(200, offerJson(offer), { applied: request.method === 'PUT' })
}

function isList(request: CosmosRequest): boolean {
  return request.method === 'GET' || hasFlag(request, 'x-ms-documentdb-isquery')
}

function list(request: CosmosRequest, name: string, rid: string, all: readonly Record<string, unknown>[]): Answer {
  const found = request.method === 'POST' ? selectMetadata(request, all) : all
  return answer(200, { _rid: rid, [name]: found, _count: found.length })
}

function answer(status: number, body: object, rest: Partial<Answer> = {}): Answer {
  return { status, charge: baseRead, body: JSON.stringify(body), ...rest }
}

function checkedName(request: CosmosRequest): string {
  const body = jsonOf(request)
  const id = isObject(body) ? body['id'] : undefined
  if (typeof id !== 'string' || id === '' || /[/\\?#]/.test(id)) throw new Refusal(400, `'${String(id)}' is not a valid id.`)
  return id
}

function offerOf(account: Account, request: CosmosRequest, resource: string, rid: string): void {
  const throughput = headerOf(request, 'x-ms-offer-throughput')
  const autoscale = headerOf(request, 'x-ms-cosmos-offer-autopilot-settings')
  if (throughput !== undefined) account.createOffer(resource, rid, { offerThroughput: Number(throughput) })
  else if (autoscale !== undefined) account.createOffer(resource, rid, { offerAutopilotSettings: JSON.parse(autoscale) as unknown })
}

function databaseJson(database: Database): Record<string, unknown> {
  return { id: database.id, _rid: ridText(database.rid), _self: database.self, _etag: '"0"', _ts: 0, _colls: 'colls/', _users: 'users/' }
}

/** The id is indexed in any case, and a policy that includes it may come back without it (learn.microsoft.com/azure/cosmos-db/index-policy). */
function containerJson(container: Container): Record<string, unknown> {
  const { indexingPolicy } = container.definition
  const includedPaths = (indexingPolicy.includedPaths ?? []).filter(({ path }) => path !== '/id/?')
  return { ...container.definition, indexingPolicy: { ...indexingPolicy, includedPaths }, _rid: ridText(container.rid), _self: container.self, _etag: '"0"', _ts: 0, _docs: 'docs/' }
}

function offerJson({ id, resource, resourceRid, content }: Offer): Record<string, unknown> {
  return { id, _rid: id, _self: `offers/${id}/`, offerVersion: 'V2', resource, offerResourceId: resourceRid, content }
}
