// The pending changes of one write, and the store as it will be after them: reads through a changeset see pending puts
// and deletions over the stored documents. A changeset never writes; `writes()` is what the writer asks of the store.

import { AddressMap, type Key, type Partition } from '../model/keys/key.ts'
import { isFoundById, keyById, placed } from '../model/keys/partition.ts'
import { isOfType, selectionOf } from '../read/selection.ts'
import type { DocumentType } from '../model/model.ts'
import type { Entry, View } from '../relations/maintenance.ts'
import { Grouping, type Aggregation, type Group, type Measure, type Measured } from '../store/aggregate/aggregation.ts'
import { matches } from '../store/conditions.ts'
import type { Condition } from '../store/query.ts'
import { currentOperation } from '../store/operation-context.ts'
import { readAll } from '../store/read-all.ts'
import { createWorkSlice } from '../store/work-slice.ts'
import type { Body } from '../model/json/json.ts'
import type { Meter, Store, StoredDocument, Write } from '../store/store.ts'
import { KnownDocuments, type KnownDocument } from './units/known-documents.ts'
import { viewWithinPartitions } from './partition-view.ts'
import { slicedPage } from './sliced-page.ts'
import { nextVersions } from './snapshot-versions.ts'
import type { WriteTurn } from './units/write-turns.ts'

/** The fields of a document that snapshots copy, as text. */
type CopiedText = (type: DocumentType, body: Body) => string | undefined

const pageSize = 1000

/** Comparing a pending document with a condition takes a small part of reading a document. */
const pendingPerUnit = 100

export class Changeset {
  readonly #store: Store
  readonly #meter: Meter | undefined
  readonly #copiedText: CopiedText
  /** In the order of their first change. */
  readonly #changed: { entry: Entry }[] = []
  readonly #changedAt = new AddressMap<{ entry: Entry }>()
  readonly #changedOf = new Map<DocumentType, { entry: Entry }[]>()
  /** Planning yields to the event loop after each slice of documents, and ends when its operation has been stopped. */
  readonly slice = createWorkSlice(() => currentOperation()?.check())
  /** In a transaction all are as of one moment; elsewhere the writes' etags check it. */
  #known: KnownDocuments
  readonly #turn: WriteTurn | undefined
  /** Keys with an id that Quire has made: nothing was ever stored there. */
  readonly #made = new AddressMap<Key>()
  /** New documents of which only their write finds out whether their ids are free. */
  readonly #unread: { readonly container: string; readonly key: Key }[] = []
  /** Documents by type and id, where several partitions have one. */
  readonly #sameIds = new Map<DocumentType, Map<string, Entry[]>>()
  readonly #isFirstTry: boolean

  /** `copiedText` decides when `_c` grows; a changeset that only reads needs none. */
  constructor(store: Store, meter?: Meter, copiedText: CopiedText = () => undefined, nowMs = 0, turn?: WriteTurn, isFirstTry = true) {
    this.#store = store
    this.#turn = turn
    this.#isFirstTry = isFirstTry
    this.#meter = meter
    this.#copiedText = copiedText
    this.#known = new KnownDocuments(nowMs)
  }

  get known(): KnownDocuments {
    return this.#known
  }

  /** Goes on from what another changeset has read. */
  startFrom(known: KnownDocuments): void {
    this.#known = known
  }

  /** Whether documents of the type are among the pending changes. */
  changesAny(type: DocumentType): boolean {
    return this.#pendingOf(type).length > 0
  }

  /** A document that was read at its key, under its id from now on. */
  found(type: DocumentType, entry: Entry): Entry {
    this.#known.addKey(type, entry.key.id, entry.key)
    return { ...entry, type }
  }

  /** Waits until no other writer in this process adds to this document, where that matters. */
  async takeTurn({ container }: DocumentType, id: string): Promise<void> {
    await this.#turn?.take(`${container} ${id}`)
  }

