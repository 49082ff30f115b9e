// Reads from SQLite, through the cache of documents and query results. Which connection it reads from, and so which
// writes it sees, is decided in sqlite-engine.ts.
//
// The cache is never older than what SQLite would return at that moment. `PRAGMA data_version`, read before each use,
// changes whenever another connection in any process has committed; this store's own writes are invalidated as they are
// made. The pragma takes about half as long as reading one document.

import { keyText, type Key } from '../../model/keys/key.ts'
import type { AskedOnce } from '../running/asked-once.ts'
import { inOrder } from '../conditions.ts'
import { frozen, parseBody } from '../in-process/immutable-json.ts'
import type { EngineReads } from '../in-process/in-process-store.ts'
import { whenReady } from '../maybe-promise.ts'
import { containerNamed } from '../port-checks.ts'
import type { Path, Query, Scalar, Selection } from '../query.ts'
import { lookupMiss, type Lookup, type StoredDocument } from '../store.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { chooseForCount, chooseForQuery, type TableSizes } from './choose-index.ts'
import type { DocumentCache } from './cache/document-cache.ts'
import type { SqliteContainer } from './prepare-layout.ts'
import { keyFromText } from './rows.ts'
import { countEachSql, countSql, countUpToSql, queryEachSql, querySql, readManySql, sizesSql } from './sql/read-sql.ts'
import type { Sql } from './sql/sql-fragment.ts'
import type { QueryThreads } from './worker/query-threads.ts'
import type { Uncommitted } from './write/uncommitted.ts'

export interface ReadCache {
  readonly documents: DocumentCache
  /** What was asked once: a result is kept from the second time on. */
  readonly asked: AskedOnce
  /** Drops what other connections may have changed. Returns a number that changes each time they have. */
  readonly refresh: () => number
  /** The uncommitted documents of the same connection, where it writes. */
  readonly uncommitted: Uncommitted | undefined
}

export interface SqliteReadsOptions {
  readonly connection: SqliteConnection
  readonly containers: ReadonlyMap<string, SqliteContainer>
  readonly cache: ReadCache | undefined
  /** The threads for long queries; without them they run here. */
  readonly threads: QueryThreads | undefined
}

/** To count so many entries of an index takes some milliseconds. */
const maxCountedHere = 100_000

/** How many times a lookup asks SQLite, each time for the documents of one row, before it leaves the rest of the level to one batch. */
const maxAsksPerLookup = 2

export class SqliteReads implements EngineReads {
  readonly #connection: SqliteConnection
  readonly #containers: ReadonlyMap<string, SqliteContainer>
  readonly #cache: ReadCache | undefined
  readonly #threads: QueryThreads | undefined

  constructor({ connection, containers, cache, threads }: SqliteReadsOptions) {
    this.#connection = connection
    this.#containers = containers
    this.#cache = cache
    this.#threads = threads
  }

