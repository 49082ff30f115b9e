// The data source of every peer: parsed documents in memory, or the same SQLite file that Quire reads. A batch of ids is one
// call, and so is a page.

import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export interface BookDocument {
  readonly id: string
  readonly name: string
  readonly authors: readonly { readonly id: string }[]
  readonly 'pub-id'?: string
}

export interface AuthorDocument {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly books: readonly string[]
}

export interface PublisherDocument {
  readonly id: string
  readonly name: string
}

/** Reads the documents with these ids, in the order of the ids. */
export type ByIds<D> = (ids: readonly string[]) => (D | undefined)[]

export interface Library {
  readonly books: ByIds<BookDocument>
  readonly authors: ByIds<AuthorDocument>
  readonly publishers: ByIds<PublisherDocument>
  /** The first books after an id, ordered by id. */
  readonly page: (first: number, after: string | undefined) => BookDocument[]
}

/** The content of the file in `BENCH_DOCUMENTS`. */
export interface Documents {
  readonly books: readonly BookDocument[]
  readonly authors: readonly AuthorDocument[]
  readonly publishers: readonly PublisherDocument[]
}

export function openLibrary(env: NodeJS.ProcessEnv): Library {
  if (env['BENCH_SQLITE']) return sqliteLibrary(env['BENCH_SQLITE'])
  if (env['BENCH_DOCUMENTS']) return memoryLibrary(JSON.parse(readFileSync(env['BENCH_DOCUMENTS'], 'utf8')) as Documents)
  throw new Error('No documents to serve: set BENCH_DOCUMENTS to a JSON file or BENCH_SQLITE to a SQLite file.')
}

function memoryLibrary({ books, authors, publishers }: Documents): Library {
  const sorted = books.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const positions = new Map(sorted.map(({ id }, position) => [id, position]))
  return {
    books: byIds(books),
    authors: byIds(authors),
    publishers: byIds(publishers),
    page(first, after) {
      const start = after === undefined ? 0 : positions.get(after)! + 1
      return sorted.slice(start, start + first)
    },
  }
}

function byIds<D extends { readonly id: string }>(documents: readonly D[]): ByIds<D> {
  const documentById = new Map(documents.map((document) => [document.id, document]))
  return (ids) => ids.map((id) => documentById.get(id))
}

/** Reads several lists of documents with one call, each document once. */
export function listsByIds<D>(read: ByIds<D>, lists: readonly (readonly string[])[]): (D | undefined)[][] {
  const ids = [...new Set(lists.flat())]
  const documents = read(ids)
  const documentById = new Map(ids.map((id, at) => [id, documents[at]]))
  return lists.map((list) => list.map((id) => documentById.get(id)))
}

function sqliteLibrary(file: string): Library {
  const database = new DatabaseSync(file, { readOnly: true })
  const firstBooks = database.prepare(`SELECT body FROM books WHERE type = 'book' ORDER BY id LIMIT ?`)
  const booksAfter = database.prepare(`SELECT body FROM books WHERE type = 'book' AND id > ? ORDER BY id LIMIT ?`)
  return {
    books: storedByIds(database, `SELECT id, body FROM books WHERE type = 'book' AND id IN (SELECT value FROM json_each(?))`),
    authors: storedByIds(database, 'SELECT id, body FROM authors WHERE id IN (SELECT value FROM json_each(?))'),
    publishers: storedByIds(database, 'SELECT id, body FROM publishers WHERE id IN (SELECT value FROM json_each(?))'),
    page(first, after) {
      const rows = after === undefined ? firstBooks.all(first) : booksAfter.all(after, first)
      return rows.map(({ body }) => JSON.parse(String(body)) as BookDocument)
    },
  }
}

function storedByIds<D>(database: DatabaseSync, text: string): ByIds<D> {
  const statement = database.prepare(text)
  return (ids) => {
    const found = new Map(statement.all(JSON.stringify(ids)).map(({ id, body }) => [String(id), JSON.parse(String(body)) as D]))
    return ids.map((id) => found.get(id))
  }
}
