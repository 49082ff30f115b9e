// What a change means for everyone who keeps something of it: copies, inverse lists, counts. Effects
// are worked out in the changeset that causes them, until nothing more follows.

import type { Declaration } from '../relations/declaration.ts'
import { badInput } from '../errors.ts'
import { allFields, type DocumentType, type Field } from '../model/model.ts'
import { isPointer } from '../model/pointers.ts'
import { kindOf } from '../relations/index.ts'
import type { Maintenance, SourceChange, View } from '../relations/maintenance.ts'
import { sameJson } from '../model/json/same-json.ts'
import type { Body } from '../model/json/json.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'

/** Effects of effects go as deep as copies are copied again; only a circle would go on for ever. */
const mostRounds = 1000

export class Effects {
  readonly #declaration: Declaration
  readonly #bySource: ReadonlyMap<DocumentType, readonly Maintenance[]>

  constructor(declaration: Declaration) {
    this.#declaration = declaration
    const all = allFields(declaration.model).flatMap((field) => kindOf(field).maintain?.(field, declaration.tools) ?? [])
    this.#bySource = Map.groupBy(all, ({ source }) => source)
  }

  /** The document with everything true that is about itself alone. */
  settle(type: DocumentType, body: Body): Body {
    const { bounded, settling } = settledIn(type)
    for (const field of bounded) checkBound(field, body)
    let settled = body
    for (const field of settling) settled = kindOf(field).settle!(field, settled, this.#declaration.model)
    return settled
  }

  /** All that copies anywhere show of a document; undefined where nothing of its type is copied. */
  shown(type: DocumentType, body: Body): string | undefined {
    let all: string | undefined
    for (const { shown } of this.#bySource.get(type) ?? []) if (shown) all = all === undefined ? shown(body) : `${all}\n${shown(body)}`
    return all
  }

  /** A new document with the lists and counts that are kept in it. What it points at was read a moment ago. */
  async keepIn(type: DocumentType, body: Body, view: View): Promise<Body> {
    let kept = body
    for (const field of type.fields.values()) {
      if (!isPointer(field)) kept = (await kindOf(field).truth?.(field, kept, view, this.#declaration.tools)) ?? kept
    }
    return this.settle(type, kept)
  }

  /** Adds to a changeset all that follows from what is in it. */
  follow(changes: Changeset): Promise<void> {
    return this.#follow(changes, changes)
  }

  /** The same, of what is in the partitions that the changeset changes anyway. */
  followNearby(changes: Changeset): Promise<void> {
    return this.#follow(changes, changes.nearby())
  }

  /** Holders are looked for in `where`, and made true by all that there is. */
  async #follow(changes: Changeset, where: View): Promise<void> {
    const followed = new Map<Entry['key'], Body | undefined>()
    for (let round = 0; round < mostRounds; round++) {
      const pending = changes.entries.filter((entry) => entry.type && (!followed.has(entry.key) || followed.get(entry.key) !== entry.after))
      if (pending.length === 0) return
      for (const { key, type, before, after } of pending) {
        followed.set(key, after)
        await this.apply(type!, { id: key.id, after, past: before ? [before] : [], complete: true }, changes, where)
      }
    }
    throw new Error(`Effects did not come to rest after ${mostRounds} rounds: the schema's copies go round in a circle.`)
  }

  /** A holder with what it keeps of one document as that is now, unless it has seen a later one. */
  async renew(holder: DocumentType, body: Body, { type, key, after }: Entry, view: View): Promise<Body> {
    let renewed = body
    for (const maintenance of this.#bySource.get(type!) ?? []) {
      if (maintenance.holder === holder) renewed = await maintenance.refresh(renewed, { id: key.id, after, past: [], complete: false }, view)
    }
    return renewed
  }

  /** Makes true what others keep of one document. */
  async apply(type: DocumentType, change: SourceChange, changes: Changeset, where: View = changes): Promise<void> {
    for (const { holder, concerned, refresh } of this.#bySource.get(type) ?? []) {
      for (const held of (await concerned(change, where)) as readonly Entry[]) {
        // Another effect may have changed the same holder since it was found.
        const current = changes.pending(held) ?? held
        if (!current.after) continue
        const refreshed = this.settle(holder, await refresh(current.after, change, changes))
        if (!sameJson(refreshed, current.after)) changes.put(holder, refreshed, current)
      }
    }
  }
}

/** The fields of a type that have a bound, and those that are made true by the document itself; worked out once. */
function settledIn(type: DocumentType): { readonly bounded: readonly Field[]; readonly settling: readonly Field[] } {
  let known = settledInTypes.get(type)
  if (!known) {
    const fields = [...type.fields.values()]
    known = { bounded: fields.filter(({ shape, storage }) => shape === 'list' && 'max' in storage && storage.max !== undefined), settling: fields.filter((field) => kindOf(field).settle) }
    settledInTypes.set(type, known)
  }
  return known
}

const settledInTypes = new WeakMap<DocumentType, ReturnType<typeof settledIn>>()

/** However it came about, no list outgrows what it was declared to hold. */
function checkBound({ coordinate, shape, storage }: Field, body: Body): void {
  if (shape !== 'list' || !('max' in storage) || storage.max === undefined) return
  const list = body[storage.at]
  if (Array.isArray(list) && list.length > storage.max) throw badInput(`${coordinate} holds at most ${storage.max} and would hold ${list.length}.`)
}
