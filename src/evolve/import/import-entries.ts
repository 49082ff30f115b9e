// Rows that become entries of a list that grows for ever: gathered by the document whose list it is, so
// that each list is read, filled and written once, with all that belongs to it.

import { GraphQLError } from 'graphql'
import { keyText, type Key } from '../../model/keys/key.ts'
import { kindOf } from '../../relations/index.ts'
import type { Part } from '../../relations/kind.ts'
import type { Body } from '../../model/json/json.ts'
import type { Entry } from '../../relations/maintenance.ts'
import type { Changeset } from '../../write/changeset.ts'
import { propertiesOfEach, type Input } from '../../write/input.ts'
import { idFrom } from './id-rule.ts'
import { batchSize, checkSize, inBatch, reasonOf, type Importing } from './import-run.ts'
import { inputFrom, RowError } from './row-input.ts'
import type { EntryRows } from './mapping.ts'
import { passesOf, rowsWithout, type Pass } from './passes.ts'

interface Candidate {
  readonly row: number
  readonly input: Input & { readonly id: string }
}

type List = readonly [ownerId: string, entries: readonly Candidate[]]

export async function importEntries(importing: Importing, from: EntryRows): Promise<void> {
  const passes = passesOf(from.file)
  for (const pass of passes) {
    const lists = await gathered(importing, from, pass)
    let batch: List[] = []
    let rows = 0
    for (const [ownerId, entries] of lists) {
      batch.push([ownerId, [...entries.values()]])
      rows += entries.size
      if (rows < 5 * batchSize && batch.length < batchSize) continue
      await fillLists(importing, from, batch)
      await importing.turn(rows)
      batch = []
      rows = 0
    }
    await fillLists(importing, from, batch)
    await importing.turn(rows)
  }
}

/** By the id of the owner, and there by the id of the entry. */
async function gathered(importing: Importing, { file, skip, of, id: rule, fields }: EntryRows, pass: Pass): Promise<Map<string, Map<string, Candidate>>> {
  const lists = new Map<string, Map<string, Candidate>>()
  for await (const { rows, skipped } of rowsWithout(file, skip)) {
    let passed = pass.first ? skipped : 0
    if (pass.first) importing.totals.skipped += skipped
    for (const row of rows) {
      let ownerId: string | undefined
      try {
        if (row.problem !== undefined) throw new RowError(row.problem)
        ownerId = needed(idFrom(of, row), `${of.columns.join(' and ')} says whose it is, and is empty`)
        if (!pass.has(ownerId)) continue
        const id = needed(idFrom(rule, row), `${rule.columns.join(' and ')} is empty, and the id is made of it`)
        const list = lists.get(ownerId) ?? new Map<string, Candidate>()
        lists.set(ownerId, list)
        if (!list.has(id)) list.set(id, { row: row.number, input: { id, ...inputFrom(fields, row, importing.enums) } })
        else {
          importing.totals.repeated++
          passed++
        }
      } catch (error) {
        if (ownerId === undefined && !pass.first) continue
        importing.refuse(file, row.number, reasonOf(error))
        passed++
      }
    }
    await importing.turn(passed)
  }
  return lists
}

function needed(id: string | undefined, otherwise: string): string {
  if (id === undefined) throw new RowError(otherwise)
  return id
}

async function fillLists(importing: Importing, from: EntryRows, batch: readonly List[]): Promise<void> {
  if (batch.length === 0) return
  const { declaration, totals } = importing
  const { owner: type, entry: entryType, file } = from
  await inBatch(importing, async (changes) => {
    const owners = await changes.read(batch.map(([id]) => ({ type, id })))
    const candidates = batch.flatMap(([, entries]) => entries)
    const properties = await propertiesOfEach(declaration, entryType, candidates.map(({ input }) => input), changes)
    const made = new Map(candidates.map((candidate, index) => [candidate, properties[index]!]))
    const refused: { row: number; reason: string }[] = []
    const fillings = batch.flatMap(([ownerId, entries], index): Filling[] => {
      const owner = owners[index]
      if (!owner?.after) {
        refused.push(...entries.map(({ row }) => ({ row, reason: `there is no ${type.name} ${ownerId}` })))
        return []
      }
      const good = entries.flatMap((candidate) => {
        const body = made.get(candidate)!
        if (!(body instanceof GraphQLError)) return [body]
        refused.push({ row: candidate.row, reason: reasonOf(body) })
        return []
      })
      return [{ owner, body: owner.after, rows: entries.map(({ row }) => row), entries: good.map(withoutNothing), parts: new Map() }]
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
        refused.push(...filling.rows.map((row) => ({ row, reason })))
      }
    }
    return () => {
      totals.lists += seen.lists
      totals.listsChanged += seen.changed
      totals.entries += seen.entries
      for (const { row, reason } of refused) importing.refuse(file, row, reason)
    }
  })
}

interface Filling {
  readonly owner: Entry
  readonly body: Body
  readonly rows: readonly number[]
  readonly entries: readonly Body[]
  /** All parts that were looked for, with those that are there. */
  readonly parts: Map<string, Entry>
}

/** The parts that a list says it has, and then those that it is going to have: an earlier run may have been cut short between the two. */
async function readParts(importing: Importing, from: EntryRows, changes: Changeset, fillings: readonly Filling[]): Promise<void> {
  const { model } = importing.declaration
  const kind = kindOf(from.list)
  await readMore(importing, from, changes, fillings, ({ body }) => kind.parts!(from.list, body, model))
  for (let open = fillings; open.length > 0;) {
    const found = await readMore(importing, from, changes, open, (filling) => filled(importing, from, filling).parts.map(({ key }) => key))
    open = open.filter((filling) => found.has(filling))
  }
}

/** Answers with those of whom something was found that was not known. */
async function readMore({ store, dryRun }: Importing, { owner: { container } }: EntryRows, changes: Changeset, fillings: readonly Filling[], keysOf: (filling: Filling) => readonly Key[]): Promise<Set<Filling>> {
  const wanted = fillings.flatMap((filling) => keysOf(filling).filter((key) => !filling.parts.has(keyText(key))).map((key) => ({ filling, key })))
  const { keysPerRequest } = store.supports
  const chunks = Array.from({ length: Math.ceil(wanted.length / keysPerRequest) }, (_, chunk) => wanted.slice(chunk * keysPerRequest, (chunk + 1) * keysPerRequest))
  const documents = (await Promise.all(chunks.map((chunk) => store.readMany(container, chunk.map(({ key }) => key))))).flat()
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
  const there = [...parts.values()].flatMap(({ key, after }) => (after ? [{ key, body: after }] : []))
  return kindOf(list).fill!(list, body, there, entries, model)
}

/** Whether anything was to be written. */
function putFilled(importing: Importing, from: EntryRows, changes: Changeset, filling: Filling): boolean {
  const { owner, parts } = filled(importing, from, filling)
  const body = importing.effects.settle(from.owner, owner)
  for (const each of [body, ...parts.map((part) => part.body)]) checkSize(importing.store, each)
  const changed = parts.filter((part) => !isSame(part.body, filling.parts.get(keyText(part.key))!.after))
  for (const part of changed) changes.set({ ...filling.parts.get(keyText(part.key))!, after: part.body })
  // Whoever changes a part changes its owner with it: that is how readers of both know that they belong together.
  if (changed.length === 0 && isSame(body, filling.body)) return false
  changes.put(from.owner, body, filling.owner)
  return true
}

function isSame(one: Body, other: Body | undefined): boolean {
  return other !== undefined && JSON.stringify(one) === JSON.stringify(other)
}

function withoutNothing(properties: Body): Body {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null))
}
