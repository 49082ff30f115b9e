// Writing documents to SQLite, one by one, with what indexes hold of them and with their entries in the change
// feed. Which of them are written together, and when they count, is sqlite.ts's business.

import { partitionText, type Key } from '../keys/key.ts'
import { partOf } from './feed.ts'
import { frozen, parseBody } from './frozen.ts'
import { deleteEntry, newestEntry, putEntry } from './sqlite-changes.ts'
import type { Row, SqliteConnection } from './sqlite-connection.ts'
import type { Bound } from './sqlite-fragment.ts'
import { entriesBeyond, entriesOf, placesOf, type ListEntry } from './sqlite-indexed.ts'
import type { SqliteContainer } from './sqlite-layout.ts'
import { writeStatements, type WriteStatements } from './sqlite-write-sql.ts'
import type { Body, StoredDocument } from './store.ts'
import { checkCondition, newEtag, type EncodedWrite, type Written } from './writing.ts'

/** What became of a document: undefined when it is gone. */
export interface SqliteWritten extends Written {
  readonly document: StoredDocument | undefined
}

/** The document behind a key if it is the one with this etag, where that is remembered. */
export type Known = (container: string, key: Key, etag: string) => StoredDocument | undefined

type Statements = WriteStatements & { readonly deleteEntry: string }

export class SqliteWrites {
  readonly #connection: SqliteConnection
  readonly #known: Known
  readonly #statements = new Map<SqliteContainer, Statements>()
  #newest: { sequence: number; at: number } | undefined

  constructor(connection: SqliteConnection, known: Known) {
    this.#connection = connection
    this.#known = known
  }

  /** To be told when others may have written. */
  refresh(): void {
    this.#newest = undefined
  }

  write(container: SqliteContainer, { write, key, encoded }: EncodedWrite, now: number): SqliteWritten {
    const statements = this.#statementsFor(container)
    const body = encoded && parseBody(encoded.json)
    const places = body && placesOf(container, body)
    const found = this.#connection.get(statements.find, ...(places ?? unknownPlaces(container)), key)
    checkCondition(write, found && { etag: String(found[1]) })
    const replacedBytes = found && Number(found[2])
    if (encoded === undefined || body === undefined) {
      if (found) this.#remove(container, statements, write.key, found, now)
      return { etag: '', bytes: undefined, replacedBytes, document: undefined }
    }
    const type = typeof body.type === 'string' ? body.type : null
    const entries = places && this.#entries(statements, found, type, body, write)
    const etag = entries ? `${newEtag()}${container.mark}` : newEtag()
    const { json, bytes } = encoded
    const row = found ? this.#update(statements, found, [etag, bytes, json], type, entries && places)
      : this.#connection.run(places && entries ? statements.insert : statements.insertJson, key, partitionText(write.key.partition), write.key.id, type, etag, bytes, json, ...((entries && places) ?? []))
    for (const { statement, entry } of entries ?? []) this.#connection.run(statement, ...entry, write.key.id, row)
    if (container.followed) {
      const { sequence, at } = this.#next(now)
      this.#connection.run(putEntry, partOf(write.key.partition), sequence, container.name, key, at)
    }
    const document = Object.freeze({ key: frozen({ partition: [...write.key.partition], id: write.key.id }), etag, body, bytes })
    return { etag, bytes, replacedBytes, document }
  }

  #update(statements: Statements, found: Row, values: readonly Bound[], type: string | null, places: readonly Bound[] = []): number {
    const row = Number(found[0])
    const changed: number[] = []
    const changedPlaces: Bound[] = []
    for (let at = 0; at < places.length / 2; at++) {
      if (found[4 + at] === 1) continue
      changed.push(at)
      changedPlaces.push(places[2 * at]!, places[2 * at + 1]!)
    }
    const retyped = found[3] !== type
    this.#connection.run(statements.update(retyped, changed), ...values, ...(retyped ? [type] : []), ...changedPlaces, row)
    return row
  }

  /** What has to be done to the list indexes; undefined when SQLite has to work that out. */
  #entries({ lists, body: bodyOf }: Statements, found: Row | undefined, type: string | null, body: Body, { container, key }: EncodedWrite['write']): EntryWrite[] | undefined {
    if (lists.length === 0) return []
    const replaced = found && (this.#known(container, key, String(found[1]))?.body ?? parseBody(String(this.#connection.get(bodyOf, Number(found[0]))![0])))
    const writes: EntryWrite[] = []
    for (const { list, add, drop } of lists) {
      const before = found && replaced ? entriesOf(list, found[3] as string | null, replaced) : []
      const after = entriesOf(list, type, body)
      if (!before || !after) return undefined
      for (const entry of entriesBeyond(before, after)) writes.push({ statement: drop, entry })
      for (const entry of entriesBeyond(after, before)) writes.push({ statement: add, entry })
    }
    return writes
  }

  #remove(container: SqliteContainer, statements: Statements, { partition }: Key, found: Row, now: number): void {
    const row = Number(found[0])
    if (container.followed) {
      const { sequence, at } = this.#next(now)
      this.#connection.run(statements.deleteEntry, partOf(partition), sequence, container.name, at, row)
    }
    this.#connection.run(statements.remove, row)
  }

  /** Never earlier than the entry before, whichever process made it and whatever its clock says. */
  #next(now: number): { readonly sequence: number; readonly at: number } {
    this.#newest ??= this.#readNewest()
    this.#newest.sequence++
    this.#newest.at = Math.max(this.#newest.at, now)
    return this.#newest
  }

  #readNewest(): { sequence: number; at: number } {
    const [sequence, at] = this.#connection.get(newestEntry.text)!
    return { sequence: Number(sequence), at: Number(at) }
  }

  #statementsFor(container: SqliteContainer): Statements {
    let statements = this.#statements.get(container)
    if (!statements) this.#statements.set(container, (statements = { ...writeStatements(container), deleteEntry: deleteEntry(container) }))
    return statements
  }
}

interface EntryWrite {
  readonly statement: string
  readonly entry: ListEntry
}

/** For a document whose places are left to SQLite, or that goes: whether they are the same is not asked. */
function unknownPlaces({ places }: SqliteContainer): null[] {
  return places.flatMap(() => [null, null])
}
