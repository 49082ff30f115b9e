// Reads from SQLite, through the cache of documents and query results. Which connection it reads from, and so which
// writes it sees, is decided in sqlite-engine.ts.
//
// The cache is never older than what SQLite would return at that moment. `PRAGMA data_version`, read before each use,
// changes whenever another connection in any process has committed; this store's own writes are invalidated as they are
// made. The pragma takes about half as long as reading one document.

import { keyText, type Key } from '../../model/keys/key.ts'
import { inOrder } from '../conditions.ts'
import { frozen, parseBody } from '../in-process/immutable-json.ts'
import type { EngineReads } from '../in-process/in-process-store.ts'
import { containerNamed } from '../port-checks.ts'
import type { Path, Query, Scalar, Selection } from '../query.ts'
import { lookupMiss, type Lookup, type StoredDocument } from '../store.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { chooseForCount, chooseForQuery, type TableSizes } from './choose-index.ts'
import type { DocumentCache } from './document-cache.ts'
import type { SqliteContainer } from './prepare-layout.ts'
import { keyFromText } from './rows.ts'
import { countEachSql, countSql, countUpToSql, queryEachSql, querySql, readManySql, sizesSql } from './sql/read-sql.ts'
import type { Sql } from './sql/sql-fragment.ts'
import type { QueryWorker } from './worker/query-worker.ts'
import type { Uncommitted } from './write/uncommitted.ts'

export interface ReadCache {
  readonly documents: DocumentCache
  /** Drops what other connections may have changed. Returns a number that changes each time they have. */
  readonly refresh: () => number
  /** The uncommitted documents of the same connection, where it writes. */
  readonly uncommitted: Uncommitted | undefined
}

export interface SqliteReadsOptions {
  readonly connection: SqliteConnection
  readonly containers: ReadonlyMap<string, SqliteContainer>
  readonly cache: ReadCache | undefined
  /** The thread for long queries; without it they run here. */
  readonly worker: QueryWorker | undefined
}

/** How many documents a lookup asks SQLite for, one by one, before it leaves the rest to one batch. */
const maxAsksPerLookup = 8

export class SqliteReads implements EngineReads {
  readonly #connection: SqliteConnection
  readonly #containers: ReadonlyMap<string, SqliteContainer>
  readonly #cache: ReadCache | undefined
  readonly #worker: QueryWorker | undefined

  constructor({ connection, containers, cache, worker }: SqliteReadsOptions) {
    this.#connection = connection
    this.#containers = containers
    this.#cache = cache
    this.#worker = worker
  }

  readMany(name: string, keys: readonly Key[]): (StoredDocument | undefined)[] {
    return this.#byKey(name, keys, (document) => document, (container, texts) =>
      this.#connection.all(readManySql(container, texts)).map((row) => [String(row[0]), this.#documentOf(name, row, true)]))
  }

