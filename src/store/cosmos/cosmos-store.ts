// The store for scale: Azure Cosmos DB, over its SDK, and past it where documents are read. Requests go only to the physical
// partitions that can answer, leave together, and are metered one by one with the charge that the service reports.

import { partitionText, type Key } from '../../model/keys/key.ts'
import { queryCharge, readCharge } from '../cost-model.ts'
import { ownContainer } from '../own-container.ts'
import { containerNamed } from '../write-condition.ts'
import { currentOperation, type OperationContext } from '../operation-context.ts'
import type { Query, Scalar } from '../query.ts'
import { StoreUnavailableError } from '../store-errors.ts'
import type { ContainerLayout, Meter, Receipt, Store, StoredDocument, Supports } from '../store.ts'
import { rowsOf } from './query/run-query.ts'
import { connect, type Connection, type CosmosSetting } from './open/connect.ts'
import { documentOf, isAllowedPartition, isTombstone, itemsInOrder, writeMarksProperty } from './documents.ts'
import { eachPage, narrowed } from './query/each-page.ts'
import { storeErrorFrom } from './errors.ts'
import { ChangeFeed } from './feed/change-feed.ts'
import { readPartCount } from './feed/feed-slots.ts'
import type { CosmosContainer } from './open/prepare-container.ts'
import { isAddressable } from './read-many/check-key.ts'
import type { Item } from './read-many/items.ts'
import { readMany } from './read-many/read-many.ts'
import { CallScope, type CallLimits } from './request/call-scope.ts'
import { DocumentSizes } from './document-sizes.ts'
import { targetOf } from './query/query-target.ts'
import { withEmpty } from './open/with-empty.ts'
import { aggregateSql, groupsFrom, maxRows, type GroupRow } from './query/aggregate-sql.ts'
import { nullPatternsOf } from './query/null-ordering.ts'
import { countEachSql, countSql, pageSql } from './query/sql.ts'
import { maxAddedBytes, maxRequestBytes } from './write/batch-size.ts'
import { writeBatch } from './write/write-batch.ts'

export type { CosmosSetting }

const supports: Supports = {
  system: 'azure.cosmosdb',
  atomic: 'partition',
  maxWriteDelayMs: 2000,
  positions: 'milliseconds',
  charges: 'measured',
  sizes: 'typical',
  textOrder: 'UTF-16 units',
  durable: true,
  sameObjects: false,
  keysPerRequest: 1000,
  // Minus what a batch and a tombstone add to a document.
  documentBytes: maxRequestBytes - 32 * 1024,
  // Minus the same for as many documents as a batch can have.
  batch: { writes: 100, bytes: maxRequestBytes - 100 * maxAddedBytes },
}

/**
 * Connects to a database of Azure Cosmos DB for `createGateway`, and creates missing containers and indexes if `create` allows it.
 *
 * @example
 * ```ts
 * import { createGateway } from 'quire-graphql'
 * import { openCosmosStore } from 'quire-graphql/cosmos'
 *
 * const azure = { endpoint: 'https://NAME.documents.azure.com', database: 'articles', create: true }
 * const gateway = await createGateway({ typeDefs, store: (layout) => openCosmosStore(azure, layout) })
 * ```
 */
export async function openCosmosStore(setting: CosmosSetting, layout: readonly ContainerLayout[]): Promise<Store> {
  return new CosmosStore(await connect(setting, layout))
}

/** To look at it: nothing is created, and a container that is missing is empty. */
export async function openCosmosAsFound(setting: CosmosSetting, layout: readonly ContainerLayout[]): Promise<Store> {
  const connection = await connect({ ...setting, create: false }, layout, true)
  return withEmpty(new CosmosStore(connection), layout.map(({ name }) => name).filter((name) => !connection.containers.has(name)))
}

class CosmosStore implements Store {
  readonly supports = supports
  readonly #connection: Connection
  readonly #containers: ReadonlyMap<string, CosmosContainer>
  readonly #feed: ChangeFeed
  readonly #sizes = new DocumentSizes()

  constructor(connection: Connection) {
    this.#connection = connection
    this.#containers = connection.containers
    // Without a container of its own a store has no followers that could share its feed.
    this.#feed = new ChangeFeed(connection.containers.values(), async (mostPartitions) => (this.#containers.has(ownContainer) ? readPartCount(this, mostPartitions) : 1))
  }