  readMany(name: string, keys: readonly Key[]): (StoredDocument | undefined)[] {
    return this.#byKey(name, keys, (document) => document, (container, texts) =>
      this.#connection.all(readManySql(container, texts)).map((row) => [String(row[0]), this.#documentOf(name, row, true)]))
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

  sizes(name: string, keys: readonly Key[]): (number | undefined)[] {
    return this.#byKey(name, keys, ({ bytes }) => bytes, (container, texts) =>
      this.#connection.all(sizesSql(container, texts)).map(([text, bytes]) => [String(text), Number(bytes)]))
  }

  query(query: Query): StoredDocument[] | Promise<StoredDocument[]> {
    const page = (container: SqliteContainer): Statement<StoredDocument[]> => {
      const { chosen, rows: looksAt } = chooseForQuery(container, query, this.#sizesOf(container))
      return {
        sql: (stoppable) => querySql(container, query, chosen, stoppable),
        looksAt,
        read: (rows, areCurrent) => rows.map((row) => this.#documentOf(query.container, row, areCurrent)),
        documents: (found) => found,
      }
    }
    const result = this.#resultOf(query.container, () => `query ${JSON.stringify(query)}`, page)
    // The cache keeps the list, so the caller gets a copy that it may change.
    return result instanceof Promise ? result.then((found) => found.slice()) : result.slice()
  }

  queryEach(query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][] | Promise<StoredDocument[][]> {
    const pages = this.#resultsByValue<StoredDocument[]>(query.container, () => `each ${JSON.stringify([query, by])}`, by, values, {
      // The index of the values has their documents in order. Only a condition makes it look at others.
      isLong: (container) => query.where !== undefined && this.#isLong(container, 'all'),
      sql: (container, some, stoppable) => queryEachSql(container, query, by, some, stoppable),
      read: (rows, some, areCurrent) => {
        const found = some.map((): StoredDocument[] => [])
        for (const row of rows) found[Number(row[4])]!.push(this.#documentOf(query.container, row, areCurrent))
        return found.map((page) => page.toSorted(inOrder(query.orderBy)))
      },
      documents: (page) => page,
    })
    return whenReady(pages, (found) => found.map((page) => page.slice()))
  }

  count(selection: Selection): number | Promise<number> {
    const count = (container: SqliteContainer): Statement<number> | number => {
      const choice = chooseForCount(container, selection, this.#sizesOf(container))
      if (typeof choice === 'number') return choice
      return { sql: (stoppable) => countSql(container, selection, choice.chosen, stoppable), looksAt: choice.rows, read: ([row]) => Number(row![0]), documents: () => [] }
    }
    return this.#resultOf(selection.container, () => `count ${JSON.stringify(selection)}`, count)
  }

  countEach(selection: Selection, by: Path, values: readonly Scalar[]): number[] | Promise<number[]> {
    return this.#resultsByValue<number>(selection.container, () => `counts ${JSON.stringify([selection, by])}`, by, values, {
      isLong: (container, some) => this.#isLong(container, 'all') && (selection.where !== undefined || this.#haveManyEntries(container, selection, by, some)),
      sql: (container, some, stoppable) => countEachSql(container, selection, by, some, { stoppable }),
      read: (rows, some) => {
        const found = some.map(() => 0)
        for (const [nth, count] of rows) found[Number(nth)] = Number(count)
        return found
      },
      documents: () => [],
    })
  }

  /** Whether some value has so many documents that all of them together may be too many to count here. */
  #haveManyEntries(container: SqliteContainer, selection: Selection, by: Path, values: readonly Scalar[]): boolean {
    const most = Math.ceil(maxCountedHere / values.length)
    return this.#connection.all(countEachSql(container, selection, by, values, { most })).some(([, count]) => Number(count) >= most)
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
  #resultOf<Result extends number | StoredDocument[]>(name: string, textOf: () => string, statementFor: (container: SqliteContainer) => Statement<Result> | (Result & number)): Result | Promise<Result> {
    const container = containerNamed(this.#containers, name)
    const text = this.#canCache(name) ? textOf() : undefined
    const cached = this.#cachedResult(name, text) as Result | undefined
    if (cached !== undefined) return cached
    const statement = statementFor(container)
    if (typeof statement === 'number') {
      this.#cacheResult(name, text, statement, () => [])
      return statement
    }
    const { sql, looksAt, read, documents } = statement
    if (this.#isLong(container, looksAt)) return this.#onThread(sql(true), read, (result) => this.#cacheResult(name, text, result, documents))
    const result = read(this.#connection.all(sql(false)), true)
    this.#cacheResult(name, text, result, documents)
    return result
  }

  /** A result for each value, in their order: from the cache, and from one statement for the rest; on a thread, from one for all. */
  #resultsByValue<Result>(name: string, textOf: () => string, by: Path, values: readonly Scalar[], statement: ByValue<Result>): Result[] | Promise<Result[]> {
    const container = containerNamed(this.#containers, name)
    const { isLong, sql, read, documents } = statement
    const path = by.join('.')
    const text = this.#canCache(name) ? textOf() : undefined
    const ask = (some: readonly Scalar[]): Result[] => read(this.#connection.all(sql(container, some, false)), some, true)
    const keep = (some: readonly Scalar[], results: Result[]): Result[] => {
      if (text === undefined) return results
      const kept = results.map((result, at) => ({ value: some[at]!, result, documents: documents(result) })).filter(({ value }) => !this.#cache!.asked.isFirst(`${name} ${path} ${value}`))
      if (kept.length > 0) this.#cache!.documents.results.addByValue(name, text, kept)
      return results
    }
    const version = text === undefined ? undefined : this.#cache!.refresh()
    const known = text === undefined ? undefined : this.#cache!.documents.results.byValue(name, text)
    const cached = known && values.map((value) => known.get(value) as Result | undefined)
    const missing = cached ? values.filter((_, at) => cached[at] === undefined) : values
    if (missing.length === 0) return cached as Result[]
    if (isLong(container, missing)) return this.#onThread(sql(container, values, true), (rows, areCurrent) => read(rows, values, areCurrent), (results) => keep(values, results))
    const results = keep(missing, ask(missing))
    if (missing.length === values.length) return results
    // As for documents: one result must show one state of the store.
    if (this.#cache!.refresh() !== version) return keep(values, ask(values))
    let next = 0
    return cached!.map((result) => result ?? results[next++]!)
  }

  /** The rows may be outdated when they arrive. Then they are returned, as they would be to any reader, but not cached. */
  async #onThread<Result>(sql: Sql, read: (rows: readonly Row[], areCurrent: boolean) => Result, keep: (result: Result) => unknown): Promise<Result> {
    const version = this.#cache?.documents.version
    const rows = await this.#threads!.all(sql)
    this.#cache?.refresh()
    const areCurrent = this.#cache?.documents.version === version
    const result = read(rows, areCurrent)
    if (areCurrent) keep(result)
    return result
  }

  #isLong(container: SqliteContainer, looksAt: number | 'all' | undefined): boolean {
    return this.#threads !== undefined && looksAt !== undefined && (looksAt === 'all' ? this.#maxRows(container) : looksAt) > this.#threads.longRows
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
    if (text !== undefined && !this.#cache!.asked.isFirst(name + text)) this.#cache!.documents.results.add(name, text, result, documents(result))
  }

  #sizesOf(container: SqliteContainer): TableSizes {
    return {
      rows: () => this.#maxRows(container),
      countUpTo: (statements, most) => this.#connection.all(countUpToSql(statements, most))[0]!.map(Number),
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

/** The same for several values at once, of which some may be cached. */
interface ByValue<Result> extends Pick<Statement<Result>, 'documents'> {
  readonly isLong: (container: SqliteContainer, values: readonly Scalar[]) => boolean
  readonly sql: (container: SqliteContainer, values: readonly Scalar[], stoppable: boolean) => Sql
  /** A result for each value. */
  readonly read: (rows: readonly Row[], values: readonly Scalar[], areCurrent: boolean) => Result[]
}

/** A statement, how to read its rows, and which documents its result has. `areCurrent` if the rows are what is stored now. */
interface Statement<Result> {
  /** `stoppable` on a thread, which may have to stop it. */
  readonly sql: (stoppable: boolean) => Sql
  /** How many documents it may have to look at; undefined if they are few. */
  readonly looksAt: number | 'all' | undefined
  readonly read: (rows: readonly Row[], areCurrent: boolean) => Result
  readonly documents: (result: Result) => readonly StoredDocument[]
}
