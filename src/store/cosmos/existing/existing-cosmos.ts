// An existing Cosmos DB database. Each container is read partition by partition, in the order in which the service returns documents, so a
// sample costs no more RU than its documents. Nothing is created and nothing is changed.

import type { Container, ContainerDefinition, IndexingPolicy, PartitionKeyDefinition, SqlQuerySpec } from '@azure/cosmos'
import type { Body } from '../../../model/json/json.ts'
import { ConfigError } from '../../../errors.ts'
import { TooManyRequestsError, type ExistingContainer, type ExistingDatabase, type ExistingSelection, type Spent } from '../../existing/existing-database.ts'
import { ownContainer } from '../../own-container.ts'
import { isId, type Path, type Scalar } from '../../query.ts'
import { tenantPath } from '../../tenants/check-tenanted.ts'
import { bodyOf, isTombstone } from '../documents.ts'
import { connect, type Connection, type CosmosSetting } from '../open/connect.ts'
import { countEachSql, countSql } from '../query/sql.ts'
import { sdkItems, type Item } from '../read-many/items.ts'
import { PhysicalPartitions, type PhysicalPartition } from '../read-many/physical-partitions.ts'
import { CallScope } from '../request/call-scope.ts'
import { cosmosPath } from '../open/prepare-container.ts'

/** Documents of a page, and ids of one request. */
const perRequest = 1000
const idsPerRequest = 200
/** The database may be in use, and throttle. No client waits here, so retries may take long. */
const patienceMs = 60_000

export async function openExistingCosmos(setting: CosmosSetting, maxRequests: number): Promise<ExistingDatabase> {
  const connection = await connect({ ...setting, create: false }, [])
  const found = new FoundCosmos(connection, maxRequests)
  try {
    await found.readContainers()
    return found
  } catch (error) {
    connection.close()
    throw error instanceof TooManyRequestsError ? new ConfigError(`${maxRequests} requests are too few to look at every container of the database "${setting.database}". Raise --max-requests.`) : error
  }
}

interface Opened {
  readonly container: Container
  readonly partitions: readonly PhysicalPartition[]
  readonly found: ExistingContainer
}

class FoundCosmos implements ExistingDatabase {
  readonly isServable = true
  readonly #connection: Connection
  readonly #maxRequests: number
  readonly #opened = new Map<string, Opened>()
  #requests = 0
  #requestCharge = 0

  constructor(connection: Connection, maxRequests: number) {
    this.#connection = connection
    this.#maxRequests = maxRequests
  }

  get containers(): readonly ExistingContainer[] {
    return [...this.#opened.values()].map(({ found }) => found)
  }

  async readContainers(): Promise<void> {
    const { database } = this.#connection
    const { resources } = await this.#counted('', () => database.containers.readAll().fetchAll())
    for (const definition of resources.filter(({ id }) => id !== ownContainer).toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const container = database.container(definition.id)
      const partitions = await this.#counted(definition.id, () => new PhysicalPartitions(container, definition.partitionKey as PartitionKeyDefinition).all())
      const documents = await this.#count(container, definition, partitions)
      if (documents > 0) this.#opened.set(definition.id, { container, partitions, found: foundOf(definition, documents) })
    }
  }

  /** The service knows the number, deleted documents included. Where it does not say, counting costs RU. */
  async #count(container: Container, definition: ContainerDefinition, partitions: readonly PhysicalPartition[]): Promise<number> {
    const { headers } = await this.#counted(container.id, () => container.read({ populateQuotaInfo: true }))
    const known = Number(/documentsCount=(\d+)/.exec(String(headers['x-ms-resource-usage']))?.[1] ?? 0)
    if (known > 0) return known
    const counts = await this.#everywhere<number>(container, partitions, countSql({ container: container.id }, isFollowed(definition)))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async *pages(name: string, max: number): AsyncGenerator<readonly Body[]> {
    const { container, partitions } = this.#opened.get(name)!
    let left = max
    for (const [at, partition] of partitions.entries()) {
      // What one partition does not have, the next ones may.
      let share = Math.ceil(left / (partitions.length - at))
      const pages = container.items.query<Item>('SELECT * FROM c', { maxItemCount: Math.min(perRequest, share), initialHeaders: inPartition(partition) })
      while (share > 0 && pages.hasMoreResults()) {
        const { resources } = await this.#counted(name, () => pages.fetchNext())
        const documents = resources.filter((item) => !isTombstone(item)).slice(0, share).map(bodyOf)
        share -= documents.length
        left -= documents.length
        if (documents.length > 0) yield documents
      }
    }
  }

