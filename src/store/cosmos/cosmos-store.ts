// The store for scale: Azure Cosmos DB, over its SDK. What is asked of it here goes to where the
// answer is, leaves together, and is counted request by request as the service charges it.

import { partitionText, type Key } from '../../model/keys/key.ts'
import { queryCharge, readCharge } from '../cost-model.ts'
import { compareScalars, compareText } from '../../model/keys/compare-scalars.ts'
import { scalarAt } from '../conditions.ts'
import { containerNamed } from '../store.ts'
import { currentOperation, type OperationContext } from '../operation-context.ts'
import type { Query, Scalar } from '../query.ts'
import { StoreUnavailableError, type ContainerLayout, type Meter, type Receipt, type Store, type StoredDocument, type Supports } from '../store.ts'
import { rowsOf } from './query/run-query.ts'
import { connect, type Connection, type CosmosSetting } from './open/connect.ts'
import { documentOf, isAddressable, isPlace, markAt } from './documents.ts'
import { eachPage, narrowed } from './query/each-page.ts'
import { storeErrorFrom } from './errors.ts'
import { Feed } from './change-feed.ts'
import type { CosmosContainer } from './open/layout.ts'
import { readMany, type Item } from './read-many/read-many.ts'
import { Sending, type Limits } from './request/call-scope.ts'
import { Sizes } from './document-sizes.ts'
import { targetOf } from './query/query-target.ts'
import { countEachSql, countSql, pageSql, runsOf } from './query/sql.ts'
import { writeBatch } from './write/write.ts'

export type { CosmosSetting }

const supports: Supports = {
  system: 'azure.cosmosdb',
  atomic: 'partition',
  lateMs: 2000,
  charges: 'measured',
  sizes: 'typical',
  durable: true,
  sameObjects: false,
  keysPerRequest: 1000,
  // Two megabytes, less what a batch and a tombstone put around a document.
  documentBytes: 2 * 1024 * 1024 - 32 * 1024,
  batch: { writes: 100, bytes: 2 * 1024 * 1024 - 24 * 1024 },
}

export async function openCosmosStore(setting: CosmosSetting, layout: readonly ContainerLayout[]): Promise<Store> {
  return new CosmosStore(await connect(setting, layout))
}

class CosmosStore implements Store {
  readonly supports = supports
  readonly #connection: Connection
  readonly #containers: ReadonlyMap<string, CosmosContainer>
  readonly #feed: Feed
  readonly #sizes = new Sizes()

  constructor(connection: Connection) {
    this.#connection = connection
    this.#containers = connection.containers
    this.#feed = new Feed(connection.containers.values())
  }

