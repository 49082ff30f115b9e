// Results of queries and counts: from the cache; from a statement here if it is short; from one on a thread if it may have to look
// at many documents. What the statements are is said in reads.ts.

import type { Path, Scalar } from '../../query.ts'
import type { StoredDocument } from '../../store.ts'
import type { ResultsByValue } from '../cache/query-results.ts'
import type { Row, SqliteConnection } from '../connection.ts'
import type { Sql } from '../sql/sql-fragment.ts'
import type { QueryThreads } from '../worker/query-threads.ts'
import type { ReadCache } from './read-cache.ts'

/** A statement, how to read its rows, and which documents its result has. `areCurrent` if the rows are what is stored now. */
export interface ResultStatement<Result> {
  /** `stoppable` on a thread, which may have to stop it. */
  readonly sql: (stoppable: boolean) => Sql
  readonly isLong: boolean
  readonly read: (rows: readonly Row[], areCurrent: boolean) => Result
  readonly documents: (result: Result) => readonly StoredDocument[]
}

/** The same for several values at once, of which some may be cached. */
export interface StatementByValue<Result> extends Pick<ResultStatement<Result>, 'documents'> {
  readonly isLong: (values: readonly Scalar[]) => boolean
  readonly sql: (values: readonly Scalar[], stoppable: boolean) => Sql
  /** A result for each value. */
  readonly read: (rows: readonly Row[], values: readonly Scalar[], areCurrent: boolean) => Result[]
}

export class ResultReads {
  readonly #connection: SqliteConnection
  readonly #cache: ReadCache | undefined
  readonly #threads: QueryThreads | undefined

  constructor(connection: SqliteConnection, cache: ReadCache | undefined, threads: QueryThreads | undefined) {
    this.#connection = connection
    this.#cache = cache
    this.#threads = threads
  }

  /** `textOf` is the query as text, under which its result is cached. A statement that turns out not to be needed is its result. */
  one<Result extends number | StoredDocument[]>(name: string, textOf: () => string, statementFor: () => ResultStatement<Result> | (Result & number)): Result | Promise<Result> {
    const text = this.#canCache(name) ? textOf() : undefined
    const cached = this.#cached(name, text) as Result | undefined
    if (cached !== undefined) return cached
    const keep = (result: Result, documents: readonly StoredDocument[]): Result => {
      if (text !== undefined && !this.#cache!.asked.isFirst(name + text)) this.#cache!.documents.results.add(name, text, result, documents)
      return result
    }
    const statement = statementFor()
    if (typeof statement === 'number') return keep(statement, [])
    const { sql, isLong, read, documents } = statement
    if (isLong) return this.#onThread(sql(true), read, (result) => keep(result, documents(result)))
    const result = read(this.#connection.all(sql(false)), true)
    return keep(result, documents(result))
  }

  /** A result for each value, in their order: from the cache, and from one statement for the rest; on a thread, from one for all. */
  byValue<Result>(name: string, textOf: () => string, by: Path, values: readonly Scalar[], { isLong, sql, read, documents }: StatementByValue<Result>): Result[] | Promise<Result[]> {
    const text = this.#canCache(name) ? textOf() : undefined
    const path = by.join('.')
    const ask = (some: readonly Scalar[]): Result[] => read(this.#connection.all(sql(some, false)), some, true)
    const keep = (some: readonly Scalar[], results: Result[]): Result[] => {
      if (text === undefined) return results
      const kept = results.map((result, at) => ({ value: some[at]!, result, documents: documents(result) })).filter(({ value }) => !this.#cache!.asked.isFirst(`${name} ${path} ${value}`))
      if (kept.length > 0) this.#cache!.documents.results.addByValue(name, text, kept)
      return results
    }
    const version = text === undefined ? undefined : this.#cache!.refresh()
    const known: ResultsByValue | undefined = text === undefined ? undefined : this.#cache!.documents.results.byValue(name, text)
    const cached = known && values.map((value) => known.get(value) as Result | undefined)
    const missing = cached ? values.filter((_, at) => cached[at] === undefined) : values
    if (missing.length === 0) return cached as Result[]
    if (isLong(missing)) return this.#onThread(sql(values, true), (rows, areCurrent) => read(rows, values, areCurrent), (results) => keep(values, results))
    const results = keep(missing, ask(missing))
    if (missing.length === values.length) return results
    // Another process may have written in between, and one result must show one state of the store.
    if (this.#cache!.refresh() !== version) return keep(values, ask(values))
    let next = 0
    return cached!.map((result) => result ?? results[next++]!)
  }

  /** A result that is not cached. */
  once<Result>(sql: (stoppable: boolean) => Sql, isLong: boolean, read: (rows: readonly Row[]) => Result): Result | Promise<Result> {
    return isLong ? this.#onThread(sql(true), read, () => undefined) : read(this.#connection.all(sql(false)))
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

  /** Results that may contain uncommitted documents are not cached. */
  #canCache(name: string): boolean {
    return this.#cache !== undefined && !this.#cache.uncommitted?.touches(name)
  }

  #cached(name: string, text: string | undefined): unknown {
    if (text === undefined) return undefined
    this.#cache!.refresh()
    return this.#cache!.documents.results.get(name, text)
  }
}