  async find(name: string, ids: readonly string[]): Promise<readonly Body[]> {
    const { container, partitions } = this.#opened.get(name)!
    const found: Body[] = []
    for (let from = 0; from < ids.length; from += idsPerRequest) {
      const some = ids.slice(from, from + idsPerRequest)
      const sql: SqlQuerySpec = { query: `SELECT * FROM c WHERE c["id"] IN (${some.map((_, at) => `@p${at}`).join(', ')})`, parameters: some.map((value, at) => ({ name: `@p${at}`, value })) }
      found.push(...(await this.#everywhere<Item>(container, partitions, sql)).filter((item) => !isTombstone(item)).map(bodyOf))
    }
    return found
  }

  async countEach({ container: name, type }: ExistingSelection, path: Path, values: readonly Scalar[]): Promise<readonly number[]> {
    const { container, partitions, found: { isIndexed } } = this.#opened.get(name)!
    if (isIndexed && !isIndexed(path)) return []
    const rows = await this.#everywhere<{ found: Scalar; many: number }>(container, partitions, countEachSql({ container: name, ...(type === undefined ? {} : { type }) }, path, values, false))
    return values.map((value) => rows.filter(({ found }) => found === value).reduce((sum, { many }) => sum + many, 0))
  }

  spent(): Spent {
    return { requests: this.#requests, requestCharge: this.#requestCharge, isUsedUp: this.#requests >= this.#maxRequests }
  }

  async close(): Promise<void> {
    this.#connection.close()
  }

  async #everywhere<Row>(container: Container, partitions: readonly PhysicalPartition[], sql: SqlQuerySpec): Promise<Row[]> {
    const rows: Row[] = []
    for (const { id } of partitions) rows.push(...(await this.#counted(container.id, () => sdkItems(container).query<Row>(sql, { physical: id }, perRequest))))
    return rows
  }

  /** Runs the work with its requests counted, and refuses to begin it once there were too many. */
  async #counted<T>(container: string, work: () => Promise<T>): Promise<T> {
    if (this.#requests >= this.#maxRequests) throw new TooManyRequestsError(`${this.#requests} requests were sent, which is the max.`)
    const scope = new CallScope({ operation: 'query', container, keys: 0 }, ({ requestCharge }) => {
      this.#requests++
      this.#requestCharge += requestCharge
    }, { ...this.#connection.limits, deadlineMs: Math.max(patienceMs, this.#connection.limits.deadlineMs) })
    return scope.run(work)
  }
}

function inPartition({ id }: PhysicalPartition): Record<string, string> {
  return { 'x-ms-documentdb-partitionkeyrangeid': id }
}

function foundOf({ id: name = '', partitionKey, indexingPolicy }: ContainerDefinition, documents: number): ExistingContainer {
  const paths = (partitionKey?.paths ?? ['/id']).map((path) => path.slice(1).split('/').map((part) => part.replaceAll('"', '')))
  const isTenanted = paths[0]?.join() === tenantPath.join()
  return { name, documents, partitionKey: isTenanted ? paths.slice(1) : paths, isTenanted, isIndexed: indexesOf(indexingPolicy) }
}

/** Undefined if everything is indexed, which says nothing of what is asked for. */
function indexesOf({ includedPaths = [] }: IndexingPolicy = {}): ExistingContainer['isIndexed'] {
  const included = includedPaths.map(({ path }) => path.replaceAll('"', ''))
  if (included.length === 0 || included.includes('/*')) return undefined
  // A policy need not name the id: it is always indexed.
  return (path) => isId(path) || included.some((one) => one === `${cosmosPath(path).replaceAll('"', '')}/?` || (one.endsWith('/*') && `${cosmosPath(path)}/`.startsWith(one.slice(0, -1))))
}

/** Only a container with a time to live can have tombstones. */
function isFollowed({ defaultTtl }: ContainerDefinition): boolean {
  return defaultTtl !== undefined
}
