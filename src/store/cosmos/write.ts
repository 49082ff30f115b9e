// Writing: a transactional batch in one partition, all of it or nothing.
//
// Any answer may get lost on its way, so a write may be sent again that was carried out already
// (transport.ts). It is then refused, because what it was to replace is no longer there. Whoever is
// refused after such a doubt looks: if the documents are what he wanted to write, it was he who wrote
// them.

import { BulkOperationType, type JSONObject, type OperationInput, type OperationResponse, type PartitionKey } from '@azure/cosmos'
import { isDeepStrictEqual } from 'node:util'
import type { Key } from '../../keys/key.ts'
import { scalarAt } from '../conditions.ts'
import { ConflictError, StoreUnavailableError, TooLargeError, type Supports, type Write } from '../store.ts'
import { collapsed, type Intent } from './collapsed.ts'
import { bodyOf, etagOf, gravestone, isAddressable, isGravestone, unquoted } from './documents.ts'
import type { CosmosContainer } from './layout.ts'
import type { Item } from './read-many/read-many.ts'
import type { Sending } from './sending.ts'

/** How often a write is worked out anew because others write the same documents meanwhile. */
const mostTries = 20

/** The new etags, in the order of the writes. */
export async function writeBatch(target: CosmosContainer, writes: readonly Write[], supports: Supports, sending: Sending): Promise<string[]> {
  checkSizes(writes, supports)
  for (const write of writes) checkPlace(target, write)
  const intents = collapsed(writes)
  const etags = await sending.run(() => carryOut(target, intents, sending))
  const byId = new Map(intents.map(({ key }, at) => [key.id, etags[at]!]))
  return writes.map(({ kind, key }) => (kind === 'delete' ? '' : byId.get(key.id)!))
}

async function carryOut(target: CosmosContainer, intents: readonly Intent[], sending: Sending): Promise<string[]> {
  let known = new Map<string, Item | undefined>()
  for (let tries = 0; tries < mostTries; tries++) {
    const steps = await Promise.all(intents.map((intent) => stepFor(target, intent, known, sending)))
    const operations = steps.flatMap(({ operation }) => operation ?? [])
    if (operations.length === 0) return intents.map(() => '')
    const results = await send(target, intents[0]!.key, operations, sending)
    const refused = results.findIndex(({ statusCode }) => statusCode >= 400 && statusCode !== 424)
    if (refused < 0) {
      const etags = results[Symbol.iterator]()
      return steps.map(({ operation }) => (operation ? unquoted(etags.next().value?.eTag ?? '') : ''))
    }
    known = new Map(await Promise.all(intents.map(async ({ key }) => [key.id, await look(target, key, sending)] as const)))
    // It was this write that got through, the first time it was sent.
    if (sending.unsure && intents.every((intent) => isDone(target, intent, known.get(intent.key.id)))) return intents.map(({ key }) => etagIn(known.get(key.id)))
    for (const intent of intents) {
      if (sending.unsure) checkKnown(target, intent, known.get(intent.key.id))
      checkCondition(target, intent, known.get(intent.key.id))
    }
  }
  throw new ConflictError(target.layout.name, intents[0]!.key, 'changed')
}

function etagIn(item: Item | undefined): string {
  return item ? etagOf(item) : ''
}

interface Step {
  /** None where there is nothing to do. */
  readonly operation: OperationInput | undefined
}

/** What to ask of Cosmos, by what is known of the document: nothing at first. */
async function stepFor(target: CosmosContainer, intent: Intent, known: ReadonlyMap<string, Item | undefined>, sending: Sending): Promise<Step> {
  const { key, only, body } = intent
  if (body === undefined) return { operation: await deletion(target, intent, known, sending) }
  const resourceBody = body as JSONObject
  const found = known.get(key.id)
  // Where a gravestone stands nothing is there, but it has to be moved.
  if (only === 'if-absent' && found && isGravestone(found)) return { operation: replace(key, resourceBody, etagOf(found)) }
  if (only === 'if-absent') return { operation: { operationType: BulkOperationType.Create, resourceBody } }
  return { operation: only ? replace(key, resourceBody, only.ifMatch) : { operationType: BulkOperationType.Upsert, resourceBody } }
}