  readMany: Store['readMany'] = async (name, keys, meter) => {
    if (keys.length === 0) return []
    const target = containerNamed(this.#containers, name)
    return this.#call({ operation: 'read', container: name, keys: keys.length }, meter, async (scope) => {
      const typical = this.#sizes.typical(name)
      // A key that Cosmos DB does not allow cannot exist, so it is not requested.
      const possible = keys.map(canExist)
      const found = await readMany(keys.filter((_, at) => possible[at]).map(({ id, partition }) => ({ id, partitionKey: partition })), {
        items: target.items,
        partitions: target.partitions,
        partitionKeyPaths: target.layout.partitionKey,
        price: { read: readCharge(typical), query: (documents) => queryCharge(Array.from({ length: documents }, () => typical)) },
        abortSignal: scope.signal,
        around: (some, wave, send) => scope.fork(some, wave).run(send),
      })
      const results = found.values()
      return keys.map((_, at) => {
        const result = possible[at] ? results.next().value! : ({ status: 'missing' } as const)
        if (result.status === 'failed') throw result.error
        return result.status === 'found' ? this.#documentOf(target, result.item) : undefined
      })
    })
  }

  /** Nothing tells of the writes of others. */
  moment: Store['moment'] = () => undefined

  /** Every document is a round trip away. */
  lookIn(): undefined {
    return undefined
  }

  query: Store['query'] = (query, meter) => this.#call({ operation: 'query', container: query.container, keys: 0 }, meter, (scope) => this.#page(query, scope))

  queryEach: Store['queryEach'] = async (query, by, values, meter) => {
    if (values.length === 0) return []
    return this.#call({ operation: 'query', container: query.container, keys: values.length }, meter, (scope) =>
      eachPage(query, by, values, (one) => this.#page(one, scope)))
  }

  count: Store['count'] = (selection, meter) => this.#call({ operation: 'count', container: selection.container, keys: 0 }, meter, async (scope) => {
    const target = containerNamed(this.#containers, selection.container)
    const counts = await rowsOf<number>(target, countSql(selection, isFollowed(target)), targetOf(target, selection), scope)
    return sum(counts)
  })

  countEach: Store['countEach'] = async (selection, by, values, meter) => {
    if (values.length === 0) return []
    return this.#call({ operation: 'count', container: selection.container, keys: values.length }, meter, async (scope) => {
      const target = containerNamed(this.#containers, selection.container)
      const scalars = [...new Set(values)].filter((value) => value !== null)
      const withoutValue = narrowed(selection, by, [null])
      const [groups, nulls] = await Promise.all([
        scalars.length > 0 ? rowsOf<{ found: Scalar; many: number }>(target, countEachSql(selection, by, scalars, isFollowed(target)), targetOf(target, narrowed(selection, by, scalars)), scope) : [],
        values.includes(null) ? rowsOf<number>(target, countSql(withoutValue, isFollowed(target)), targetOf(target, withoutValue), scope) : [],
      ])
      return values.map((value) => (value === null ? sum(nulls) : sum(groups.filter(({ found }) => found === value).map(({ many }) => many))))
    })
  }

  aggregate: Store['aggregate'] = async (selection, aggregation, each, meter) => {
    if (each?.values.length === 0) return []
    return this.#call({ operation: 'aggregate', container: selection.container, keys: each?.values.length ?? 0 }, meter, async (scope) => {
      const target = containerNamed(this.#containers, selection.container)
      const place = targetOf(target, each ? narrowed(selection, each.by, each.values) : selection)
      const rows = await rowsOf<GroupRow>(target, aggregateSql(selection, aggregation, each, isFollowed(target)), place, scope, 1000, maxRows(aggregation, each))
      return groupsFrom(rows, aggregation, each)
    })
  }

  write: Store['write'] = async (writes, meter) => {
    if (writes.length === 0) return []
    const scopes = new Set(writes.map(({ container, key }) => `${container} ${partitionText(key.partition)}`))
    const targets = writes.map(({ container }) => containerNamed(this.#containers, container))
    if (scopes.size > 1) throw new Error(`Cosmos DB writes one partition at a time, and these writes are in ${scopes.size}: ${[...scopes].slice(0, 3).join(', ')}.`)
    return this.#call({ operation: 'write', container: writes[0]!.container, keys: writes.length }, meter, (scope) => writeBatch(targets[0]!, writes, supports, scope))
  }

  atomically: Store['atomically'] = () => Promise.reject(new Error('Cosmos DB cannot read and write atomically. Use writes with ifMatch instead.'))

  feedParts = (): Promise<readonly string[]> => this.#feed.parts()

  changes: Store['changes'] = (part, behind, limit, meter) =>
    this.#call({ operation: 'changes', container: part, keys: 0 }, meter, (scope) => this.#feed.changes(part, behind, limit, scope))

  feedEnd: Store['feedEnd'] = (part) => this.#call({ operation: 'changes', container: part, keys: 0 }, undefined, (scope) => this.#feed.end(part, scope))

  pointsWithin: Store['pointsWithin'] = (points, container) => this.#feed.pointsWithin(points, container)

  pointsOf: Store['pointsOf'] = (text) => this.#feed.pointsOf(text)

  /** Tombstones expire by themselves. */
  sweepFeed: Store['sweepFeed'] = async () => 0

  /**
   * The service has no number that orders the writes of all partitions, but it has one clock. Its interval is told with the delay
   * by which a write may become visible, so whatever is thought to be included is.
   */
  position: Store['position'] = async () => {
    const { earliest, latest } = this.#connection.clock.known ?? { earliest: -Infinity, latest: Infinity }
    return { earliest: earliest - supports.maxWriteDelayMs, latest }
  }

  now: Store['now'] = async () => this.#connection.clock.moment

  sizes: Store['sizes'] = async (container, keys) => keys.map(() => this.#sizes.typical(container))

  reach: Store['reach'] = (selection) => {
    const target = targetOf(containerNamed(this.#containers, selection.container), selection)
    return ('physical' in target ? target.physical.length : 1) * ('orderBy' in selection ? nullPatternsOf(selection).length : 1)
  }

  /** Asks for a document that need not exist: an account answers only a few questions a minute about its databases and containers. */
  ping = async (): Promise<void> => {
    const [first] = this.#containers.values()
    if (!first) return
    const { items, layout } = first
    const partitionKey = layout.partitionKey.map(() => 'ping')
    await this.#call({ operation: 'read', container: layout.name, keys: 0 }, undefined, (scope) => scope.run(() => items.read({ id: 'ping', partitionKey }, scope.signal)))
  }

  cachedBytes = (): number => 0

  close = async (): Promise<void> => this.#connection.close()

  /** One page, merged from all of its runs and physical partitions. */
  async #page(query: Query, from: CallScope): Promise<StoredDocument[]> {
    const target = containerNamed(this.#containers, query.container)
    const runs = nullPatternsOf(query)
    const items = await Promise.all(runs.map((run) => rowsOf<Item>(target, pageSql(query, run, isFollowed(target)), targetOf(target, query), from, query.limit)))
    // Each partition has sent a whole page. Only the documents of the merged page are worth converting.
    const merged = items.flat().filter((item) => !isTombstone(item)).toSorted(itemsInOrder(query.orderBy)).slice(0, query.limit)
    return merged.map((item) => this.#documentOf(target, item)!)
  }

  /** Also remembers its size and its write marks. */
  #documentOf(target: CosmosContainer, item: Item): StoredDocument | undefined {
    const document = documentOf(item, target.layout.partitionKey)
    if (document) {
      this.#sizes.add(target.layout.name, document)
      target.marks.remember(document.etag, item[writeMarksProperty])
    }
    return document
  }

  async #call<T>(call: Pick<Receipt, 'operation' | 'container' | 'keys'>, meter: Meter | undefined, work: (scope: CallScope) => Promise<T>): Promise<T> {
    if (this.#connection.closed) throw new StoreUnavailableError('The store has been closed.')
    const operationContext = call.operation === 'write' ? undefined : currentOperation()
    operationContext?.check()
    try {
      return await work(new CallScope(call, meter, within(this.#connection.limits, operationContext)))
    } catch (error) {
      throw storeErrorFrom(error)
    }
  }
}

/** A read may take as long as its operation, and a little longer, so that the operation is the first to report the timeout. */
function within(limits: CallLimits, operationContext: OperationContext | undefined): CallLimits {
  return operationContext && operationContext.remainingMs < limits.deadlineMs ? { ...limits, deadlineMs: Math.ceil(operationContext.remainingMs) + 20 } : limits
}

function canExist({ id, partition }: Key): boolean {
  return isAddressable(id) && isAllowedPartition(partition)
}

function isFollowed({ layout }: CosmosContainer): boolean {
  return Boolean(layout.followed)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
