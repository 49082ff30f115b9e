// Which documents other connections have written since this one last looked. That is known exactly as long as the last write that
// it has seen is still in the table of recent writes (recent-writes.ts), and the triggers that fill the table are in place.
// Otherwise anything may have been written: after very many writes, when a backup was restored, or when a user has rebuilt a
// container's table.

import type { Key } from '../../../model/keys/key.ts'
import type { Row, SqliteConnection } from '../connection.ts'
import { triggerSql } from '../indexes/triggers.ts'
import { newestWrite, recentWritesTriggers, sweepTrigger, writesFrom } from './recent-writes.ts'
import { keyFromText } from '../decode-rows.ts'

/** To drop as many documents one by one takes some milliseconds. Beyond that, dropping all is better. */
const maxWrites = 2000

export interface ExternalWrite {
  readonly container: string
  readonly key: Key
}

export class ExternalWrites {
  readonly #connection: SqliteConnection
  readonly #triggers: readonly string[]
  /** Position and token of the last write that it has seen. */
  #seen: Row | undefined
  #schemaVersion: number | undefined
  #hasTriggers = false

  constructor(connection: SqliteConnection, containers: Iterable<string>) {
    this.#connection = connection
    this.#triggers = [sweepTrigger, ...[...containers].flatMap(recentWritesTriggers)].map(triggerSql)
  }

  /** Those since the last call; 'unknown' if it may be any document. */
  since(): readonly ExternalWrite[] | 'unknown' {
    try {
      return this.#connection.attempt('read', () => this.#read())
    } catch {
      this.forget()
      return 'unknown'
    }
  }

  /** For this connection's own writes, before they are committed: call the result when they are. */
  skipOwn(): () => void {
    const newest = this.#seen && this.#connection.get(newestWrite.text)
    return () => {
      if (newest) this.#seen = newest
    }
  }

  /** Nothing is known of writes so far. */
  forget(): void {
    this.#seen = undefined
  }

  #read(): readonly ExternalWrite[] | 'unknown' {
    const seen = this.#seen
    const { text, values } = writesFrom(seen ? Number(seen[0]) : 0, maxWrites + 2)
    const [first, ...writes] = seen ? this.#connection.all({ text, values }) : []
    // Looked at last: a schema that changes from now on changes the data version again.
    const isExact = this.#isFilled() && seen !== undefined && first?.[0] === seen[0] && first?.[1] === seen[1] && writes.length <= maxWrites
    if (isExact) {
      // A key that Quire would not write cannot be read: then it may be any document.
      const written = writes.map(([, , container, key]) => ({ container: String(container), key: keyFromText(String(key)) }))
      this.#seen = writes.at(-1) ?? first
      return written
    }
    this.#seen = this.#hasTriggers ? this.#connection.get(newestWrite.text) : undefined
    return 'unknown'
  }

  /** Whether the triggers are what they were at the last call, and complete. */
  #isFilled(): boolean {
    const version = Number(this.#connection.get('PRAGMA schema_version')![0])
    if (version === this.#schemaVersion) return this.#hasTriggers
    const found = new Set(this.#connection.all({ text: `SELECT sql FROM sqlite_schema WHERE type = 'trigger'`, values: [] }).map(([text]) => text))
    this.#hasTriggers = this.#triggers.every((text) => found.has(text))
    this.#schemaVersion = version
    // They may have been missing meanwhile.
    return false
  }
}