  /** The documents of these types and ids as they will be, in one wave; undefined where there is none. */
  async read(wanted: readonly { type: DocumentType; id: string }[]): Promise<(Entry | undefined)[]> {
    // Effects mostly need documents that the mutation has read already.
    const known = wanted.map(({ type, id }) => this.#knownEntry(type, id))
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
      for (const entry of await (isFoundById(type) ? this.#readByKey(type, ids) : this.#findByIds(type, ids))) byId.set(entry.key.id, entry)
    }
    await Promise.all([...byType].map(([type, byId]) => fill(type, byId)))
    return wanted.map(({ type, id }, at) => {
      const found = known[at]
      return found === 'unknown' ? byType.get(type)!.get(id) : found
    })
  }

  /** The document at a key, also one without a type, such as a bucket. */
  async readAt(container: string, key: Key): Promise<Entry> {
    return (await this.readAllAt(container, [key]))[0]!
  }

  /** Whether the store writes each partition on its own: an id is then free if the guarded write of its partition says so. */
  get guardsIds(): boolean {
    return this.#store.supports.atomic === 'partition'
  }

  /** What is known of a key where a new document is to be. The guarded write tells the rest; after it has been refused, a read does. */
  async readUnlessGuarded(type: DocumentType, key: Key): Promise<Entry | undefined> {
    const { container } = type
    if (!this.#isFirstTry || this.pending({ container, key }) || this.#known.at(container, key) || this.#known.isAbsentAt(container, key)) return this.readAt(container, key)
    this.#unread.push({ container, key })
    return undefined
  }

  /** Reads what `readUnlessGuarded` has not. Returns whether all of those ids are free. */
  async areIdsFree(): Promise<boolean> {
    const byContainer = Map.groupBy(this.#unread, ({ container }) => container)
    const found = await Promise.all([...byContainer].map(([container, all]) => this.#readKeys(container, all.map(({ key }) => key))))
    return found.flat().every((document) => document === undefined)
  }

  /** The documents of a type that have been read with the same id, if there are several. */
  sameId(type: DocumentType, id: string): readonly Entry[] {
    return this.#sameIds.get(type)?.get(id) ?? []
  }

  /** Whether anything may have been stored at the key before. */
  mayHaveBeen({ container, key }: Pick<Entry, 'container' | 'key'>): boolean {
    return this.#made.get(container, key) === undefined
  }

  /** The documents at these keys, in one wave. */
  async readAllAt(container: string, keys: readonly Key[]): Promise<Entry[]> {
    await this.#readKeys(container, keys.filter((key) => !this.pending({ container, key }) && !this.#known.at(container, key) && !this.#known.isAbsentAt(container, key)))
    return keys.map((key) => {
      const document = this.#known.at(container, key)
      return this.pending({ container, key }) ?? { container, key, type: undefined, etag: document?.etag, before: document?.body, after: document?.body }
    })
  }

  /** The documents of a type that will satisfy the condition. */
  async find(type: DocumentType, where: Condition, max = Infinity, partition?: Partition): Promise<Entry[]> {
    const pending = this.#pendingOf(type)
    const found = pending.filter(({ after }) => after && matches(where, after))
    const turn = this.slice.next(pending.length / pendingPerUnit)
    if (turn) await turn
    // The store may return the stored version of a pending document, which is dropped below.
    const limit = Math.min(pageSize, max + pending.length)
    let after: { value: string; id: string } | undefined
    while (found.length < max) {
      const query = { ...selectionOf(type), ...(partition ? { partition } : {}), where, orderBy: { path: ['id'], descending: false }, limit, ...(after ? { after } : {}) }
      const page = await slicedPage(this.#store, query, this.slice, this.#meter)
      for (const document of page) {
        const entry = entryOf(type, document)
        if (!this.pending(entry)) found.push(entry)
      }
      const last = page.at(-1)
      if (!last || page.length < limit) break
      after = { value: last.key.id, id: last.key.id }
    }
    return found.slice(0, max)
  }

  /** How many documents of a type will satisfy the condition. */
  async count(type: DocumentType, where: Condition): Promise<number> {
    const stored = await this.#store.count({ ...selectionOf(type), where }, this.#meter)
    // A pending document is still stored as it was read; if not, the etag check rejects the write.
    return this.#pendingOf(type).reduce((count, { before, after }) => count - Number(before !== undefined && matches(where, before)) + Number(after !== undefined && matches(where, after)), stored)
  }

  /** The values of the documents of a type that will satisfy the condition. */
  async measure(type: DocumentType, where: Condition, measure: Measure): Promise<Measured> {
    const pending = this.#pendingOf(type)
    const stored = pending.flatMap(({ key, before }) => (before && matches(where, before) ? [key.id] : []))
    const others: Condition = stored.length === 0 ? where : { op: 'and', conditions: [where, { op: 'not', condition: { op: 'in', path: ['id'], values: stored } }] }
    const aggregation: Aggregation = { groupBy: [], measures: [measure], maxGroups: 1 }
    const grouping = new Grouping(aggregation)
    const [found] = await this.#store.aggregate({ ...selectionOf(type), where: others }, aggregation, undefined, this.#meter)
    for (const group of found as readonly Group[]) grouping.addGroup(group)
    for (const { after } of pending) if (after && matches(where, after)) grouping.addDocument(after)
    return (grouping.all() as readonly Group[])[0]!.measured[0]!
  }

  /** The same view, limited to the partitions that the changeset writes. */
  withinPartitions(): View {
    return viewWithinPartitions(this)
  }

  /** Puts a new document, or the new body of one that was read. A document's partition cannot change. */
  put(type: DocumentType, body: Body, found?: Entry): Entry {
    if (found) return this.set({ ...found, after: { ...body, ...nextVersions(found.before, body, (each) => this.#copiedText(type, each)) } })
    const { partition, body: filled } = placed(type, body)
    const key = { partition, id: filled['id'] as string }
    const earlier = this.pending({ container: type.container, key })
    // One that the same work has deleted is still stored, and the new document replaces it.
    return this.put(type, filled, earlier?.type === type ? earlier : { container: type.container, key, type, etag: undefined, before: undefined, after: undefined })
  }

  /** Puts a new document under an id that Quire has made. */
  putNew(type: DocumentType, body: Body): Entry {
    const entry = this.put(type, body)
    this.#made.set(entry.container, entry.key, entry.key)
    return entry
  }

  delete(found: Entry): void {
    this.set({ ...found, after: undefined })
  }

  set(entry: Entry): Entry {
    const changed = this.#changedAt.get(entry.container, entry.key)
    if (changed) {
      if (changed.entry.type !== entry.type) this.#addToType(entry.type, changed)
      changed.entry = entry
      return entry
    }
    const added = { entry }
    this.#changed.push(added)
    this.#changedAt.set(entry.container, entry.key, added)
    this.#addToType(entry.type, added)
    return entry
  }

  #addToType(type: DocumentType | undefined, changed: { entry: Entry }): void {
    if (!type) return
    const same = this.#changedOf.get(type)
    if (same) same.push(changed)
    else this.#changedOf.set(type, [changed])
  }

  /** The pending change of a document, if there is one. */
  pending({ container, key }: Pick<Entry, 'container' | 'key'>): Entry | undefined {
    return this.#changedAt.get(container, key)?.entry
  }

  /** The pending changes, in the order of each document's first change. */
  get entries(): readonly Entry[] {
    return this.#changed.map(({ entry }) => entry)
  }

  /** Every write is conditional on what was read, so it never overwrites another writer's change. */
  writes(settled?: (entry: Entry) => number | undefined): Write[] {
    return this.entries.flatMap((entry): Write[] => {
      const { container, key, etag, before, after } = entry
      if (after) {
        const upTo = settled?.(entry)
        return [{ kind: 'put', container, key, body: after, only: etag === undefined ? 'if-absent' : { ifMatch: etag }, ...(upTo === undefined ? {} : { settled: upTo }) }]
      }
      return etag === undefined ? [] : [{ kind: 'delete', container, key, only: { ifMatch: etag }, ...(before ? { last: before } : {}) }]
    })
  }

  /** A document that is pending or was read; undefined where there is none, 'unknown' where it was not read yet. */
  #knownEntry(type: DocumentType, id: string): Entry | undefined | 'unknown' {
    const key = this.#known.keyOf(type, id)
    if (key === null) return this.#pendingOf(type).find((entry) => entry.after && entry.key.id === id)
    if (key === undefined) return 'unknown'
    const pending = this.pending({ container: type.container, key })
    if (pending) return pending.after ? pending : undefined
    const found = this.#known.at(type.container, key)
    if (!found) return this.#known.isAbsentAt(type.container, key) ? undefined : 'unknown'
    return isOfType(type, found.body) ? entryOf(type, found) : undefined
  }

  async #readByKey(type: DocumentType, ids: readonly string[]): Promise<Entry[]> {
    const found = await this.#readKeys(type.container, ids.map(keyById(type)!))
    return found.flatMap((document) => (document && isOfType(type, document.body) ? [entryOf(type, document)] : []))
  }

  async #readKeys(container: string, keys: readonly Key[]): Promise<readonly (StoredDocument | undefined)[]> {
    const found = keys.length > 0 ? await readAll(this.#store, container, keys, this.#meter) : []
    for (const [at, document] of found.entries()) {
      if (document) this.#known.add(container, document)
      else this.#known.addAbsent(container, keys[at]!)
    }
    return found
  }

  /** Where the id does not tell the partition: by query. */
  async #findByIds(type: DocumentType, ids: readonly string[]): Promise<Entry[]> {
    const found = await this.find(type, { op: 'in', path: ['id'], values: ids })
    for (const id of ids) this.#known.addKey(type, id, null)
    for (const entry of found) {
      const { key, etag, before } = entry
      // Of several with the same id the first one counts, as it does for queries.
      const first = this.#known.keyOf(type, key.id)
      if (first) this.#addSameId(type, entry, found.find((other) => other.key === first))
      else this.#known.addKey(type, key.id, key)
      if (before && etag !== undefined) this.#known.add(type.container, { key, etag, body: before })
    }
    return found.filter(({ key }) => this.#known.keyOf(type, key.id) === key)
  }

  #addSameId(type: DocumentType, entry: Entry, first: Entry | undefined): void {
    const ofType = this.#sameIds.get(type) ?? new Map<string, Entry[]>()
    this.#sameIds.set(type, ofType)
    const same = ofType.get(entry.key.id)
    if (same) same.push(entry)
    else ofType.set(entry.key.id, [...(first ? [first] : []), entry])
  }

  #pendingOf(type: DocumentType): Entry[] {
    const pending: Entry[] = []
    for (const { entry } of this.#changedOf.get(type) ?? []) if (entry.type === type) pending.push(entry)
    return pending
  }
}

function entryOf(type: DocumentType, { key, etag, body }: KnownDocument): Entry {
  return { container: type.container, key, type, etag, before: body, after: body }
}
