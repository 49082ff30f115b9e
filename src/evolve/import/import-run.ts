// What the steps of an import share: where they write, what they have counted, and how a batch is
// written so that nobody else's work is lost.

import { GraphQLError, Kind } from 'graphql'
import type { Declaration } from '../../relations/declaration.ts'
import { keyText, type Key } from '../../model/keys/key.ts'
import { writeAll } from '../../store/write-all.ts'
import type { Body } from '../../model/json/json.ts'
import { ConflictError, type Store } from '../../store/store.ts'
import { Changeset } from '../../write/changeset.ts'
import type { Effects } from '../../write/effects.ts'
import { RowError, type Enums } from './row-input.ts'
import type { RowFile } from './rows.ts'

/** A row that was not imported, or a document that could not follow from what was, and why. */
export type Refusal =
  | { readonly file: string; readonly row: number; readonly reason: string }
  | { readonly type: string; readonly id: string; readonly reason: string }

export interface Totals {
  /** How many rows were looked at, once for each thing that is made of them. */
  rows: number
  skipped: number
  /** Rows, and documents that could not follow. */
  refused: number
  /** Rows that say again what an earlier one has said. */
  repeated: number
  created: number
  changed: number
  unchanged: number
  /** Entries that were given, the lists that they are in, and how many of those had to be written. */
  entries: number
  lists: number
  listsChanged: number
  /** Documents whose copies, lists or counts had to follow. */
  followed: number
}

export interface Importing {
  readonly declaration: Declaration
  readonly store: Store
  readonly effects: Effects
  readonly enums: Enums
  readonly dryRun: boolean
  readonly totals: Totals
  /** What is pending stays pending when nothing is to be written: then everything is done in this one. */
  readonly pending: Changeset
  readonly refuse: (file: RowFile, row: number, reason: string) => void
  readonly refuseDocument: (type: string, id: string, reason: string) => void
  /** Called between batches: tells how far it has come, and ends the work when it is to end. */
  readonly turn: (rows: number) => Promise<void>
}

/** How many documents are read and written together. */
export const batchSize = 1000

const maxTries = 20

export function changesetFor({ store, effects }: Pick<Importing, 'store' | 'effects'>): Changeset {
  return new Changeset(store, undefined, (type, body) => effects.copiedText(type, body))
}

/**
 * Works on a changeset and writes it. When others were faster it is done anew, on what they have
 * written; `taken` are the keys at which there is something that the work did not find.
 */
export async function inBatch(importing: Importing, work: (changes: Changeset, taken: ReadonlySet<string>) => Promise<() => void>): Promise<void> {
  const taken = new Set<string>()
  for (let tries = 1; ; tries++) {
    const changes = importing.dryRun ? importing.pending : changesetFor(importing)
    const tell = await work(changes, taken)
    try {
      if (!importing.dryRun) await writeInOrder(importing.store, changes)
      return tell()
    } catch (error) {
      if (!(error instanceof ConflictError) || tries === maxTries) throw error
      if (error.found === 'present') taken.add(placeText(error.container, error.key))
    }
  }
}

export function placeText(container: string, key: Key): string {
  return `${container} ${keyText(key)}`
}

/** What belongs to a document goes before it, where the store cannot write both as one. */
async function writeInOrder(store: Store, changes: Changeset): Promise<void> {
  const writes = changes.writes()
  const typed = new Set(changes.entries.filter(({ type }) => type).map(({ key }) => key))
  const most = store.supports.batch.writes
  const tooMany = writes.length > most && [...Map.groupBy(writes, ({ container, key }) => `${container} ${JSON.stringify(key.partition)}`).values()].some(({ length }) => length > most)
  if (!tooMany) return writeAll(store, writes)
  await writeAll(store, writes.filter(({ key }) => !typed.has(key)))
  await writeAll(store, writes.filter(({ key }) => typed.has(key)))
}

/** Why a row is refused, as a reason; anything else that goes wrong is no fault of the row. */
export function reasonOf(error: unknown): string {
  if (error instanceof RowError) return error.message
  if (error instanceof GraphQLError) return error.message.replace(/\.$/, '')
  throw error
}

/** A document that no store of this kind would keep. */
export function checkSize({ supports }: Store, body: Body): void {
  const bytes = Buffer.byteLength(JSON.stringify(body))
  // Versions are added when it is written.
  if (bytes + 64 > supports.documentBytes) throw new RowError(`the document would be ${bytes} bytes, and one holds at most ${supports.documentBytes}`)
}

export function enumsOf({ sdl }: Declaration): Enums {
  return new Map(sdl.definitions.flatMap((node) => (node.kind === Kind.ENUM_TYPE_DEFINITION ? [[node.name.value, new Set((node.values ?? []).map(({ name }) => name.value))]] : [])))
}
