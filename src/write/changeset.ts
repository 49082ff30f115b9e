// What a write is about to change, and the store as it will be once it has: reads through a
// changeset see its pending puts and deletions over the stored documents. Nothing is written here;
// `writes` is what a store is then asked to do, all of it or nothing.

import { partitionText, type Key, type Partition } from '../model/keys/key.ts'
import { isFoundById, keyById, placed } from '../model/keys/partition.ts'
import { AddressMap } from '../model/keys/address-map.ts'
import { isOfType, selectionOf } from '../read/selection.ts'
import type { DocumentType } from '../model/model.ts'
import type { Entry, View } from '../relations/maintenance.ts'
import { matches } from '../store/conditions.ts'
import type { Condition } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'
import type { Meter, Store, StoredDocument, Write } from '../store/store.ts'

/** What copies anywhere show of a document, as text. */
type Shown = (type: DocumentType, body: Body) => string | undefined

const pageSize = 1000

export class Changeset {
  readonly #store: Store
  readonly #meter: Meter | undefined
  readonly #shown: Shown
  /** In the order in which they were changed first. */
  readonly #changed: { entry: Entry }[] = []
  readonly #changedAt = new AddressMap<{ entry: Entry }>()
  /** What has been read, and need not be read again: all of it is as of one moment, or what is written asks for it. */
  readonly #found = new AddressMap<StoredDocument>()

  /** `shown` is what copies show of a document; whoever only reads need not know it. */
  constructor(store: Store, meter?: Meter, shown: Shown = () => undefined) {
    this.#store = store
    this.#meter = meter
    this.#shown = shown
  }

