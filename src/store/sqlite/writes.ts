// Writing documents to SQLite, one by one, with what indexes hold of them and with their entries in the change
// feed. Which of them are written together, and when they count, is sqlite-store.ts's business.

import { partitionText, type Key } from '../../model/keys/key.ts'
import { partOf } from '../in-process/feed-points.ts'
import { frozen, parseBody } from '../in-process/immutable-json.ts'
import { deleteEntry, newestEntry, putEntry } from './change-feed.ts'
import { isTaken, type Row, type SqliteConnection } from './connection.ts'
import type { Bound } from './sql/sql-fragment.ts'
import { entriesBeyond, entriesOf, placesOf, type ListEntry } from './indexes/index-values.ts'
import type { SqliteContainer } from './layout.ts'
import { writeStatements, type ListStatements, type WriteStatements } from './sql/write-sql.ts'
import type { Body } from '../../model/json/json.ts'
import { ConflictError, type StoredDocument } from '../store.ts'
import { checkCondition, newEtag, type EncodedWrite, type Written } from '../in-process/prepare-write.ts'

/** What became of a document: undefined when it is gone. */
export interface SqliteWritten extends Written {
  readonly document: StoredDocument | undefined
}

/** The document that is stored behind a key, where that is remembered. */
export type Stored = (container: string, key: Key) => StoredDocument | undefined

type Statements = WriteStatements & { readonly deleteEntry: string }

export class SqliteWrites {
  readonly #connection: SqliteConnection
  readonly #stored: Stored
  readonly #statements = new Map<SqliteContainer, Statements>()
  #newest: { sequence: number; at: number } | undefined
  /** Documents that are written and not in the feed yet, in the order of their last write: of those that share a commit, and of the one who writes. */
  readonly #unfed = new Map<string, Unfed>()
  #own: Unfed[] | undefined

  constructor(connection: SqliteConnection, stored: Stored) {
    this.#connection = connection
    this.#stored = stored
  }

  /** To be told when others may have written. */
  refresh(): void {
    this.#newest = undefined
  }

  /**
   * Before anything of one writer is written. Documents come into the feed when the commit is made, so that those
   * that several writers have changed come into it once. A deletion needs its entry while the document is there, and
   * all before it theirs.
   */
  prepare(writes: readonly EncodedWrite[]): void {
    const deletes = writes.some(({ encoded }) => encoded === undefined)
    if (deletes) this.finish()
    this.#own = deletes ? undefined : []
  }

  /** When all of one writer is written. */
  accept(): void {
    for (const unfed of this.#own ?? []) {
      const name = `${unfed.container} ${unfed.key}`
      // Deleted and set again, so that it comes behind those that were written since.
      this.#unfed.delete(name)
      this.#unfed.set(name, unfed)
    }
    this.#own = undefined
  }

