// What the steps of an import share: the store, the totals, and why a row is rejected. How a batch is written is in
// import-batch.ts.

import { GraphQLError, Kind } from 'graphql'
import type { Declaration } from '../../relations/declaration.ts'
import { keyText, type Key } from '../../model/keys/key.ts'
import type { Body } from '../../model/json/json.ts'
import type { Store } from '../../store/store.ts'
import { Changeset } from '../../write/changeset.ts'
import type { Effects } from '../../write/effects.ts'
import { RowError, type Enums } from './row-input.ts'
import type { RowFile } from './rows/rows.ts'

/** A row that was not imported, or a document whose lists could not be completed, and why. */
export type Rejection =
  | { readonly file: string; readonly row: number; readonly reason: string }
  | { readonly type: string; readonly id: string; readonly reason: string }

export interface Totals {
  /** Rows read, counted once for each mapping entry that reads them. */
  rows: number
  skipped: number
  /** Rejected rows, and documents whose lists could not be completed. */
  refused: number
  /** Rows with the id of an earlier row. */
  repeated: number
  created: number
  changed: number
  unchanged: number
  /** Entries in the files, their lists, and how many of those lists were written. */
  entries: number
  lists: number
  listsChanged: number
  /** Documents whose snapshots, lists or counts were updated after the import. */
  followed: number
}

export interface Importing {
  readonly declaration: Declaration
  readonly store: Store
  readonly effects: Effects
  readonly enums: Enums
  readonly dryRun: boolean
  readonly totals: Totals
  /** The one changeset of a dry run, in which everything stays pending. */
  readonly pending: Changeset
  readonly reject: (file: RowFile, row: number, reason: string) => void
  readonly rejectDocument: (type: string, id: string, reason: string) => void
  /** Called between batches: reports progress, and throws when the import is to stop. */
  readonly advance: (rows: number) => Promise<void>
}

/** How many documents are read and written at a time. */
export const batchSize = 1000

export function changesetFor({ store, effects }: Pick<Importing, 'store' | 'effects'>): Changeset {
  return new Changeset(store, undefined, (type, body) => effects.copiedText(type, body))
}

export function placeText(container: string, key: Key): string {
  return `${container} ${keyText(key)}`
}

/** Why a row is rejected. Any other error is not the row's fault and is thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof RowError) return error.message
  if (error instanceof GraphQLError) return error.message.replace(/\.$/, '')
  throw error
}

/** Nulls are not stored: an index would contain them. */
export function withoutNulls(properties: Body): Body {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null))
}

/** Rejects a document that the store would refuse. */
export function checkSize({ supports }: Store, body: Body): void {
  const bytes = Buffer.byteLength(JSON.stringify(body))
  // 64 bytes for the versions, which are added when it is written.
  if (bytes + 64 > supports.documentBytes) throw new RowError(`the document would be too large: ${bytes} bytes, max ${supports.documentBytes}`)
}

export function enumsOf({ sdl }: Declaration): Enums {
  return new Map(sdl.definitions.flatMap((node) => (node.kind === Kind.ENUM_TYPE_DEFINITION ? [[node.name.value, new Set((node.values ?? []).map(({ name }) => name.value))]] : [])))
}
