// Fills bucketed lists with imported entries: reads the owners and all their buckets, adds the entries, and writes what
// has changed.

import { GraphQLError } from 'graphql'
import { keyText, type Key } from '../../model/keys/key.ts'
import { kindOf } from '../../relations/kinds.ts'
import type { Part } from '../../relations/kind.ts'
import type { Body } from '../../model/json/json.ts'
import type { Entry } from '../../relations/maintenance.ts'
import { readAll } from '../../store/read-all.ts'
import type { Changeset } from '../../write/changeset.ts'
import { propertiesOfEach, type Input } from '../../write/input/input.ts'
import { writeBatch } from './import-batch.ts'
import { checkSize, reasonOf, withoutNulls, type Importing } from './import-run.ts'
import type { EntryRows } from './mapping/mapping.ts'

export interface EntryRow {
  readonly row: number
  readonly input: Input & { readonly id: string }
}

export type ListRows = readonly [ownerId: string, entries: readonly EntryRow[]]

export async function fillLists(importing: Importing, from: EntryRows, batch: readonly ListRows[]): Promise<void> {
  const { declaration, totals } = importing
  const { owner: type, entry: entryType, file } = from
  const reject = ([, entries]: ListRows, reason: string): void => {
    for (const { row } of entries) importing.reject(file, row, reason)
  }
  await writeBatch(importing, batch, reject, async (some, changes) => {
    const owners = await changes.read(some.map(([id]) => ({ type, id })))
    const entryRows = some.flatMap(([, entries]) => entries)
    const properties = await propertiesOfEach(declaration, entryType, entryRows.map(({ input }) => input), changes)
    const bodyOf = new Map(entryRows.map((entry, index) => [entry, properties[index]!]))
    const rejected: { row: number; reason: string }[] = []
    const fillings = some.flatMap(([ownerId, entries], index): Filling[] => {
      const owner = owners[index]
      if (!owner?.after) {
        rejected.push(...entries.map(({ row }) => ({ row, reason: `there is no ${type.name} ${ownerId}` })))
        return []
      }
      const valid = entries.flatMap((entry) => {
        const body = bodyOf.get(entry)!
        if (!(body instanceof GraphQLError)) return [body]
        rejected.push({ row: entry.row, reason: reasonOf(body) })
        return []
      })
      return [{ owner, body: owner.after, rows: entries.map(({ row }) => row), entries: valid.map(withoutNulls), parts: new Map() }]
    })
    await readParts(importing, from, changes, fillings)
    const seen = { lists: 0, changed: 0, entries: 0 }
    for (const filling of fillings) {
      try {
        if (putFilled(importing, from, changes, filling)) seen.changed++
        seen.lists++
        seen.entries += filling.entries.length
      } catch (error) {
        const reason = reasonOf(error)
        rejected.push(...filling.rows.map((row) => ({ row, reason })))
      }
    }
    return () => {
      totals.lists += seen.lists
      totals.listsChanged += seen.changed
      totals.entries += seen.entries
      for (const { row, reason } of rejected) importing.reject(file, row, reason)
    }
  })
}

interface Filling {
  readonly owner: Entry
  readonly body: Body
  readonly rows: readonly number[]
  readonly entries: readonly Body[]
  /** All buckets that were read, by key; `after` is undefined where there is none. */
  readonly parts: Map<string, Entry>
}

/** Reads the buckets that a list has, then those that it will have: an earlier run may have been stopped between writing a bucket and its owner. */
async function readParts(importing: Importing, from: EntryRows, changes: Changeset, fillings: readonly Filling[]): Promise<void> {
  const { model } = importing.declaration
  const kind = kindOf(from.list)
  await readMissing(importing, from, changes, fillings, ({ body }) => kind.parts!(from.list, body, model))
  for (let open = fillings; open.length > 0;) {
    const found = await readMissing(importing, from, changes, open, (filling) => filled(importing, from, filling).parts.map(({ key }) => key))
    open = open.filter((filling) => found.has(filling))
  }
}

/** Reads the buckets that were not read yet. Returns the lists for which one was found. */
async function readMissing({ store, dryRun }: Importing, { owner: { container } }: EntryRows, changes: Changeset, fillings: readonly Filling[], keysOf: (filling: Filling) => readonly Key[]): Promise<Set<Filling>> {
  const wanted = fillings.flatMap((filling) => keysOf(filling).filter((key) => !filling.parts.has(keyText(key))).map((key) => ({ filling, key })))
  const documents = await readAll(store, container, wanted.map(({ key }) => key))
  const found = new Set<Filling>()
  for (const [index, { filling, key }] of wanted.entries()) {
    const document = documents[index]
    const pending = dryRun ? changes.pending({ container, key }) : undefined
    filling.parts.set(keyText(key), pending ?? { container, key, type: undefined, etag: document?.etag, before: document?.body, after: document?.body })
    if (pending?.after ?? document) found.add(filling)
  }
  return found
}

function filled({ declaration: { model } }: Importing, { list }: EntryRows, { body, entries, parts }: Filling): { owner: Body; parts: readonly Part[] } {
  const existing = [...parts.values()].flatMap(({ key, after }) => (after ? [{ key, body: after }] : []))
  return kindOf(list).fill!(list, body, existing, entries, model)
}

/** Returns whether anything has to be written. */
function putFilled(importing: Importing, from: EntryRows, changes: Changeset, filling: Filling): boolean {
  const { owner, parts } = filled(importing, from, filling)
  const body = importing.effects.settle(from.owner, owner)
  for (const each of [body, ...parts.map((part) => part.body)]) checkSize(importing.store, each)
  const changed = parts.filter((part) => !isSame(part.body, filling.parts.get(keyText(part.key))!.after))
  for (const part of changed) changes.set({ ...filling.parts.get(keyText(part.key))!, after: part.body })
  // A changed bucket always changes its owner's etag: that is how readers of both know that they belong together.
  if (changed.length === 0 && isSame(body, filling.body)) return false
  changes.put(from.owner, body, filling.owner)
  return true
}

function isSame(one: Body, other: Body | undefined): boolean {
  return other !== undefined && JSON.stringify(one) === JSON.stringify(other)
}