  /** Before a commit. */
  finish(): void {
    for (const unfed of this.#unfed.values()) this.#feed(unfed)
    this.#unfed.clear()
  }

  /** When nothing will be committed. */
  forget(): void {
    this.#unfed.clear()
  }

  write(container: SqliteContainer, each: EncodedWrite): SqliteWritten {
    const { write, key, encoded } = each
    const statements = this.#statementsFor(container)
    if (encoded === undefined) return this.#remove(container, statements, each)
    const { json, bytes, body } = encoded
    const type = typeof body.type === 'string' ? body.type : null
    const { etag, replacedBytes } = this.#put({ container, statements, each, body, type, places: placesOf(container, body), json, bytes })
    if (container.followed) {
      const unfed = { container: container.name, key, part: partOf(write.key.partition) }
      if (this.#own) this.#own.push(unfed)
      else this.#feed(unfed)
    }
    const document = Object.freeze({ key: frozen({ partition: [...write.key.partition], id: write.key.id }), etag, body, bytes })
    return { etag, bytes, replacedBytes, document }
  }

  #put(put: Put): { readonly etag: string; readonly replacedBytes: number | undefined } {
    const { write } = put.each
    const stored = this.#stored(put.container.name, write.key)
    if (stored) {
      checkCondition(write, stored)
      const etag = this.#updateStored(put, stored)
      if (etag !== undefined) return { etag, replacedBytes: stored.bytes }
    } else if (write.only === 'if-absent') {
      return { etag: this.#insert(put), replacedBytes: undefined }
    }
    const found = this.#connection.get(put.statements.find, ...(put.places ?? unknownPlaces(put.container)), put.each.key)
    checkCondition(write, found && { etag: String(found[1]) })
    if (!found) return { etag: this.#insert(put), replacedBytes: undefined }
    return { etag: this.#updateFound(put, found), replacedBytes: Number(found[2]) }
  }

  #insert({ container, statements, each: { write, key }, body, type, places, json, bytes }: Put): string {
    const entries = places && entryWrites(statements.lists, [null, undefined], [type, body])
    const plain = places && entries
    const etag = plain ? markedEtag(container) : newEtag()
    const row = this.#inserted(write, plain ? statements.insert : statements.insertJson, key, partitionText(write.key.partition), write.key.id, type, etag, bytes, json, ...(plain ? places : []))
    for (const { statement, entry } of entries ?? []) this.#connection.run(statement, ...entry, write.key.id, row)
    return etag
  }

  #inserted({ container, key }: EncodedWrite['write'], statement: string, ...values: readonly Bound[]): Bound {
    try {
      return this.#connection.run(statement, ...values).lastInsertRowid
    } catch (error) {
      // Whoever asks for a document that is not there yet is told so by SQLite, without having looked.
      throw isTaken(error) ? new ConflictError(container, key, 'present') : error
    }
  }

  /** Where it is known what is there, only the document itself need be touched; undefined when more is to be done. */
  #updateStored({ container, statements, each: { key }, body, type, places, json, bytes }: Put, stored: StoredDocument): string | undefined {
    const before = placesOf(container, stored.body)
    const storedType = typeof stored.body.type === 'string' ? stored.body.type : null
    if (!places || !before || storedType !== type || entryWrites(statements.lists, [type, stored.body], [type, body])?.length !== 0) return undefined
    const etag = markedEtag(container)
    const { changed, values } = changedPlaces(places, (at) => before[2 * at] === places[2 * at] && before[2 * at + 1] === places[2 * at + 1])
    const { changes } = this.#connection.run(statements.update(false, changed), etag, bytes, json, ...values, key, stored.etag, type)
    return Number(changes) === 1 ? etag : undefined
  }

  #updateFound({ container, statements, each: { write, key }, body, type, places, json, bytes }: Put, found: Row): string {
    const [row, replaced, , oldType] = found
    const entries = places && (statements.lists.length === 0 ? [] : entryWrites(statements.lists, [oldType as string | null, this.#bodyAt(statements, found, write)], [type, body]))
    const etag = entries ? markedEtag(container) : newEtag()
    const { changed, values } = changedPlaces(entries ? places : [], (at) => found[4 + at] === 1)
    const retyped = oldType !== type
    this.#connection.run(statements.update(retyped, changed), etag, bytes, json, ...(retyped ? [type] : []), ...values, key, String(replaced), oldType as string | null)
    for (const { statement, entry } of entries ?? []) this.#connection.run(statement, ...entry, write.key.id, Number(row))
    return etag
  }

  #bodyAt({ body }: Statements, [row, etag]: Row, { container, key }: EncodedWrite['write']): Body {
    const stored = this.#stored(container, key)
    return stored && stored.etag === etag ? stored.body : parseBody(String(this.#connection.get(body, Number(row))![0]))
  }

  #remove(container: SqliteContainer, statements: Statements, { write, key }: EncodedWrite): SqliteWritten {
    const found = this.#connection.get(statements.find, ...unknownPlaces(container), key)
    checkCondition(write, found && { etag: String(found[1]) })
    if (!found) return { etag: '', bytes: undefined, replacedBytes: undefined, document: undefined }
    const row = Number(found[0])
    if (container.followed) {
      const { sequence, at } = this.#next()
      this.#connection.run(statements.deleteEntry, partOf(write.key.partition), sequence, container.name, at, row)
    }
    this.#connection.run(statements.remove, row)
    return { etag: '', bytes: undefined, replacedBytes: Number(found[2]), document: undefined }
  }

  #feed({ container, key, part }: Unfed): void {
    const { sequence, at } = this.#next()
    this.#connection.run(putEntry, part, sequence, container, key, at)
  }

  /** Never earlier than the entry before, whichever process made it and whatever its clock says. */
  #next(): { readonly sequence: number; readonly at: number } {
    this.#newest ??= this.#readNewest()
    this.#newest.sequence++
    this.#newest.at = Math.max(this.#newest.at, Date.now())
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

/** A document that is to be in the feed. */
interface Unfed {
  readonly container: string
  readonly key: string
  readonly part: string
}

/** Everything about a document that is about to be written. Places are undefined when SQLite has to work them out. */
interface Put {
  readonly container: SqliteContainer
  readonly statements: Statements
  readonly each: EncodedWrite
  readonly body: Body
  readonly type: string | null
  readonly places: readonly Bound[] | undefined
  readonly json: string
  readonly bytes: number
}

interface EntryWrite {
  readonly statement: string
  readonly entry: ListEntry
}

type Typed = readonly [type: string | null, body: Body | undefined]

function markedEtag({ mark }: SqliteContainer): string {
  return newEtag() + mark
}

/** What has to be done to list indexes where a document is replaced; undefined when SQLite has to work that out. */
function entryWrites(lists: readonly ListStatements[], [oldType, old]: Typed, [type, body]: Typed): EntryWrite[] | undefined {
  const writes: EntryWrite[] = []
  for (const { list, add, drop } of lists) {
    const before = old ? entriesOf(list, oldType, old) : []
    const after = body ? entriesOf(list, type, body) : []
    if (!before || !after) return undefined
    for (const entry of entriesBeyond(before, after)) writes.push({ statement: drop, entry })
    for (const entry of entriesBeyond(after, before)) writes.push({ statement: add, entry })
  }
  return writes
}

/** Which places are not the same, and their ranks and values. */
function changedPlaces(places: readonly Bound[], isSame: (at: number) => boolean): { readonly changed: number[]; readonly values: Bound[] } {
  const changed: number[] = []
  const values: Bound[] = []
  for (let at = 0; at < places.length / 2; at++) {
    if (isSame(at)) continue
    changed.push(at)
    values.push(places[2 * at]!, places[2 * at + 1]!)
  }
  return { changed, values }
}

/** For a document whose places are left to SQLite, or that goes: whether they are the same is not asked. */
function unknownPlaces({ places }: SqliteContainer): null[] {
  return places.flatMap(() => [null, null])
}