  readMany: Store['readMany'] = async (name, keys, meter) => {
    if (keys.length === 0) return []
    const target = containerNamed(this.#containers, name)
    return this.#call({ operation: 'read', container: name, keys: keys.length }, meter, async (sending) => {
      const typical = this.#sizes.typical(name)
      // What cannot be an id is not there, and nothing is where nothing can be.
      const found = await readMany(keys.filter(canBe).map(({ id, partition }) => ({ id, partitionKey: partition })), {
        container: target.container,
        partitions: target.partitions,
        partitionKeyPaths: target.layout.partitionKey,
        price: { read: readCharge(typical), query: (documents) => queryCharge(Array.from({ length: documents }, () => typical)) },
        abortSignal: sending.signal,
        around: (some, wave, send) => sending.fork(some, wave).run(send),
      })
      const answers = found.values()
      return keys.map((key) => {
        const one = canBe(key) ? answers.next().value! : ({ status: 'missing' } as const)
        if (one.status === 'failed') throw one.error
        return one.status === 'found' ? this.#seen(target, one.item) : undefined
      })
    })
  }

  query: Store['query'] = (query, meter) => this.#call({ operation: 'query', container: query.container, keys: 0 }, meter, (sending) => this.#page(query, sending))

  queryEach: Store['queryEach'] = async (query, by, values, meter) => {
    if (values.length === 0) return []
    return this.#call({ operation: 'query', container: query.container, keys: values.length }, meter, (sending) =>
      eachPage(query, by, values, (one) => this.#page(one, sending)))
  }

  count: Store['count'] = (selection, meter) => this.#call({ operation: 'count', container: selection.container, keys: 0 }, meter, async (sending) => {
    const target = containerNamed(this.#containers, selection.container)
    const counts = await rowsOf<number>(target, countSql(selection, isFollowed(target)), targetOf(target, selection), sending)
    return sum(counts)
  })

  countEach: Store['countEach'] = async (selection, by, values, meter) => {
    if (values.length === 0) return []
    return this.#call({ operation: 'count', container: selection.container, keys: values.length }, meter, async (sending) => {
      const target = containerNamed(this.#containers, selection.container)
      const some = [...new Set(values)].filter((value) => value !== null)
      const without = narrowed(selection, by, [null])
      const [groups, nulls] = await Promise.all([
        some.length > 0 ? rowsOf<{ found: Scalar; many: number }>(target, countEachSql(selection, by, some, isFollowed(target)), targetOf(target, narrowed(selection, by, some)), sending) : [],
        values.includes(null) ? rowsOf<number>(target, countSql(without, isFollowed(target)), targetOf(target, without), sending) : [],
      ])
      return values.map((value) => (value === null ? sum(nulls) : sum(groups.filter(({ found }) => found === value).map(({ many }) => many))))
    })
  }

  write: Store['write'] = async (writes, meter) => {
    if (writes.length === 0) return []
    const scopes = new Set(writes.map(({ container, key }) => `${container} ${partitionText(key.partition)}`))
    const targets = writes.map(({ container }) => containerNamed(this.#containers, container))
    if (scopes.size > 1) throw new Error(`Cosmos DB writes one partition at a time, and these are ${scopes.size}: ${[...scopes].slice(0, 3).join(', ')}.`)
    return this.#call({ operation: 'write', container: writes[0]!.container, keys: writes.length }, meter, (sending) => writeBatch(targets[0]!, writes, supports, sending))
  }

  atomically: Store['atomically'] = () => Promise.reject(new Error('Cosmos DB cannot read and write as one. Guard writes by etag instead.'))

  feedParts = async (): Promise<readonly string[]> => this.#feed.parts

  changes: Store['changes'] = (part, behind, limit, meter) =>
    this.#call({ operation: 'changes', container: part, keys: 0 }, meter, (sending) => this.#feed.changes(part, behind, limit, sending))

  feedEnd: Store['feedEnd'] = (part) => this.#call({ operation: 'changes', container: part, keys: 0 }, undefined, (sending) => this.#feed.end(part, sending))

  now: Store['now'] = async () => this.#connection.clock.moment

  sizes: Store['sizes'] = async (container, keys) => keys.map(() => this.#sizes.typical(container))

  reach: Store['reach'] = (selection) => {
    const target = targetOf(containerNamed(this.#containers, selection.container), selection)
    return ('places' in target ? target.places.length : 1) * ('orderBy' in selection ? runsOf(selection).length : 1)
  }

  ping = async (): Promise<void> => {
    await this.#call({ operation: 'read', container: '', keys: 0 }, undefined, (sending) =>
      sending.run(() => this.#connection.database.read({ abortSignal: sending.signal })))
  }

  version = (): undefined => undefined

  cachedBytes = (): number => 0

  close = async (): Promise<void> => this.#connection.close()

  /** One page, from as many runs and partitions as it takes, merged. */
  async #page(query: Query, from: Sending): Promise<StoredDocument[]> {
    const target = containerNamed(this.#containers, query.container)
    const runs = runsOf(query)
    const items = await Promise.all(runs.map((run) => rowsOf<Item>(target, pageSql(query, run, isFollowed(target)), targetOf(target, query), from, query.limit)))
    return items.flat().flatMap((item) => this.#seen(target, item) ?? []).toSorted(inOrder(query)).slice(0, query.limit)
  }

  #seen(target: CosmosContainer, item: Item): StoredDocument | undefined {
    const document = documentOf(item, target.layout.partitionKey)
    if (document) {
      this.#sizes.saw(target.layout.name, document.bytes)
      target.marks.saw(document.etag, item[markAt])
    }
    return document
  }

  async #call<T>(call: Pick<Receipt, 'operation' | 'container' | 'keys'>, meter: Meter | undefined, work: (sending: Sending) => Promise<T>): Promise<T> {
    if (this.#connection.closed) throw new StoreUnavailableError('The store has been closed.')
    const operationContext = call.operation === 'write' ? undefined : currentOperation()
    operationContext?.check()
    try {
      return await work(new Sending(call, meter, within(this.#connection.limits, operationContext)))
    } catch (error) {
      throw storeErrorFrom(error)
    }
  }
}

/** A read is not waited for much longer than the request that needs it; a little, so that the request is the first to say so. */
function within(limits: Limits, operationContext: OperationContext | undefined): Limits {
  return operationContext && operationContext.leftMs < limits.deadlineMs ? { ...limits, deadlineMs: Math.ceil(operationContext.leftMs) + 20 } : limits
}

function inOrder({ orderBy: { path, descending } }: Query): (one: StoredDocument, other: StoredDocument) => number {
  return (one, other) => (descending ? -1 : 1) * (compareScalars(scalarAt(path, one.body), scalarAt(path, other.body)) || compareText(one.key.id, other.key.id))
}

function canBe({ id, partition }: Key): boolean {
  return isAddressable(id) && isPlace(partition)
}

function isFollowed({ layout }: CosmosContainer): boolean {
  return Boolean(layout.followed)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
