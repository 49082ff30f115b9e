// Writes single documents to SQLite, with their index values and feed entries. Which documents share a transaction, and
// when it is committed, is decided in sqlite-engine.ts.

import { partitionText, type Key } from '../../../model/keys/key.ts'
import type { Body } from '../../../model/json/json.ts'
import { frozen, parseBody } from '../../in-process/immutable-json.ts'
import { newEtag, type EncodedWrite, type Written } from '../../in-process/prepare-write.ts'
import { checkCondition } from '../../write-condition.ts'
import { ConflictError } from '../../store-errors.ts'
import type { StoredDocument } from '../../store.ts'
import { deleteEntry } from '../change-feed.ts'
import type { Row, SqliteConnection } from '../connection.ts'
import { entriesNotIn, entriesOf, sortKeysOf, type ListEntry } from '../indexes/index-values.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import type { Bound } from '../sql/sql-fragment.ts'
import { writeStatements, type ListStatements, type WriteStatements } from '../sql/write-sql.ts'
import type { Clock } from '../../../clock.ts'
import { isDuplicateKey } from '../sqlite-errors.ts'
import { FeedWrites } from './feed-writes.ts'

export interface SqliteWritten extends Written {
  /** Undefined if it was deleted. */
  readonly document: StoredDocument | undefined
}

/** The document that is stored under a key, if that is known without reading. */
export type KnownDocument = (container: string, key: Key) => StoredDocument | undefined

type Statements = WriteStatements & { readonly deleteEntry: string }

export class SqliteWrites {
  readonly feed: FeedWrites
  readonly #connection: SqliteConnection
  readonly #knownDocument: KnownDocument
  readonly #statements = new Map<SqliteContainer, Statements>()

  constructor(connection: SqliteConnection, knownDocument: KnownDocument, clock: Clock) {
    this.feed = new FeedWrites(connection, clock)
    this.#connection = connection
    this.#knownDocument = knownDocument
  }

  write(container: SqliteContainer, encodedWrite: EncodedWrite): SqliteWritten {
    const { write, key, encoded } = encodedWrite
    const statements = this.#statementsFor(container)
    if (encoded === undefined) return this.#delete(container, statements, encodedWrite)
    const { json, bytes, body } = encoded
    const type = typeof body.type === 'string' ? body.type : null
    const { etag, replacedBytes } = this.#put({ container, statements, encodedWrite, body, type, sortKeys: sortKeysOf(container, body), json, bytes })
    if (container.followed) this.feed.written(container.name, key, write.key.partition, write.kind === 'put' ? write.settled : undefined)
    const document = Object.freeze({ key: frozen({ partition: [...write.key.partition], id: write.key.id }), etag, body, bytes })
    return { etag, bytes, replacedBytes, document }
  }

  #put(put: Put): { readonly etag: string; readonly replacedBytes: number | undefined } {
    const { write, key } = put.encodedWrite
    const known = this.#knownDocument(put.container.name, write.key)
    if (known) {
      checkCondition(write, known)
      const etag = this.#updateKnown(put, known)
      if (etag !== undefined) return { etag, replacedBytes: known.bytes }
    } else if (write.only === 'if-absent') {
      return { etag: this.#insert(put), replacedBytes: undefined }
    }
    const found = this.#connection.get(put.statements.find, ...(put.sortKeys ?? unknownSortKeys(put.container)), key)
    checkCondition(write, found && { etag: String(found[1]) })
    if (!found) return { etag: this.#insert(put), replacedBytes: undefined }
    return { etag: this.#updateFound(put, found), replacedBytes: Number(found[2]) }
  }

  #insert({ container, statements, encodedWrite: { write, key }, body, type, sortKeys, json, bytes }: Put): string {
    const entries = sortKeys && listEntryWrites(statements.lists, [null, undefined], [type, body])
    const computedHere = sortKeys && entries
    const etag = computedHere ? markedEtag(container) : newEtag()
    const row = this.#insertRow(write, computedHere ? statements.insert : statements.insertJson, key, partitionText(write.key.partition), write.key.id, type, etag, bytes, json, ...(computedHere ? sortKeys : []))
    for (const { statement, entry } of entries ?? []) this.#connection.run(statement, ...entry, write.key.id, row)
    return etag
  }

  #insertRow({ container, key }: EncodedWrite['write'], statement: string, ...values: readonly Bound[]): Bound {
    try {
      return this.#connection.run(statement, ...values).lastInsertRowid
    } catch (error) {
      // 'if-absent' is not checked by reading first: SQLite's unique key does it.
      throw isDuplicateKey(error) ? new ConflictError(container, key, 'present') : error
    }
  }

