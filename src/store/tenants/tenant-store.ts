// The store as one tenant sees it: his documents, and no trace of there being others. On the way in, keys get
// the tenant as their first part, bodies carry him and every question is confined to him; on the way out both
// lose him again. Whoever reads and writes through it need not know of tenants, and cannot leave his own.

import { createHash } from 'node:crypto'
import { maxTenantBytes } from './tenant-name.ts'
import { samePartition, type Key, type Partition } from '../../model/keys/key.ts'
import { ownContainer } from '../own-container.ts'
import type { Path, Query, Scalar, Selection } from '../query.ts'
import type { Body } from '../../model/json/json.ts'
import { ConflictError, type Change, type Changes, type Meter, type Moment, type Store, type StoredDocument, type Supports, type Write } from '../store.ts'
import { tenantPath } from './check-tenanted.ts'

const [property] = tenantPath as readonly [string]

export class TenantStore implements Store {
  readonly supports: Supports
  readonly #store: Store
  readonly #tenant: string
  readonly #shown: Shown

  constructor(store: Store, tenant: string) {
    this.#store = store
    this.#tenant = tenant
    const seen = seenThrough(store)
    this.supports = seen.supports
    this.#shown = seen.shown
  }

  async readMany(container: string, keys: readonly Key[], meter?: Meter): Promise<(StoredDocument | undefined)[]> {
    const documents = await this.#store.readMany(container, this.#keys(container, keys), meter)
    return documents.map((document, index) => document && (container === ownContainer ? { ...document, key: keys[index]! } : this.#shown(document)))
  }

  async query(query: Query, meter?: Meter): Promise<StoredDocument[]> {
    return (await this.#store.query(this.#confined(query), meter)).map(this.#shown)
  }

  async queryEach(query: Query, by: Path, values: readonly Scalar[], meter?: Meter): Promise<StoredDocument[][]> {
    return (await this.#store.queryEach(this.#confined(query), by, values, meter)).map((page) => page.map(this.#shown))
  }

  count(selection: Selection, meter?: Meter): Promise<number> {
    return this.#store.count(this.#confined(selection), meter)
  }

  countEach(selection: Selection, by: Path, values: readonly Scalar[], meter?: Meter): Promise<number[]> {
    return this.#store.countEach(this.#confined(selection), by, values, meter)
  }

  async write(writes: readonly Write[], meter?: Meter): Promise<string[]> {
    const stored = this.stored(writes)
    return this.#store.write(stored, meter).catch((error: unknown) => this.#refused(error, writes, stored))
  }

  async atomically(plan: () => Promise<readonly Write[]>, meter?: Meter): Promise<string[]> {
    let writes: readonly Write[] = []
    let stored: readonly Write[] = []
    return this.#store.atomically(async () => {
      writes = await plan()
      stored = this.stored(writes)
      return stored
    }, meter).catch((error: unknown) => this.#refused(error, writes, stored))
  }

  /** The writes as the store is asked for them that all tenants share. */
  stored(writes: readonly Write[]): Write[] {
    return writes.map((write): Write => {
      const key = this.#key(write.container, write.key)
      if (write.kind === 'put') return { ...write, key, body: this.#body(write.container, key, write.body) }
      return { ...write, key, ...(write.last ? { last: this.#body(write.container, key, write.last) } : {}) }
    })
  }

  feedParts(): Promise<readonly string[]> {
    return this.#store.feedParts()
  }

  async changes(part: string, behind: string | undefined, limit: number, meter?: Meter): Promise<Changes> {
    for (let from = behind; ;) {
      const { changes, ...page } = await this.#store.changes(part, from, limit, meter)
      const own = changes.filter((change) => tenantOf(change) === this.#tenant).map(shownChange)
      if (own.length > 0 || page.end) return { ...page, changes: own }
      from = page.point
    }
  }

  feedEnd(part: string): Promise<string | undefined> {
    return this.#store.feedEnd(part)
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

  /** Of everybody's documents: it grows with what others write, too, and then what is his is looked at again. */
  version(containers?: Iterable<string>): number | undefined {
    return this.#store.version(containers)
  }

  cachedBytes(): number {
    return this.#store.cachedBytes()
  }

  ping(): Promise<void> {
    return this.#store.ping()
  }

  /** The store is not his to close. */
  async close(): Promise<void> {}

  #keys(container: string, keys: readonly Key[]): readonly Key[] {
    return keys.map((key) => this.#key(container, key))
  }

  /** What Quire notes about documents of a tenant is in no tenant's container: there, his name is part of the id. */
  #key(container: string, { partition, id }: Key): Key {
    if (container !== ownContainer) return { partition: this.#partition(partition), id }
    const own = `${id}.${createHash('sha256').update(this.#tenant).digest('base64url')}`
    return { partition: [own], id: own }
  }

  #partition(partition: Partition): Partition {
    return [this.#tenant, ...partition]
  }

  #body(container: string, { partition, id }: Key, body: Body): Body {
    return container === ownContainer ? { ...body, partition: partition[0]!, id } : { ...body, [property]: this.#tenant }
  }

  #confined<S extends Selection>(selection: S): S {
    const { container, partition, among } = selection
    // Everybody's notes are there, and no question was meant for them.
    if (container === ownContainer) throw new Error(`The container ${ownContainer} is no tenant's to look through.`)
    return {
      ...selection,
      tenant: this.#tenant,
      ...(partition ? { partition: this.#partition(partition) } : {}),
      ...(among ? { among: among.map((each) => this.#partition(each)) } : {}),
    }
  }

  /** A conflict is about the document as whoever wrote it knows it. */
  #refused(error: unknown, writes: readonly Write[], stored: readonly Write[]): never {
    if (!(error instanceof ConflictError)) throw error
    const at = stored.findIndex(({ container, key }) => container === error.container && key.id === error.key.id && samePartition(key.partition, error.key.partition))
    throw at < 0 ? error : new ConflictError(error.container, writes[at]!.key, error.found)
  }
}

/** Whose a change is; undefined for what somebody else has put there, who knew of no tenants. */
export function tenantOf({ key: { partition: [tenant] } }: Change): string | undefined {
  return typeof tenant === 'string' ? tenant : undefined
}

/** The change as its tenant sees it. */
export function shownChange(change: Change): Change {
  return { ...change, key: shownKey(change.key), body: shownBody(change.body) }
}

type Shown = (document: StoredDocument) => StoredDocument

interface SeenThrough {
  readonly supports: Supports
  readonly shown: Shown
}

/** By the store that they share. */
const allSeen = new WeakMap<Store, SeenThrough>()

/** What is the same for all tenants of a store. */
function seenThrough(store: Store): SeenThrough {
  const known = allSeen.get(store)
  if (known) return known
  const { supports } = store
  const made: SeenThrough = {
    supports: { ...supports, documentBytes: supports.documentBytes - mostAdded, batch: { ...supports.batch, bytes: supports.batch.bytes - mostAdded * Math.min(supports.batch.writes, 1000) } },
    shown: supports.sameObjects ? onceEach(shown) : shown,
  }
  allSeen.set(store, made)
  return made
}

/** What a tenant adds to a document at most: every character of his name may have to be escaped. */
const mostAdded = 2 * maxTenantBytes + Buffer.byteLength(`"${property}":"",`)

/** Its size stays what is stored, which is what reading it costs. */
function shown({ key, etag, body, bytes }: StoredDocument): StoredDocument {
  return { key: shownKey(key), etag, body: shownBody(body), bytes }
}

/** The same object for the same object, as long as somebody has it: what is remembered of documents is remembered by that. */
function onceEach(show: Shown): Shown {
  const known = new WeakMap<StoredDocument, StoredDocument>()
  return (document) => {
    let seenAs = known.get(document)
    if (!seenAs) known.set(document, (seenAs = show(document)))
    return seenAs
  }
}

function shownKey({ partition, id }: Key): Key {
  return { partition: partition.slice(1), id }
}

function shownBody({ [property]: _, ...body }: Body): Body {
  return body
}
