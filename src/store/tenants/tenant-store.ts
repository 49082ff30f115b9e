// The store as one tenant sees it: only the tenant's documents, and no trace of other tenants. Calls get the tenant: as
// the first part of keys, in bodies and in selections. Results lose it again. Code that reads and writes through this
// store need not know of tenants, and cannot reach the documents of another one.

import { createHash } from 'node:crypto'
import { maxTenantBytes } from './tenant-name.ts'
import { samePartition, type Key, type Partition } from '../../model/keys/key.ts'
import { whenReady, type MaybePromise } from '../maybe-promise.ts'
import { ownContainer } from '../own-container.ts'
import type { Aggregated, Aggregation } from '../aggregate/aggregation.ts'
import type { Path, Query, Scalar, Selection } from '../query.ts'
import type { Body } from '../../model/json/json.ts'
import { ConflictError } from '../store-errors.ts'
import type { Change, Changes, EachValue, FeedPoints, FeedPosition, Lookup, Meter, Moment, Store, StoredDocument, Supports, Write } from '../store.ts'
import { createWorkSlice } from '../work-slice.ts'
import { tenantPath } from './check-tenanted.ts'

const [property] = tenantPath as readonly [string]

export class TenantStore implements Store {
  readonly supports: Supports
  readonly #store: Store
  readonly tenant: string
  readonly #withoutTenant: ToTenant

  constructor(store: Store, tenant: string) {
    this.#store = store
    this.tenant = tenant
    const shared = sharedBetweenTenants(store)
    this.supports = shared.supports
    this.#withoutTenant = shared.withoutTenant
  }