  /** If the stored document is known and no list index changes, one UPDATE is enough. Undefined if more has to be done. */
  #updateKnown({ container, statements, encodedWrite: { key }, body, type, sortKeys, json, bytes }: Put, known: StoredDocument): string | undefined {
    const before = sortKeysOf(container, known.body)
    const knownType = typeof known.body.type === 'string' ? known.body.type : null
    if (!sortKeys || !before || knownType !== type || listEntryWrites(statements.lists, [type, known.body], [type, body])?.length !== 0) return undefined
    const etag = markedEtag(container)
    const { changed, values } = changedSortKeys(sortKeys, (at) => before[2 * at] === sortKeys[2 * at] && before[2 * at + 1] === sortKeys[2 * at + 1])
    const { changes } = this.#connection.run(statements.update(false, changed), etag, bytes, json, ...values, key, known.etag, type)
    return Number(changes) === 1 ? etag : undefined
  }

  #updateFound({ container, statements, encodedWrite: { write, key }, body, type, sortKeys, json, bytes }: Put, found: Row): string {
    const [row, replaced, , oldType] = found
    const entries = sortKeys && (statements.lists.length === 0 ? [] : listEntryWrites(statements.lists, [oldType as string | null, this.#bodyAt(statements, found, write)], [type, body]))
    const etag = entries ? markedEtag(container) : newEtag()
    const { changed, values } = changedSortKeys(entries ? sortKeys : [], (at) => found[4 + at] === 1)
    const retyped = oldType !== type
    this.#connection.run(statements.update(retyped, changed), etag, bytes, json, ...(retyped ? [type] : []), ...values, key, String(replaced), oldType as string | null)
    for (const { statement, entry } of entries ?? []) this.#connection.run(statement, ...entry, write.key.id, Number(row))
    return etag
  }

  #bodyAt({ body }: Statements, [row, etag]: Row, { container, key }: EncodedWrite['write']): Body {
    const known = this.#knownDocument(container, key)
    return known && known.etag === etag ? known.body : parseBody(String(this.#connection.get(body, Number(row))![0]))
  }

  #delete(container: SqliteContainer, statements: Statements, { write, key }: EncodedWrite): SqliteWritten {
    const found = this.#connection.get(statements.find, ...unknownSortKeys(container), key)
    checkCondition(write, found && { etag: String(found[1]) })
    if (!found) return { etag: '', bytes: undefined, replacedBytes: undefined, document: undefined }
    const row = Number(found[0])
    if (container.followed) this.feed.deleting(statements.deleteEntry, container.name, write.key.partition, row)
    this.#connection.run(statements.remove, row)
    return { etag: '', bytes: undefined, replacedBytes: Number(found[2]), document: undefined }
  }

  #statementsFor(container: SqliteContainer): Statements {
    let statements = this.#statements.get(container)
    if (!statements) this.#statements.set(container, (statements = { ...writeStatements(container), deleteEntry: deleteEntry(container) }))
    return statements
  }
}

/** A document that is about to be written. `sortKeys` is undefined if SQLite has to compute them. */
interface Put {
  readonly container: SqliteContainer
  readonly statements: Statements
  readonly encodedWrite: EncodedWrite
  readonly body: Body
  readonly type: string | null
  readonly sortKeys: readonly Bound[] | undefined
  readonly json: string
  readonly bytes: number
}

interface ListEntryWrite {
  readonly statement: string
  readonly entry: ListEntry
}

type TypedBody = readonly [type: string | null, body: Body | undefined]

function markedEtag({ mark }: SqliteContainer): string {
  return newEtag() + mark
}

/** The writes to list indexes when a document replaces another; undefined if SQLite has to compute them. */
function listEntryWrites(lists: readonly ListStatements[], [oldType, oldBody]: TypedBody, [type, body]: TypedBody): ListEntryWrite[] | undefined {
  const writes: ListEntryWrite[] = []
  for (const { list, add, drop } of lists) {
    const before = oldBody ? entriesOf(list, oldType, oldBody) : []
    const after = body ? entriesOf(list, type, body) : []
    if (!before || !after) return undefined
    for (const entry of entriesNotIn(before, after)) writes.push({ statement: drop, entry })
    for (const entry of entriesNotIn(after, before)) writes.push({ statement: add, entry })
  }
  return writes
}

/** Which sort keys have changed, and their ranks and values. */
function changedSortKeys(sortKeys: readonly Bound[], isSame: (at: number) => boolean): { readonly changed: number[]; readonly values: Bound[] } {
  const changed: number[] = []
  const values: Bound[] = []
  for (let at = 0; at < sortKeys.length / 2; at++) {
    if (isSame(at)) continue
    changed.push(at)
    values.push(sortKeys[2 * at]!, sortKeys[2 * at + 1]!)
  }
  return { changed, values }
}

/** For a document that is deleted or whose sort keys SQLite computes: whether they changed does not matter. */
function unknownSortKeys({ sortKeyPaths }: SqliteContainer): null[] {
  return sortKeyPaths.flatMap(() => [null, null])
}
