// Reads from SQLite, through the cache of documents and query results: which statement answers each call of the port, and whether
// it is long. Which connection it reads from, and so which writes it sees, is decided in sqlite-engine.ts.
//
// The cache is never older than what SQLite would return at that moment. `PRAGMA data_version`, read before each use, changes
// whenever another connection in any process has committed, and then what it has written is dropped; this store's own writes
// are dropped as they are made. The pragma takes about half as long as reading one document.

import type { Key } from '../../model/keys/key.ts'
import type { Aggregated, Aggregation } from '../aggregate/aggregation.ts'
import { inOrder } from '../conditions.ts'
import type { EngineReads } from '../in-process/in-process-store.ts'
import { whenReady } from '../maybe-promise.ts'
import { containerNamed } from '../write-condition.ts'
import type { Path, Query, Scalar, Selection } from '../query.ts'
import type { EachValue, Lookup, StoredDocument } from '../store.ts'
import { chooseForAll, chooseForCount, chooseForQuery, type IndexChoice, type TableSizes } from './choose-index.ts'
import type { SqliteConnection } from './connection.ts'
import type { SqliteContainer } from './prepare-layout.ts'
import { DocumentReads } from './read/document-reads.ts'
import type { ReadCache } from './read/read-cache.ts'
import { ResultReads } from './read/result-reads.ts'
import { aggregateSql, groupsFrom } from './sql/aggregate-sql.ts'
import { countEachSql, countSql, countUpToSql, queryEachSql, querySql } from './sql/read-sql.ts'
import type { QueryThreads } from './worker/query-threads.ts'

export interface SqliteReadsOptions {
  readonly connection: SqliteConnection
  readonly containers: ReadonlyMap<string, SqliteContainer>
  readonly cache: ReadCache | undefined
  /** The threads for long queries; without them they run here. */
  readonly threads: QueryThreads | undefined
}

/** To count so many entries of an index takes some milliseconds. */
const maxCountedHere = 100_000

export class SqliteReads implements EngineReads {
  readonly #connection: SqliteConnection
  readonly #containers: ReadonlyMap<string, SqliteContainer>
  readonly #threads: QueryThreads | undefined
  readonly #documents: DocumentReads
  readonly #results: ResultReads

  constructor({ connection, containers, cache, threads }: SqliteReadsOptions) {
    this.#connection = connection
    this.#containers = containers
    this.#threads = threads
    this.#documents = new DocumentReads(connection, containers, cache)
    this.#results = new ResultReads(connection, cache, threads)
  }

  readMany(name: string, keys: readonly Key[]): (StoredDocument | undefined)[] {
    return this.#documents.readMany(name, keys)
  }

  lookIn(name: string): Lookup | undefined {
    return this.#documents.lookIn(name)
  }

  sizes(name: string, keys: readonly Key[]): (number | undefined)[] {
    return this.#documents.sizes(name, keys)
  }

  query(query: Query): StoredDocument[] | Promise<StoredDocument[]> {
    const container = containerNamed(this.#containers, query.container)
    const page = this.#results.one<StoredDocument[]>(query.container, () => `query ${JSON.stringify(query)}`, () => {
      const { chosen, rows } = chooseForQuery(container, query, this.#sizesOf(container))
      return {
        sql: (stoppable) => querySql(container, query, chosen, stoppable),
        isLong: this.#isLong(container, rows),
        read: (found, areCurrent) => found.map((row) => this.#documents.documentOf(query.container, row, areCurrent)),
        documents: (found) => found,
      }
    })
    // The cache keeps the list, so the caller gets a copy that it may change.
    return page instanceof Promise ? page.then((found) => found.slice()) : page.slice()
  }

  queryEach(query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][] | Promise<StoredDocument[][]> {
    const container = containerNamed(this.#containers, query.container)
    const pages = this.#results.byValue<StoredDocument[]>(query.container, () => `each ${JSON.stringify([query, by])}`, by, values, {
      // The index of the values has their documents in order. Only a condition makes it look at others.
      isLong: () => query.where !== undefined && this.#isLong(container, 'all'),
      sql: (some, stoppable) => queryEachSql(container, query, by, some, stoppable),
      read: (rows, some, areCurrent) => {
        const found = some.map((): StoredDocument[] => [])
        for (const row of rows) found[Number(row[4])]!.push(this.#documents.documentOf(query.container, row, areCurrent))
        return found.map((page) => page.toSorted(inOrder(query.orderBy)))
      },
      documents: (page) => page,
    })
    return whenReady(pages, (found) => found.map((page) => page.slice()))
  }

  count(selection: Selection): number | Promise<number> {
    const container = containerNamed(this.#containers, selection.container)
    return this.#results.one<number>(selection.container, () => `count ${JSON.stringify(selection)}`, () => {
      const choice = chooseForCount(container, selection, this.#sizesOf(container))
      if (typeof choice === 'number') return choice
      const { chosen, rows } = choice
      return { sql: (stoppable) => countSql(container, selection, chosen, stoppable), isLong: this.#isLong(container, rows), read: ([row]) => Number(row![0]), documents: () => [] }
    })
  }

  countEach(selection: Selection, by: Path, values: readonly Scalar[]): number[] | Promise<number[]> {
    const container = containerNamed(this.#containers, selection.container)
    return this.#results.byValue<number>(selection.container, () => `counts ${JSON.stringify([selection, by])}`, by, values, {
      isLong: (some) => this.#areManyOf(container, selection, { by, values: some }),
      sql: (some, stoppable) => countEachSql(container, selection, by, some, { stoppable }),
      read: (rows, some) => {
        const found = some.map(() => 0)
        for (const [nth, count] of rows) found[Number(nth)] = Number(count)
        return found
      },
      documents: () => [],
    })
  }

  /** Not cached: a result has no documents by which its size is known. */
  aggregate(selection: Selection, aggregation: Aggregation, each: EachValue | undefined): Aggregated[] | Promise<Aggregated[]> {
    const container = containerNamed(this.#containers, selection.container)
    const { chosen, rows }: IndexChoice = each ? { rows: this.#areManyOf(container, selection, each) ? 'all' : undefined } : chooseForAll(container, selection, this.#sizesOf(container))
    return this.#results.once((stoppable) => aggregateSql(container, selection, aggregation, { each, chosen, stoppable }), this.#isLong(container, rows), (found) => groupsFrom(found, aggregation, each))
  }

  #areManyOf(container: SqliteContainer, selection: Selection, { by, values }: EachValue): boolean {
    return this.#isLong(container, 'all') && (selection.where !== undefined || this.#haveManyEntries(container, selection, by, values))
  }

  /** Whether some value has so many documents that all of them together may be too many to count here. */
  #haveManyEntries(container: SqliteContainer, selection: Selection, by: Path, values: readonly Scalar[]): boolean {
    const most = Math.ceil(maxCountedHere / values.length)
    return this.#connection.all(countEachSql(container, selection, by, values, { most })).some(([, count]) => Number(count) >= most)
  }

  /** `looksAt` is how many documents a statement may have to look at; undefined if they are few. */
  #isLong(container: SqliteContainer, looksAt: number | 'all' | undefined): boolean {
    return this.#threads !== undefined && looksAt !== undefined && (looksAt === 'all' ? this.#maxRows(container) : looksAt) > this.#threads.longRows
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
}