  readMany(container: string, keys: readonly Key[], meter?: Meter): MaybePromise<(StoredDocument | undefined)[]> {
    return whenReady(this.#store.readMany(container, this.#keys(container, keys), meter), (documents) =>
      documents.map((document, index) => document && (container === ownContainer ? { ...document, key: keys[index]! } : this.#withoutTenant(document))))
  }

  lookIn(container: string): Lookup | undefined {
    const look = container === ownContainer ? undefined : this.#store.lookIn(container)
    return look && ((key, together) => {
      const document = look(this.#key(container, key), together && (() => this.#keys(container, together())))
      return document && this.#withoutTenant(document)
    })
  }

  moment(): number | undefined {
    return this.#store.moment()
  }

  asOfMoment<Result>(work: () => Result): Result {
    return this.#store.asOfMoment ? this.#store.asOfMoment(work) : work()
  }

  query(query: Query, meter?: Meter): MaybePromise<StoredDocument[]> {
    return whenReady(this.#store.query(this.#confined(query), meter), (page) => page.map(this.#withoutTenant))
  }

  queryEach(query: Query, by: Path, values: readonly Scalar[], meter?: Meter): MaybePromise<StoredDocument[][]> {
    return whenReady(this.#store.queryEach(this.#confined(query), by, values, meter), (pages) => pages.map((page) => page.map(this.#withoutTenant)))
  }

  count(selection: Selection, meter?: Meter): MaybePromise<number> {
    return this.#store.count(this.#confined(selection), meter)
  }

  countEach(selection: Selection, by: Path, values: readonly Scalar[], meter?: Meter): MaybePromise<number[]> {
    return this.#store.countEach(this.#confined(selection), by, values, meter)
  }

  aggregate(selection: Selection, aggregation: Aggregation, each: EachValue | undefined, meter?: Meter): MaybePromise<Aggregated[]> {
    return this.#store.aggregate(this.#confined(selection), aggregation, each, meter)
  }

  async write(writes: readonly Write[], meter?: Meter): Promise<string[]> {
    const stored = this.stored(writes)
    return this.#store.write(stored, meter).catch((error: unknown) => this.#rethrow(error, writes, stored))
  }

  async atomically(plan: () => Promise<readonly Write[]>, meter?: Meter): Promise<string[]> {
    let writes: readonly Write[] = []
    let stored: readonly Write[] = []
    return this.#store.atomically(async () => {
      writes = await plan()
      stored = await this.#storedInSlices(writes)
      return stored
    }, meter).catch((error: unknown) => this.#rethrow(error, writes, stored))
  }

  /** The writes as the shared store gets them. */
  stored(writes: readonly Write[]): Write[] {
    return writes.map((write) => this.#storedWrite(write))
  }

  async #storedInSlices(writes: readonly Write[]): Promise<Write[]> {
    const slice = createWorkSlice()
    const stored: Write[] = []
    for (const write of writes) {
      stored.push(this.#storedWrite(write))
      const turn = slice.next()
      if (turn) await turn
    }
    return stored
  }

  #storedWrite(write: Write): Write {
    const key = this.#key(write.container, write.key)
    if (write.kind === 'put') return { ...write, key, body: this.#body(write.container, key, write.body) }
    return { ...write, key, ...(write.last ? { last: this.#body(write.container, key, write.last) } : {}) }
  }

  feedParts(): Promise<readonly string[]> {
    return this.#store.feedParts()
  }

  async changes(part: string, behind: string | undefined, limit: number, meter?: Meter): Promise<Changes> {
    for (let from = behind; ;) {
      const { changes, ...page } = await this.#store.changes(part, from, limit, meter)
      const own = changes.filter((change) => tenantOf(change) === this.tenant).map(changeForTenant)
      if (own.length > 0 || page.end) return { ...page, changes: own }
      from = page.point
    }
  }

  feedEnd(part: string): Promise<string | undefined> {
    return this.#store.feedEnd(part)
  }

  pointsWithin(points: FeedPoints, container: string): string {
    return this.#store.pointsWithin(points, container)
  }

  pointsOf(text: string): MaybePromise<FeedPoints> {
    return this.#store.pointsOf(text)
  }

  sweepFeed(part: string, upTo: string | undefined, limit: number): Promise<number> {
    return this.#store.sweepFeed(part, upTo, limit)
  }

  position(): Promise<FeedPosition> {
    return this.#store.position()
  }

  now(): Promise<Moment> {
    return this.#store.now()
  }

  sizes(container: string, keys: readonly Key[]): Promise<(number | undefined)[]> {
    return this.#store.sizes(container, this.#keys(container, keys))
  }

  reach(selection: Selection | Query): number {
    return this.#store.reach(this.#confined(selection))
  }

  cachedBytes(): number {
    return this.#store.cachedBytes()
  }

  ping(): Promise<void> {
    return this.#store.ping()
  }

  /** Does nothing: the shared store stays open for other tenants. */
  async close(): Promise<void> {}

  #keys(container: string, keys: readonly Key[]): readonly Key[] {
    return keys.map((key) => this.#key(container, key))
  }

  /** Quire's own container is not tenanted: the ids of its documents contain the tenant's name instead, hashed. */
  #key(container: string, { partition, id }: Key): Key {
    if (container !== ownContainer) return { partition: this.#partition(partition), id }
    const own = `${id}.${tenantMark(this.tenant)}`
    return { partition: [own], id: own }
  }

  #partition(partition: Partition): Partition {
    return [this.tenant, ...partition]
  }

  #body(container: string, { partition, id }: Key, body: Body): Body {
    return container === ownContainer ? { ...body, partition: partition[0]!, id } : { ...body, [property]: this.tenant }
  }

  #confined<S extends Selection>(selection: S): S {
    const { container, partition, among } = selection
    // It holds documents of all tenants, and no query of a tenant is meant for it.
    if (container === ownContainer) throw new Error(`A tenant cannot query the container ${ownContainer}.`)
    return {
      ...selection,
      tenant: this.tenant,
      ...(partition ? { partition: this.#partition(partition) } : {}),
      ...(among ? { among: among.map((each) => this.#partition(each)) } : {}),
    }
  }

  /** A conflict names the document by the tenant's key. */
  #rethrow(error: unknown, writes: readonly Write[], stored: readonly Write[]): never {
    if (!(error instanceof ConflictError)) throw error
    const at = stored.findIndex(({ container, key }) => container === error.container && key.id === error.key.id && samePartition(key.partition, error.key.partition))
    throw at < 0 ? error : new ConflictError(error.container, writes[at]!.key, error.found)
  }
}

/** What the ids of a tenant's documents in Quire's own container end with. */
export function tenantMark(tenant: string): string {
  return createHash('sha256').update(tenant).digest('base64url')
}

/** The tenant of a change; undefined for a document that another program has written without one. */
export function tenantOf({ key: { partition: [tenant] } }: Change): string | undefined {
  return typeof tenant === 'string' ? tenant : undefined
}

/** The change as its tenant sees it. */
export function changeForTenant(change: Change): Change {
  return { ...change, key: keyWithoutTenant(change.key), body: bodyWithoutTenant(change.body) }
}

/** A stored document as its tenant sees it. */
type ToTenant = (document: StoredDocument) => StoredDocument

interface SharedBetweenTenants {
  readonly supports: Supports
  readonly withoutTenant: ToTenant
}

const sharedByStore = new WeakMap<Store, SharedBetweenTenants>()

/** What is the same for all tenants of a store. */
function sharedBetweenTenants(store: Store): SharedBetweenTenants {
  const known = sharedByStore.get(store)
  if (known) return known
  const { supports } = store
  const shared: SharedBetweenTenants = {
    supports: { ...supports, documentBytes: supports.documentBytes - maxAddedBytes, batch: { ...supports.batch, bytes: supports.batch.bytes - maxAddedBytes * Math.min(supports.batch.writes, 1000) } },
    withoutTenant: supports.sameObjects ? memoized(withoutTenant) : withoutTenant,
  }
  sharedByStore.set(store, shared)
  return shared
}

/** The most bytes that a tenant adds to a document: every character of the name may have to be escaped. */
const maxAddedBytes = 2 * maxTenantBytes + Buffer.byteLength(`"${property}":"",`)

/** `bytes` stays the stored size, on which the cost of reading depends. */
function withoutTenant({ key, etag, body, bytes }: StoredDocument): StoredDocument {
  return { key: keyWithoutTenant(key), etag, body: bodyWithoutTenant(body), bytes }
}

/** Returns the same object for the same document, since caches above the store identify documents by object. */
function memoized(toTenant: ToTenant): ToTenant {
  const known = new WeakMap<StoredDocument, StoredDocument>()
  return (document) => {
    let result = known.get(document)
    if (!result) known.set(document, (result = toTenant(document)))
    return result
  }
}

function keyWithoutTenant({ partition, id }: Key): Key {
  return { partition: partition.slice(1), id }
}

function bodyWithoutTenant({ [property]: _, ...body }: Body): Body {
  return body
}
