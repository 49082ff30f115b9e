// Writing documents to SQLite, one by one and with their entries in the change feed. Which of them are
// written together, and when they count, is sqlite.ts's business.

import { partitionText, type Key } from '../keys/key.ts'
import { partOf } from './feed.ts'
import { deleteEntry, newestEntry, putEntry } from './sqlite-changes.ts'
import type { Row, SqliteConnection } from './sqlite-connection.ts'
import type { SqliteContainer } from './sqlite-layout.ts'
import { writeStatements, type WriteStatements } from './sqlite-write-sql.ts'
import { checkCondition, newEtag, type EncodedWrite, type Written } from './writing.ts'

export class SqliteWrites {
  readonly #connection: SqliteConnection
  readonly #statements = new Map<SqliteContainer, WriteStatements & { readonly deleteEntry: string }>()
  #newest: { sequence: number; at: number } | undefined

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  /** To be told when others may have written. */
  refresh(): void {
    this.#newest = undefined
  }

  write(container: SqliteContainer, { write, key, encoded }: EncodedWrite, now: number): Written {
    const statements = this.#statementsFor(container)
    const type = write.kind === 'put' && typeof write.body.type === 'string' ? write.body.type : null
    const found = this.#connection.get(statements.find, type, key)
    checkCondition(write, found && { etag: String(found[1]) })
    const replacedBytes = found && Number(found[2])
    if (encoded === undefined) {
      if (found) this.#remove(container, statements, write.key, found, now)
      return { etag: '', bytes: undefined, replacedBytes }
    }
    const etag = newEtag()
    const { json, bytes } = encoded
    if (found) {
      const [row, , , sameType] = found
      if (sameType === 0) this.#connection.run(statements.retype, type, Number(row))
      this.#connection.run(statements.update, etag, bytes, json, Number(row))
    } else {
      this.#connection.run(statements.insert, key, partitionText(write.key.partition), write.key.id, type, etag, bytes, json)
    }
    if (container.followed) {
      const { sequence, at } = this.#next(now)
      this.#connection.run(putEntry, partOf(write.key.partition), sequence, container.name, key, at)
    }
    return { etag, bytes, replacedBytes }
  }

  #remove(container: SqliteContainer, statements: WriteStatements & { readonly deleteEntry: string }, { partition }: Key, found: Row, now: number): void {
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

  #statementsFor(container: SqliteContainer): WriteStatements & { readonly deleteEntry: string } {
    let statements = this.#statements.get(container)
    if (!statements) this.#statements.set(container, (statements = { ...writeStatements(container), deleteEntry: deleteEntry(container) }))
    return statements
  }
}
