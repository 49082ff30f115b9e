// Documents by their keys, from the cache, and from one statement for the rest. Results of queries are in result-reads.ts.

import { keyText, type Key } from '../../../model/keys/key.ts'
import { frozen, parseBody } from '../../in-process/immutable-json.ts'
import { containerNamed } from '../../write-condition.ts'
import { lookupMiss, type Lookup, type StoredDocument } from '../../store.ts'
import type { Row, SqliteConnection } from '../connection.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import { keyFromText } from '../decode-rows.ts'
import { readManySql, sizesSql } from '../sql/read-sql.ts'
import type { Sql } from '../sql/sql-fragment.ts'
import type { ReadCache } from './read-cache.ts'

/** How many times a lookup asks SQLite, each time for the documents of one row, before it leaves the rest of the level to one batch. */
const maxAsksPerLookup = 2

export class DocumentReads {
  readonly #connection: SqliteConnection
  readonly #containers: ReadonlyMap<string, SqliteContainer>
  readonly #cache: ReadCache | undefined

  constructor(connection: SqliteConnection, containers: ReadonlyMap<string, SqliteContainer>, cache: ReadCache | undefined) {
    this.#connection = connection
    this.#containers = containers
    this.#cache = cache
  }

  readMany(name: string, keys: readonly Key[]): (StoredDocument | undefined)[] {
    return this.#byKey<StoredDocument>(name, keys, { ofDocument: (document) => document, sql: readManySql, ofRow: (row) => this.documentOf(name, row, true) })
  }

  sizes(name: string, keys: readonly Key[]): (number | undefined)[] {
    return this.#byKey<number>(name, keys, { ofDocument: ({ bytes }) => bytes, sql: sizesSql, ofRow: ([, bytes]) => Number(bytes) })
  }

  /** Reads documents that are not cached row by row; after some rows, asking for those of a whole level together is faster. */
  lookIn(name: string): Lookup | undefined {
    const cache = this.#cache
    if (!cache) return undefined
    containerNamed(this.#containers, name)
    const version = cache.refresh()
    const { documents, uncommitted } = cache
    const hasUncommitted = uncommitted?.touches(name)
    let asksLeft = maxAsksPerLookup
    return (key, together = () => []) => {
      const document = (hasUncommitted ? uncommitted!.at(name, key)?.now : undefined) ?? documents.document(name, key)
      if (typeof document === 'object') return document
      if (document === 'deleted' || (document === undefined && documents.isAbsent(name, keyText(key)))) return undefined
      if (asksLeft-- <= 0) throw lookupMiss
      const [found] = this.readMany(name, [key, ...together()])
      // The caller has seen documents of an earlier state.
      if (cache.refresh() !== version) throw lookupMiss
      return found
    }
  }

  /** The document of a row with key, etag, bytes and body. `isCurrent` if the row is what is stored now. */
  documentOf(name: string, [key, etag, bytes, body]: Row, isCurrent: boolean): StoredDocument {
    const [keyAsText, etagAsText] = [String(key), String(etag)]
    const cache = this.#cache
    const known = cache?.uncommitted?.withEtag(name, keyAsText, etagAsText) ?? cache?.documents.withEtag(name, keyAsText, etagAsText, isCurrent)
    if (known) return known
    const document = Object.freeze({ key: frozen(keyFromText(keyAsText)), etag: etagAsText, body: parseBody(String(body)), bytes: Number(bytes) })
    if (isCurrent && cache && !cache.uncommitted?.at(name, document.key)) cache.documents.add(name, keyAsText, document)
    return document
  }

  /** A value of each document, in the order of the keys. */
  #byKey<Value>(name: string, keys: readonly Key[], value: ValueByKey<Value>): (Value | undefined)[] {
    const container = containerNamed(this.#containers, name)
    const cache = this.#cache
    if (!cache) return this.#inOrder(container, keys, value)
    const version = cache.refresh()
    const missing: Key[] = []
    const cached = keys.map((key) => {
      const document = cache.uncommitted?.at(name, key)?.now ?? cache.documents.document(name, key)
      if (typeof document === 'object') return value.ofDocument(document)
      if (document !== 'deleted' && !(document === undefined && cache.documents.isAbsent(name, keyText(key)))) missing.push(key)
      return undefined
    })
    if (missing.length === 0) return cached
    const read = this.#inOrder(container, missing, value)
    for (const [at, key] of missing.entries()) if (read[at] === undefined && !cache.uncommitted?.at(name, key)) cache.documents.addAbsent(name, keyText(key))
    if (missing.length === keys.length) return read
    // Another process may have written in between, and one result must show one state of the store.
    if (cache.refresh() !== version) return this.#inOrder(container, keys, value)
    let next = 0
    return keys.map((key, at) => (key === missing[next] ? read[next++] : cached[at]))
  }

  #inOrder<Value>(container: SqliteContainer, keys: readonly Key[], { sql, ofRow }: ValueByKey<Value>): (Value | undefined)[] {
    const texts = keys.map(keyText)
    const rows = this.#connection.all(sql(container, texts))
    if (texts.length === 1) return [rows[0] && ofRow(rows[0])]
    const byText = new Map(rows.map((row) => [String(row[0]), ofRow(row)]))
    return texts.map((text) => byText.get(text))
  }
}

/** A value of a document, and how it is read. */
interface ValueByKey<Value> {
  readonly ofDocument: (document: StoredDocument) => Value
  /** Its rows begin with the key. */
  readonly sql: (container: SqliteContainer, texts: readonly string[]) => Sql
  readonly ofRow: (row: Row) => Value
}
