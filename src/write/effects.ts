// What a change causes in other documents: snapshots, inverse lists and counts. Effects are added to the changeset that
// causes them, until nothing more follows. What each relation kind maintains is defined in relations/.

import type { Declaration } from '../relations/declaration.ts'
import { badInput } from '../graphql-errors.ts'
import { allFields, type DocumentType, type Field } from '../model/model.ts'
import { isPointer } from '../model/pointers.ts'
import { kindOf } from '../relations/kinds.ts'
import type { Maintenance, SourceChange, View } from '../relations/maintenance.ts'
import { sameJson } from '../model/json/same-json.ts'
import type { Body } from '../model/json/json.ts'
import type { Entry } from '../relations/maintenance.ts'
import { whenReady, type MaybePromise } from '../store/maybe-promise.ts'
import type { Changeset } from './changeset.ts'

/** A copied field can be copied again, one round per step. Only a circle needs more rounds than this. */
const maxRounds = 1000

export class Effects {
  readonly #declaration: Declaration
  readonly #bySource: ReadonlyMap<DocumentType, readonly Maintenance[]>

  constructor(declaration: Declaration) {
    this.#declaration = declaration
    const all = allFields(declaration.model).flatMap((field) => kindOf(field).maintain?.(field, declaration.kindContext) ?? [])
    this.#bySource = Map.groupBy(all, ({ source }) => source)
  }

  /** Adds all effects of the changeset to it. Once it is written, nothing is stale. */
  addAll(changes: Changeset): Promise<void> {
    return this.#add(changes, changes, true)
  }

  /** The same for documents that are changed or deleted: those that are new have no snapshots yet. Their references are not counted or listed. */
  addOfChanged(changes: Changeset): Promise<void> {
    return this.#add(changes, changes, true, ({ before }) => before !== undefined)
  }

  /**
   * Adds the effects in the partitions that the changeset writes anyway. Documents in other partitions keep stale
   * values until the propagator reads the change from the feed.
   */
  addWithinPartitions(changes: Changeset): Promise<void> {
    return this.#add(changes, changes.withinPartitions(), false)
  }

  /**
   * Looks for affected documents in `where`; computes their values from everything. `isAtomic` if the changeset is read and
   * written in one transaction.
   */
  async #add(changes: Changeset, where: View, isAtomic: boolean, hasEffects: (entry: Entry) => boolean = () => true): Promise<void> {
    const applied = new Map<Entry['key'], Body | undefined>()
    for (let round = 0; round < maxRounds; round++) {
      const pending = changes.entries.filter((entry) => entry.type && hasEffects(entry) && (!applied.has(entry.key) || applied.get(entry.key) !== entry.after))
      if (pending.length === 0) return
      for (const { key, type, before, after } of pending) {
        // An effect may change a document again whose effects have been added: its holders then show that version.
        const body = applied.has(key) ? applied.get(key) : before
        const past = body === before ? [before] : [before, body]
        applied.set(key, after)
        const turn = changes.slice.next()
        if (turn) await turn
        await this.apply(type!, { id: key.id, after, past: past.filter((each) => each !== undefined), complete: true, ...(isAtomic ? { shownVersion: { body } } : {}) }, changes, where)
      }
    }
    throw new Error(`Effects did not settle after ${maxRounds} rounds: the schema copies fields in a circle. Stop copying one of them.`)
  }

  /** Adds the direct effects of one changed document. */
  async apply(type: DocumentType, change: SourceChange, changes: Changeset, where: View = changes): Promise<void> {
    const { after, past, complete } = change
    const together = [change]
    for (const maintenance of this.maintenancesOf(type)) {
      if (complete && after && past.length > 0 && past.every((before) => maintenance.unchanged(before, after))) continue
      for (const found of (await maintenance.affected(change, where)) as readonly Entry[]) {
        const refreshing = this.refresh(maintenance, found, together, changes)
        if (refreshing) await refreshing
        const turn = changes.slice.next()
        if (turn) await turn
      }
    }
  }

  /** Puts the holder as it must be after these changes. */
  refresh({ holder, refresh }: Maintenance, found: Entry, by: readonly SourceChange[], changes: Changeset): MaybePromise<void> {
    // Another effect may have changed the same document since it was found.
    const current = changes.pending(found) ?? found
    if (!current.after) return undefined
    return whenReady(refresh(current.after, by, changes, current.before), (body) => {
      const refreshed = this.settle(holder, body)
      if (!sameJson(refreshed, current.after)) changes.put(holder, refreshed, current)
    })
  }

  /** The effects of changes of a type. */
  maintenancesOf(type: DocumentType): readonly Maintenance[] {
    return this.#bySource.get(type) ?? []
  }

  /** Whether nothing that other documents keep of this one changes. */
  isSettled({ type, before, after }: Entry): boolean {
    return type !== undefined && before !== undefined && after !== undefined && this.maintenancesOf(type).every(({ unchanged }) => unchanged(before, after))
  }

  /** The body with everything refreshed that it keeps of the source, unless it has seen a newer version of it. */
  async refreshFrom(source: Entry, type: DocumentType, body: Body, view: View): Promise<Body> {
    let refreshed = body
    for (const maintenance of this.maintenancesOf(source.type!)) {
      if (maintenance.holder === type) refreshed = await maintenance.refresh(refreshed, [{ id: source.key.id, after: source.after, past: [], complete: false }], view)
    }
    return refreshed
  }

  /** A new document with its inverse lists and counts. Its snapshots were filled from the input a moment ago. */
  async withListsAndCounts(type: DocumentType, body: Body, view: View): Promise<Body> {
    let filled = body
    for (const field of type.fields.values()) {
      if (!isPointer(field)) filled = (await kindOf(field).truth?.(field, filled, view, this.#declaration.kindContext)) ?? filled
    }
    return this.settle(type, filled)
  }

  /** The document with the fields recomputed that depend on nothing but the document, such as the count of its own list. */
  settle(type: DocumentType, body: Body): Body {
    const { bounded, settling } = settledFields(type)
    for (const field of bounded) checkMax(field, body)
    let settled = body
    for (const field of settling) settled = kindOf(field).settle!(field, settled, this.#declaration.model)
    return settled
  }

  /** All fields of a document that snapshots anywhere copy, as text; undefined where nothing copies its type. */
  copiedText(type: DocumentType, body: Body): string | undefined {
    let all: string | undefined
    for (const { shown } of this.maintenancesOf(type)) if (shown) all = all === undefined ? shown(body) : `${all}\n${shown(body)}`
    return all
  }
}

/** The fields of a type that have a max, and those that `settle` recomputes. Cached, because every write asks. */
function settledFields(type: DocumentType): { readonly bounded: readonly Field[]; readonly settling: readonly Field[] } {
  let known = settledFieldsOf.get(type)
  if (!known) {
    const fields = [...type.fields.values()]
    known = { bounded: fields.filter(({ shape, storage }) => shape === 'list' && 'max' in storage && storage.max !== undefined), settling: fields.filter((field) => kindOf(field).settle) }
    settledFieldsOf.set(type, known)
  }
  return known
}

const settledFieldsOf = new WeakMap<DocumentType, ReturnType<typeof settledFields>>()

/** Holds for lists that an effect extends, too. */
function checkMax({ coordinate, shape, storage }: Field, body: Body): void {
  if (shape !== 'list' || !('max' in storage) || storage.max === undefined) return
  const list = body[storage.at]
  if (Array.isArray(list) && list.length > storage.max) throw badInput(`${coordinate} would be too long: ${list.length} entries, max ${storage.max}. Remove entries first.`)
}
