// A copy of the SQLite file that Quire reads, with prepared statements and the same indexes. Writes are as durable as Quire's.

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { AuthorDocument, PublisherDocument } from './documents.ts'
import type { ByIds, First, Library, Search } from './library.ts'

/** The columns that Quire's indexes are on. A number has rank 2, a text rank 3. */
const columns = {
  ID: 'id',
  NAME: '"value of [""name""]"',
  YEAR: '"value of [""year""]"',
} as const

export function sqliteLibrary(file: string): Library {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = FULL')
  const firstBooks = database.prepare(`SELECT body FROM books WHERE type = 'book' ORDER BY id LIMIT ?`)
  const booksAfter = database.prepare(`SELECT body FROM books WHERE type = 'book' AND id > ? ORDER BY id LIMIT ?`)
  return {
    books: readerOf(database, `SELECT id, body FROM books WHERE type = 'book' AND id IN (SELECT value FROM json_each(?))`),
    authors: readerOf(database, 'SELECT id, body FROM authors WHERE id IN (SELECT value FROM json_each(?))'),
    publishers: readerOf(database, 'SELECT id, body FROM publishers WHERE id IN (SELECT value FROM json_each(?))'),
    people: readerOf(database, 'SELECT id, body FROM people WHERE id IN (SELECT value FROM json_each(?))'),
    stocks: readerOf(database, 'SELECT id, body FROM stocks WHERE id IN (SELECT value FROM json_each(?))'),
    page: (first, after) => bodies(after === undefined ? firstBooks.all(first) : booksAfter.all(after, first)),
    search: searcher(database),
    firstAuthors: firstOf(database, 'authors'),
    firstPublishers: firstOf(database, 'publishers'),
    firstPortfolios: firstOf(database, 'portfolios'),
    renameAuthor: renamer<AuthorDocument>(database, 'authors', 'lastName'),
    renamePublisher: renamer<PublisherDocument>(database, 'publishers', 'name'),
  }
}

/** One prepared statement for each combination of conditions and order. */
function searcher(database: DatabaseSync): Library['search'] {
  const statements = new Map<string, StatementSync>()
  return ({ first, from, to, publisherId, field, descending }: Search) => {
    const conditions = [
      { text: `"rank of [""year""]" = 2 AND ${columns.YEAR} >= ?`, value: from },
      { text: `"rank of [""year""]" = 2 AND ${columns.YEAR} <= ?`, value: to },
      { text: `"rank of [""pub-id""]" = 3 AND "value of [""pub-id""]" = ?`, value: publisherId },
    ].filter((condition) => condition.value != null)
    const direction = descending ? 'DESC' : 'ASC'
    const order = field === 'ID' ? `id ${direction}` : `"rank of [""${field.toLowerCase()}""]" ${direction}, ${columns[field]} ${direction}, id ${direction}`
    const text = `SELECT body FROM books WHERE ${[`type = 'book'`, ...conditions.map((condition) => condition.text)].join(' AND ')} ORDER BY ${order} LIMIT ?`
    const statement = statements.get(text) ?? database.prepare(text)
    statements.set(text, statement)
    return bodies(statement.all(...conditions.map(({ value }) => value!), first))
  }
}

function renamer<D>(database: DatabaseSync, table: string, field: keyof D & string): (id: string, value: string) => D {
  const statement = database.prepare(`UPDATE ${table} SET body = json_set(body, '$.${field}', ?) WHERE id = ? RETURNING body`)
  return (id, value) => JSON.parse(String(statement.get(value, id)!['body'])) as D
}

function firstOf<D>(database: DatabaseSync, table: string): First<D> {
  const statement = database.prepare(`SELECT body FROM ${table} ORDER BY id LIMIT ?`)
  return (first) => bodies(statement.all(first))
}

function readerOf<D>(database: DatabaseSync, text: string): ByIds<D> {
  const statement = database.prepare(text)
  return (ids) => {
    const found = new Map(statement.all(JSON.stringify(ids)).map(({ id, body }) => [String(id), JSON.parse(String(body)) as D]))
    return ids.map((id) => found.get(id))
  }
}

function bodies<D>(rows: readonly Record<string, unknown>[]): D[] {
  return rows.map(({ body }) => JSON.parse(String(body)) as D)
}