  /** Reads some documents that are not cached one by one; beyond that, asking for all of them together is faster. */
  lookIn(name: string): Lookup | undefined {
    const cache = this.#cache
    if (!cache) return undefined
    containerNamed(this.#containers, name)
    const version = cache.refresh()
    const { documents, uncommitted } = cache
    const hasUncommitted = uncommitted?.touches(name)
    let asksLeft = maxAsksPerLookup
    return (key) => {
      const document = (hasUncommitted ? uncommitted!.at(name, key)?.now : undefined) ?? documents.document(name, key)
      if (typeof document === 'object') return document
      if (document === 'deleted' || (document === undefined && documents.isAbsent(name, keyText(key)))) return undefined
      if (asksLeft-- <= 0) throw lookupMiss
      const [found] = this.readMany(name, [key])
      // The caller has seen documents of an earlier state.
      if (cache.refresh() !== version) throw lookupMiss
      return found
    }
  }

  sizes(name: string, keys: readonly Key[]): (number | undefined)[] {
    return this.#byKey(name, keys, ({ bytes }) => bytes, (container, texts) =>
      this.#connection.all(sizesSql(container, texts)).map(([text, bytes]) => [String(text), Number(bytes)]))
  }

  query(query: Query): StoredDocument[] | Promise<StoredDocument[]> {
    const page = (container: SqliteContainer): Statement<StoredDocument[]> => {
      const { chosen, rows: looksAt } = chooseForQuery(container, query, this.#sizesOf(container))
      return {
        sql: querySql(container, query, chosen),
        looksAt,
        read: (rows, areCurrent) => rows.map((row) => this.#documentOf(query.container, row, areCurrent)),
        documents: (found) => found,
      }
    }
    const result = this.#resultOf(query.container, () => `query ${JSON.stringify(query)}`, page)
    // The cache keeps the list, so the caller gets a copy that it may change.
    return result instanceof Promise ? result.then((found) => found.slice()) : result.slice()
  }

  queryEach(query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][] {
    const pages = (container: SqliteContainer, some: readonly Scalar[]): StoredDocument[][] => {
      const found = some.map((): StoredDocument[] => [])
      for (const row of this.#connection.all(queryEachSql(container, query, by, some))) found[Number(row[4])]!.push(this.#documentOf(query.container, row, true))
      return found.map((page) => page.toSorted(inOrder(query.orderBy)))
    }
    return this.#resultsByValue(query.container, () => `each ${JSON.stringify([query, by])}`, values, pages, (page) => page).map((page) => page.slice())
  }

  count(selection: Selection): number | Promise<number> {
    const count = (container: SqliteContainer): Statement<number> => {
      const { chosen, rows: looksAt } = chooseForCount(container, selection, this.#sizesOf(container))
      return { sql: countSql(container, selection, chosen), looksAt, read: ([row]) => Number(row![0]), documents: () => [] }
    }
    return this.#resultOf(selection.container, () => `count ${JSON.stringify(selection)}`, count)
  }

  countEach(selection: Selection, by: Path, values: readonly Scalar[]): number[] {
    const counts = (container: SqliteContainer, some: readonly Scalar[]): number[] => {
      const found = some.map(() => 0)
      for (const [nth, count] of this.#connection.all(countEachSql(container, selection, by, some))) found[Number(nth)] = Number(count)
      return found
    }
    return this.#resultsByValue(selection.container, () => `counts ${JSON.stringify([selection, by])}`, values, counts, () => [])
  }

  /** A value of each document, in the order of the keys: from the cache, and from one statement for the rest. */
  #byKey<Value>(
    name: string, keys: readonly Key[], valueOf: (document: StoredDocument) => Value, read: (container: SqliteContainer, texts: readonly string[]) => [string, Value][],
  ): (Value | undefined)[] {
    const container = containerNamed(this.#containers, name)
    const readValues = (some: readonly Key[]) => new Map(read(container, some.map(keyText)))
    const inKeyOrder = (values: ReadonlyMap<string, Value>) => keys.map((key) => values.get(keyText(key)))
    const cache = this.#cache
    if (!cache) return inKeyOrder(readValues(keys))
    const version = cache.refresh()
    const missing: Key[] = []
    const cached = keys.map((key) => {
      const document = cache.uncommitted?.at(name, key)?.now ?? cache.documents.document(name, key)
      if (typeof document === 'object') return valueOf(document)
      if (document !== 'deleted' && !(document === undefined && cache.documents.isAbsent(name, keyText(key)))) missing.push(key)
      return undefined
    })
    if (missing.length === 0) return cached
    const values = readValues(missing)
    for (const key of missing) if (!values.has(keyText(key)) && !cache.uncommitted?.at(name, key)) cache.documents.addAbsent(name, keyText(key))
    // Another process may have written in between, and one result must show one state of the store.
    if (missing.length < keys.length && cache.refresh() !== version) return inKeyOrder(readValues(keys))
    return missing.length === keys.length ? inKeyOrder(values) : keys.map((key, at) => cached[at] ?? values.get(keyText(key)))
  }

  /** `textOf` is the query as text, under which its result is cached. */
  #resultOf<Result>(name: string, textOf: () => string, statementFor: (container: SqliteContainer) => Statement<Result>): Result | Promise<Result> {
    const container = containerNamed(this.#containers, name)
    const text = this.#canCache(name) ? textOf() : undefined
    const cached = this.#cachedResult(name, text) as Result | undefined
    if (cached !== undefined) return cached
    const statement = statementFor(container)
    const { looksAt } = statement
    if (this.#worker && looksAt !== undefined && (looksAt === 'all' ? this.#maxRows(container) : looksAt) > this.#worker.longRows) return this.#runOnWorker(this.#worker, name, text, statement)
    return this.#runHere(name, text, statement)
  }

  /** A result for each value, in their order: from the cache, and from one statement for the rest. */
  #resultsByValue<Result>(
    name: string, textOf: () => string, values: readonly Scalar[],
    read: (container: SqliteContainer, some: readonly Scalar[]) => Result[], documents: (result: Result) => readonly StoredDocument[],
  ): Result[] {
    const container = containerNamed(this.#containers, name)
    if (!this.#canCache(name)) return read(container, values)
    const [cache, text] = [this.#cache!, textOf()]
    const version = cache.refresh()
    const readAndCache = (some: readonly Scalar[]): Result[] => {
      const results = read(container, some)
      cache.documents.results.addByValue(name, text, results.map((result, at) => ({ value: some[at]!, result, documents: documents(result) })))
      return results
    }
    const known = cache.documents.results.byValue(name, text) as ReadonlyMap<Scalar, Result> | undefined
    if (!known) return readAndCache(values)
    const cached = values.map((value) => known.get(value))
    const missing = values.filter((_, at) => cached[at] === undefined)
    if (missing.length === 0) return cached as Result[]
    const results = readAndCache(missing)
    // As for documents: one result must show one state of the store.
    if (missing.length < values.length && cache.refresh() !== version) return readAndCache(values)
    let next = 0
    return cached.map((result) => result ?? results[next++]!)
  }

  #runHere<Result>(name: string, text: string | undefined, { sql, read, documents }: Statement<Result>): Result {
    const result = read(this.#connection.all(sql), true)
    this.#cacheResult(name, text, result, documents)
    return result
  }

  /** The rows may be outdated when they arrive. Then they are returned, as they would be to any reader, but not cached. */
  async #runOnWorker<Result>(worker: QueryWorker, name: string, text: string | undefined, { sql, read, documents }: Statement<Result>): Promise<Result> {
    const version = this.#cache?.documents.version
    const rows = await worker.all(sql)
    this.#cache?.refresh()
    const areCurrent = this.#cache?.documents.version === version
    const result = read(rows, areCurrent)
    if (areCurrent) this.#cacheResult(name, text, result, documents)
    return result
  }

  /** Results that may contain uncommitted documents are not cached. */
  #canCache(name: string): boolean {
    return this.#cache !== undefined && !this.#cache.uncommitted?.touches(name)
  }

  #cachedResult(name: string, text: string | undefined): unknown {
    if (text === undefined) return undefined
    this.#cache!.refresh()
    return this.#cache!.documents.results.get(name, text)
  }

  #cacheResult<Result>(name: string, text: string | undefined, result: Result, documents: (result: Result) => readonly StoredDocument[]): void {
    if (text !== undefined) this.#cache!.documents.results.add(name, text, result, documents(result))
  }

  #sizesOf(container: SqliteContainer): TableSizes {
    return {
      rows: () => this.#maxRows(container),
      countUpTo: (selections, most) => this.#connection.all(countUpToSql(container, selections, most))[0]!.map(Number),
    }
  }

  /** The number of rows that the table has ever had, which is read from the end of its key. */
  #maxRows({ table }: SqliteContainer): number {
    return this.#connection.attempt('read', () => Number(this.#connection.get(`SELECT max(row) FROM ${table.text}`)![0] ?? 0))
  }

  #documentOf(name: string, [key, etag, bytes, body]: Row, isCurrent: boolean): StoredDocument {
    const [keyAsText, etagAsText] = [String(key), String(etag)]
    const cache = this.#cache
    const known = cache?.uncommitted?.withEtag(name, keyAsText, etagAsText) ?? cache?.documents.withEtag(name, keyAsText, etagAsText, isCurrent)
    if (known) return known
    const document = Object.freeze({ key: frozen(keyFromText(keyAsText)), etag: etagAsText, body: parseBody(String(body)), bytes: Number(bytes) })
    if (isCurrent && cache && !cache.uncommitted?.at(name, document.key)) cache.documents.add(name, keyAsText, document)
    return document
  }
}

/** A statement, how to read its rows, and which documents its result has. `areCurrent` if the rows are what is stored now. */
interface Statement<Result> {
  readonly sql: Sql
  /** How many documents it may have to look at; undefined if they are few. */
  readonly looksAt: number | 'all' | undefined
  readonly read: (rows: readonly Row[], areCurrent: boolean) => Result
  readonly documents: (result: Result) => readonly StoredDocument[]
}
