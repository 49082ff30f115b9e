// Containers for tests on an account or an emulator that runs elsewhere, where creating one takes long and is limited: all are in one database, are
// never deleted, and are emptied when a test takes them. Containers of equal keys are one and the same, whatever a test calls them, and get the indexes
// that it needs.

import { createHash } from 'node:crypto'
import type { Container, CosmosClient, IndexingPolicy, OperationInput, PartitionKey } from '@azure/cosmos'
import { openCosmosStore, type CosmosSetting } from '../../../src/store/cosmos/cosmos-store.ts'
import { indexingPolicy } from '../../../src/store/cosmos/open/prepare-container.ts'
import type { ContainerLayout, Meter, Store } from '../../../src/store/store.ts'

export const pooledDatabase = 'quire-tests'

const operationsPerBatch = 100

/** The names of containers that a store of this process uses. */
const taken = new Set<string>()

/** An empty store that no other test uses. Its containers are free again when it is closed. */
export async function openPooledStore(client: CosmosClient, setting: Pick<CosmosSetting, 'endpoint' | 'key' | 'limits'>, layout: readonly ContainerLayout[]): Promise<Store> {
  const names = new Map(layout.map((one) => [one.name, takeName(one)]))
  const renamed = layout.map((one) => ({ ...one, name: names.get(one.name)! }))
  // Another store may be opened at the same time.
  await client.databases.createIfNotExists({ id: pooledDatabase }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 409) throw error
  })
  const database = client.database(pooledDatabase)
  await Promise.all(renamed.map(async (one) => {
    const container = database.container(one.name)
    const definition = await found(container.read().then(({ resource }) => resource))
    if (!definition) return
    await empty(container, one)
    if (indexesIn(definition.indexingPolicy) !== indexesIn(indexingPolicy(one))) await container.replace({ ...definition, indexingPolicy: indexingPolicy(one) })
  }))
  const store = await openCosmosStore({ ...setting, database: pooledDatabase, create: true }, renamed)
  return withNames(store, names, () => { for (const name of names.values()) taken.delete(name) })
}

/** What cannot be changed, or would be kept, is in the name. There is one worker, so no other process uses them. */
function takeName({ partitionKey, followed = false }: ContainerLayout): string {
  const definition = JSON.stringify([partitionKey, followed])
  const start = createHash('sha256').update(definition).digest('hex').slice(0, 16)
  let number = 0
  while (taken.has(`${start}-${number}`)) number++
  taken.add(`${start}-${number}`)
  return `${start}-${number}`
}

/** Undefined if it is missing. */
function found<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 404) throw error
    return undefined
  })
}

/** The service adds paths that are excluded. */
function indexesIn({ includedPaths = [], compositeIndexes = [] }: IndexingPolicy = {}): string {
  return JSON.stringify([includedPaths.map(({ path }) => path).toSorted(), compositeIndexes.map((each) => JSON.stringify(each)).toSorted()])
}

async function empty(container: Container, { partitionKey }: ContainerLayout): Promise<void> {
  const { resources } = await container.items.query<Record<string, unknown> & { id: string }>('SELECT * FROM c', { maxItemCount: 1000 }).fetchAll()
  const groups = Map.groupBy(resources, (document) => JSON.stringify(partitionKey.map((path) => valueAt(document, path))))
  await Promise.all([...groups].map(([key, documents]) => emptyPartition(container, JSON.parse(key) as PartitionKey, documents.map(({ id }) => id))))
}

/** On the wire a missing value is {}. */
function valueAt(document: Record<string, unknown>, path: readonly string[]): unknown {
  const value = path.reduce<unknown>((holder, name) => (holder as Record<string, unknown> | null | undefined)?.[name], document)
  return value === undefined ? {} : value
}

/** In batches, whose ids are not part of a path: any id can be deleted. */
async function emptyPartition(container: Container, key: PartitionKey, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += operationsPerBatch) {
    const { result = [] } = await container.items.batch(ids.slice(at, at + operationsPerBatch).map((id): OperationInput => ({ operationType: 'Delete', id })), key)
    const failed = result.find(({ statusCode }) => statusCode >= 300 && statusCode !== 424)
    if (failed) throw new Error(`The container ${container.id} could not be emptied: ${failed.statusCode} for one of ${ids.length} documents at ${JSON.stringify(key)}.`)
  }
}

/** The store with the names that a test gives its containers, in what it is asked, in what it answers and in its errors. */
function withNames(store: Store, names: ReadonlyMap<string, string>, closed: () => void): Store {
  const given = new Map([...names].map(([name, stored]) => [stored, name]))
  const to = (name: string): string => names.get(name) ?? name
  const from = (name: string): string => given.get(name) ?? name
  const within = <S extends { readonly container: string }>(selection: S): S => ({ ...selection, container: to(selection.container) })
  const metered = (meter: Meter | undefined): Meter | undefined => meter && ((receipt) => { meter({ ...receipt, container: from(receipt.container) }) })
  const told = async <T>(work: () => T | PromiseLike<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      for (const [stored, name] of given) error.message = error.message.replaceAll(stored, name)
      if ('container' in error) Object.defineProperty(error, 'container', { value: from(String(error.container)), enumerable: true })
      throw error
    }
  }
  return {
    supports: store.supports,
    readMany: (container, keys, meter) => told(() => store.readMany(to(container), keys, metered(meter))),
    lookIn: (container) => store.lookIn(to(container)),
    moment: () => store.moment(),
    query: (query, meter) => told(() => store.query(within(query), metered(meter))),
    queryEach: (query, by, values, meter) => told(() => store.queryEach(within(query), by, values, metered(meter))),
    count: (selection, meter) => told(() => store.count(within(selection), metered(meter))),
    countEach: (selection, by, values, meter) => told(() => store.countEach(within(selection), by, values, metered(meter))),
    aggregate: (selection, aggregation, each, meter) => told(() => store.aggregate(within(selection), aggregation, each, metered(meter))),
    write: (writes, meter) => told(() => store.write(writes.map(within), metered(meter))),
    atomically: (plan, meter) => told(() => store.atomically(async () => (await plan()).map(within), metered(meter))),
    feedParts: () => store.feedParts(),
    changes: async (part, behind, limit, meter) => {
      const page = await told(() => store.changes(part, behind, limit, metered(meter)))
      return { ...page, changes: page.changes.map((change) => ({ ...change, container: from(change.container) })) }
    },
    feedEnd: (part) => store.feedEnd(part),
    pointsWithin: (points, container) => store.pointsWithin(points, to(container)),
    pointsOf: (text) => store.pointsOf(text),
    sweepFeed: (part, upTo, limit) => store.sweepFeed(part, upTo, limit),
    position: () => store.position(),
    now: () => store.now(),
    sizes: (container, keys) => store.sizes(to(container), keys),
    reach: (selection) => store.reach(within(selection)),
    cachedBytes: () => store.cachedBytes(),
    ping: () => store.ping(),
    close: async () => {
      await store.close()
      closed()
    },
  }
}