  /** The documents of these types and ids as they will be, in one wave; undefined where there is none. */
  async read(wanted: readonly { type: DocumentType; id: string }[]): Promise<(Entry | undefined)[]> {
    // Effects ask for what the work has read already.
    const known = wanted.map(({ type, id }) => this.#known(type, id))
    if (!known.includes('unknown')) return known as (Entry | undefined)[]
    const byType = new Map<DocumentType, Map<string, Entry | undefined>>()
    for (const [at, { type, id }] of wanted.entries()) {
      if (known[at] !== 'unknown') continue
      const ids = byType.get(type)
      if (ids) ids.set(id, undefined)
      else byType.set(type, new Map([[id, undefined]]))
    }
    const fill = async (type: DocumentType, byId: Map<string, Entry | undefined>): Promise<void> => {
      const ids = [...byId.keys()]
      for (const entry of await (isFoundById(type) ? this.#at(type, ids) : this.find(type, { op: 'in', path: ['id'], values: ids }))) byId.set(entry.key.id, entry)
    }
    await Promise.all([...byType].map(([type, byId]) => fill(type, byId)))
    return wanted.map(({ type, id }, at) => {
      const found = known[at]
      return found === 'unknown' ? byType.get(type)!.get(id) : found
    })
  }

  /** A document that is not of any type, such as a bucket. */
  async readAt(container: string, key: Key): Promise<Entry> {
    const known = this.pending({ container, key })
    if (known) return known
    const document = this.#found.get(container, key) ?? (await this.#store.readMany(container, [key], this.#meter))[0]
    if (document) this.#found.set(container, key, document)
    return { container, key, type: undefined, etag: document?.etag, before: document?.body, after: document?.body }
  }

  /** Every document of a type that will satisfy the condition. */
  async find(type: DocumentType, where: Condition, most = Infinity, partition?: Partition): Promise<Entry[]> {
    const pending = this.#pending(type)
    const found = pending.filter(({ after }) => after && matches(where, after))
    // What is pending may be among what is stored, and is then passed over.
    const limit = Math.min(pageSize, most + pending.length)
    let after: { value: string; id: string } | undefined
    while (found.length < most) {
      const page = await this.#store.query({
        ...selectionOf(type), ...(partition ? { partition } : {}), where, orderBy: { path: ['id'], descending: false }, limit, ...(after ? { after } : {}),
      }, this.#meter)
      found.push(...page.map((document) => entryOf(type, document)).filter((entry) => !this.pending(entry)))
      const last = page.at(-1)
      if (!last || page.length < limit) break
      after = { value: last.key.id, id: last.key.id }
    }
    return found.slice(0, most)
  }

  /** How many documents of a type will satisfy the condition. */
  async count(type: DocumentType, where: Condition): Promise<number> {
    const stored = await this.#store.count({ ...selectionOf(type), where }, this.#meter)
    // What is pending is stored as it was found, or the write that follows is refused.
    return this.#pending(type).reduce((count, { before, after }) => count - Number(before !== undefined && matches(where, before)) + Number(after !== undefined && matches(where, after)), stored)
  }

  /** What there is in the partitions that are changed anyway: all that one atomic write of theirs could reach. */
  nearby(): View {
    const places = new Map(this.entries.map(({ container, key }) => [`${container} ${partitionText(key.partition)}`, { container, partition: key.partition }]))
    const within = (type: DocumentType) => [...places.values()].filter(({ container }) => container === type.container).map(({ partition }) => partition)
    const findNear = async (type: DocumentType, where: Condition): Promise<Entry[]> =>
      (await Promise.all(within(type).map((partition) => this.find(type, where, Infinity, partition)))).flat()
    return {
      find: findNear,
      read: async (wanted) => {
        const near = wanted.filter(({ type }) => within(type).length > 0)
        const found = await Promise.all([...Map.groupBy(near, ({ type }) => type)].map(([type, all]) =>
          findNear(type, { op: 'in', path: ['id'], values: [...new Set(all.map(({ id }) => id))] })))
        const byName = new Map(found.flat().map((entry) => [`${entry.type!.name} ${entry.key.id}`, entry]))
        return wanted.map(({ type, id }) => byName.get(`${type.name} ${id}`))
      },
      count: (type, where) => this.count(type, where),
    }
  }

  /** A new document, or one that was read, as it is to be. Its partition cannot change. */
  put(type: DocumentType, body: Body, found?: Entry): Entry {
    const versioned = { ...body, ...this.#versions(type, body, found?.before) }
    if (found) return this.set({ ...found, after: versioned })
    const { partition, body: filled } = placed(type, versioned)
    return this.set({ container: type.container, key: { partition, id: filled['id'] as string }, type, etag: undefined, before: undefined, after: filled })
  }

  /** What the changeset has made of a document, if it has touched it. */
  pending({ container, key }: Pick<Entry, 'container' | 'key'>): Entry | undefined {
    return this.#changedAt.get(container, key)?.entry
  }

  delete(found: Entry): void {
    this.set({ ...found, after: undefined })
  }

  set(entry: Entry): Entry {
    const changed = this.#changedAt.get(entry.container, entry.key)
    if (changed) {
      changed.entry = entry
      return entry
    }
    const added = { entry }
    this.#changed.push(added)
    this.#changedAt.set(entry.container, entry.key, added)
    return entry
  }

  /** What will have changed, in the order in which it was changed first. */
  get entries(): readonly Entry[] {
    return this.#changed.map(({ entry }) => entry)
  }

  /** Every write asks for what was found: nothing that someone else changed meanwhile is overwritten. */
  writes(): Write[] {
    return this.entries.flatMap(({ container, key, etag, before, after }): Write[] => {
      if (after) return [{ kind: 'put', container, key, body: after, only: etag === undefined ? 'if-absent' : { ifMatch: etag } }]
      return etag === undefined ? [] : [{ kind: 'delete', container, key, only: { ifMatch: etag }, ...(before ? { last: before } : {}) }]
    })
  }

  /** A document that is pending or has been read; undefined where there is none, and 'unknown' where nobody has looked. */
  #known(type: DocumentType, id: string): Entry | undefined | 'unknown' {
    const keyOf = keyById(type)
    if (!keyOf) return 'unknown'
    const key = keyOf(id)
    const pending = this.pending({ container: type.container, key })
    if (pending) return pending.after ? pending : undefined
    const found = this.#found.get(type.container, key)
    if (!found) return 'unknown'
    return isOfType(type, found.body) ? entryOf(type, found) : undefined
  }

  async #at(type: DocumentType, ids: readonly string[]): Promise<Entry[]> {
    const keys = ids.map(keyById(type)!)
    const { keysPerRequest } = this.#store.supports
    const chunks = Array.from({ length: Math.ceil(keys.length / keysPerRequest) }, (_, chunk) => keys.slice(chunk * keysPerRequest, (chunk + 1) * keysPerRequest))
    const entries: Entry[] = []
    for (const read of await Promise.all(chunks.map((some) => this.#store.readMany(type.container, some, this.#meter)))) {
      for (const document of read) {
        if (!document) continue
        this.#found.set(type.container, document.key, document)
        if (isOfType(type, document.body)) entries.push(entryOf(type, document))
      }
    }
    return entries
  }

  /** `_v` grows with every write, and `_c` with every write of what is copied: of two copies the newer one can be told. */
  #versions(type: DocumentType, body: Body, before: Body | undefined): Body {
    const last = (before?.['_v'] as number | undefined) ?? 0
    const shown = this.#shown(type, body)
    if (shown === undefined) return { _v: last + 1 }
    const same = before && this.#shown(type, before) === shown
    return { _v: last + 1, _c: same ? (before['_c'] ?? last) : last + 1 }
  }

  #pending(type: DocumentType): Entry[] {
    const pending: Entry[] = []
    for (const { entry } of this.#changed) if (entry.type === type) pending.push(entry)
    return pending
  }
}

function entryOf(type: DocumentType, { key, etag, body }: StoredDocument): Entry {
  return { container: type.container, key, type, etag, before: body, after: body }
}