async function deletion(target: CosmosContainer, { key, only, last }: Intent, known: ReadonlyMap<string, Item | undefined>, sending: Sending): Promise<OperationInput | undefined> {
  const ifMatch = typeof only === 'object' ? only.ifMatch : undefined
  const { partitionKey, followed } = target.layout
  if (last && ifMatch !== undefined && followed) return replace(key, gravestone(key, partitionKey, last) as JSONObject, ifMatch)
  const found = known.has(key.id) ? known.get(key.id) : await look(target, key, sending)
  checkCondition(target, { key, only, body: undefined, last }, found)
  if (!found || isGravestone(found)) return undefined
  if (followed) return replace(key, gravestone(key, partitionKey, last ?? bodyOf(found)) as JSONObject, etagOf(found))
  return { operationType: BulkOperationType.Delete, id: key.id, ifMatch: `"${etagOf(found)}"` } as OperationInput
}

function replace({ id }: Key, resourceBody: JSONObject, ifMatch: string): OperationInput {
  return { operationType: BulkOperationType.Replace, id, resourceBody, ifMatch: `"${ifMatch}"` }
}

async function send({ container }: CosmosContainer, { partition }: Key, operations: OperationInput[], sending: Sending): Promise<readonly OperationResponse[]> {
  const { result } = await container.items.batch(operations, partition as PartitionKey, { abortSignal: sending.signal, contentResponseOnWriteEnabled: false })
  return result ?? []
}

async function look({ container }: CosmosContainer, { id, partition }: Key, sending: Sending): Promise<Item | undefined> {
  return (await container.item(id, partition as PartitionKey).read<Item>({ abortSignal: sending.signal })).resource
}

function isDone({ layout }: CosmosContainer, { key, body, last }: Intent, found: Item | undefined): boolean {
  if (body !== undefined) return found !== undefined && isDeepStrictEqual(bodyOf(found), JSON.parse(JSON.stringify(body)))
  return found === undefined || (isGravestone(found) && (!last || isDeepStrictEqual(bodyOf(found), JSON.parse(JSON.stringify(gravestone(key, layout.partitionKey, last))))))
}

/**
 * The answer was lost, and the document is not as it was to be. Either somebody else was faster, or
 * somebody has written it since: then its version is beyond ours, and whether ours was among them nobody
 * knows. Doing the work again might do it twice.
 */
function checkKnown({ layout }: CosmosContainer, { key, body }: Intent, found: Item | undefined): void {
  const [ours, theirs] = [body?.['_v'], found?.['_v'] as unknown]
  if (typeof ours !== 'number' || typeof theirs !== 'number' || theirs <= ours) return
  throw new StoreUnavailableError(`Whether ${layout.name}/${key.id} was written is not known: the answer was lost, and others have written it since.`)
}

function checkCondition({ layout }: CosmosContainer, { key, only }: Intent, found: Item | undefined): void {
  const there = found !== undefined && !isGravestone(found)
  if (only === 'if-absent' && there) throw new ConflictError(layout.name, key, 'present')
  if (typeof only !== 'object') return
  if (!there) throw new ConflictError(layout.name, key, 'absent')
  if (etagOf(found) !== only.ifMatch) throw new ConflictError(layout.name, key, 'changed')
}

function checkSizes(writes: readonly Write[], { documentBytes, batch }: Supports): void {
  if (writes.length > batch.writes) throw new Error(`${writes.length} documents were to be written as one, and Cosmos DB takes ${batch.writes}.`)
  let total = 0
  for (const write of writes) {
    // What is deleted is kept in the gravestone.
    const bytes = Buffer.byteLength(JSON.stringify((write.kind === 'put' ? write.body : write.last) ?? null))
    if (write.kind === 'put' && bytes > documentBytes) throw new TooLargeError(write.container, write.key, bytes, documentBytes)
    total += bytes
  }
  if (total > batch.bytes) throw new Error(`${total} bytes were to be written as one, and Cosmos DB takes ${batch.bytes}.`)
}

/** A document says itself where it belongs, and Cosmos believes the document. */
function checkPlace({ layout }: CosmosContainer, write: Write): void {
  if (write.kind === 'delete') return
  const { key, body } = write
  if (!isAddressable(key.id)) throw new Error(`${JSON.stringify(key.id)} cannot be an id in Cosmos DB.`)
  const told = [...layout.partitionKey.map((path) => scalarAt(path, body)), body['id']]
  if (isDeepStrictEqual(told, [...key.partition, key.id])) return
  throw new Error(`${layout.name}/${key.id} was to be written as ${JSON.stringify([...key.partition, key.id])}, and says ${JSON.stringify(told)} itself.`)
}
