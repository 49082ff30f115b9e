// An existing SQLite file. A file of Quire has a table per container with the documents in `body`. Any other file has tables whose
// rows are the documents: a column of JSON objects, or else all columns. The file is opened read-only and not a byte of it changes.

import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from 'node:sqlite'
import type { Body } from '../../../model/json/json.ts'
import { ConfigError } from '../../../errors.ts'
import { countInPages, type ExistingContainer, type ExistingDatabase, type ExistingSelection } from '../../existing/existing-database.ts'
import type { Path, Scalar } from '../../query.ts'
import { sqliteError } from '../sqlite-errors.ts'
import { idExpression } from './id-expression.ts'
import { columnsRead, documentOf, type Row } from './row-documents.ts'
import { tablesOf, type Table } from './tables.ts'

const rowsPerPage = 500
/** A sample is taken from so many places of a table. */
const samplePlaces = 100

export function openExistingSqlite(file: string): ExistingDatabase {
  if (!existsSync(file)) throw new ConfigError(`There is no file ${file}. Give the path of a SQLite file, such as sqlite:shop.db.`)
  try {
    const database = new DatabaseSync(readOnlyUrl(file), { readOnly: true })
    const tables = tablesOf(database)
    return new FoundSqlite(database, tables)
  } catch (error) {
    throw sqliteError(file, 'open', error)
  }
}

/**
 * Even a reader would create the files of a write-ahead log beside one that has none, unless SQLite may take it for immutable. With a log, other
 * processes may be writing, and the documents in the log count too.
 */
function readOnlyUrl(file: string): URL {
  const url = pathToFileURL(resolve(file))
  const log = `${file}-wal`
  if (!existsSync(log) || statSync(log).size === 0) url.searchParams.set('immutable', '1')
  return url
}

class FoundSqlite implements ExistingDatabase {
  readonly containers: readonly ExistingContainer[]
  readonly isServable: boolean
  readonly #database: DatabaseSync
  readonly #tables: ReadonlyMap<string, Table>

  constructor(database: DatabaseSync, tables: readonly Table[]) {
    this.#database = database
    this.#tables = new Map(tables.map((table) => [table.name, table]))
    this.containers = tables.map(({ container }) => container)
    this.isServable = tables.length > 0 && tables.every(({ isOwn }) => isOwn)
  }

  async *pages(container: string, max: number): AsyncGenerator<readonly Body[]> {
    const table = this.#tables.get(container)!
    let page: Body[] = []
    for (const row of max >= table.rows || !table.hasRowId ? this.#rows(table, '', max) : this.#spread(table, max)) {
      const document = documentOf(table, row)
      if (document) page.push(document)
      if (page.length < rowsPerPage) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  }

  async find(container: string, ids: readonly string[]): Promise<readonly Body[]> {
    const table = this.#tables.get(container)!
    const wanted = JSON.stringify(ids)
    return [...this.#rows(table, `WHERE ${idExpression(table)} IN (SELECT value FROM json_each(?))`, Infinity, wanted)].map((row) => documentOf(table, row)).filter((document) => document !== undefined)
  }

  countEach(selection: ExistingSelection, path: Path, values: readonly Scalar[]): Promise<readonly number[]> {
    return countInPages(this.pages(selection.container, Infinity), selection, path, values)
  }

  spent(): { requests: number } {
    return { requests: 0 }
  }

  async close(): Promise<void> {
    this.#database.close()
  }

  #rows(table: Table, where: string, limit: number, ...values: string[]): Iterable<Row> {
    const statement = this.#database.prepare(`SELECT ${columnsRead(table)} FROM ${table.quoted} ${where}${Number.isFinite(limit) ? ` LIMIT ${limit}` : ''}`)
    // Without it, a number that JavaScript cannot hold would end the reading.
    statement.setReadBigInts(true)
    return statement.iterate(...values) as Iterable<Row>
  }

  /** Some rows from each of many places. */
  *#spread(table: Table, max: number): Generator<Row> {
    const { low, high } = this.#database.prepare(`SELECT min(rowid) AS low, max(rowid) AS high FROM ${table.quoted}`).get() as { low: number; high: number }
    const perPlace = Math.ceil(max / samplePlaces)
    let taken = 0
    let from = low
    for (let place = 1; place <= samplePlaces && taken < max; place++) {
      const to = place === samplePlaces ? high + 1 : Math.max(from, Math.floor(low + ((high + 1 - low) * place) / samplePlaces))
      for (const row of this.#rows(table, `WHERE rowid >= ${from} AND rowid < ${to}`, Math.min(perPlace, max - taken))) {
        taken++
        yield row
      }
      from = to
    }
  }
}
