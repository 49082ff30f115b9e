// The data source of every peer: parsed documents in memory, or a copy of the SQLite file that Quire reads. A batch of ids is one
// call, and so is a page.

import { readFileSync } from 'node:fs'
import type { AuthorDocument, BookDocument, Documents, PersonDocument, PortfolioDocument, PublisherDocument, StockDocument } from './documents.ts'
import { memoryLibrary } from './memory-library.ts'
import { sqliteLibrary } from './sqlite-library.ts'

/** Reads the documents with these ids, in the order of the ids. */
export type ByIds<D> = (ids: readonly string[]) => (D | undefined)[]

/** Reads the first documents, ordered by id. */
export type First<D> = (first: number) => D[]

export interface Library {
  readonly books: ByIds<BookDocument>
  readonly authors: ByIds<AuthorDocument>
  readonly publishers: ByIds<PublisherDocument>
  readonly people: ByIds<PersonDocument>
  readonly stocks: ByIds<StockDocument>
  /** The first books after an id, ordered by id. */
  readonly page: (first: number, after: string | undefined) => BookDocument[]
  readonly search: (search: Search) => BookDocument[]
  readonly firstAuthors: First<AuthorDocument>
  readonly firstPublishers: First<PublisherDocument>
  readonly firstPortfolios: First<PortfolioDocument>
  readonly renameAuthor: (id: string, lastName: string) => AuthorDocument
  readonly renamePublisher: (id: string, name: string) => PublisherDocument
}

/** A filter and an order of books. Books with equal values are ordered by id, in the same direction. */
export interface Search {
  readonly first: number
  readonly from?: number | null | undefined
  readonly to?: number | null | undefined
  readonly publisherId?: string | null | undefined
  readonly field: 'ID' | 'NAME' | 'YEAR'
  readonly descending: boolean
}

export function openLibrary(env: NodeJS.ProcessEnv): Library {
  if (env['BENCH_SQLITE']) return sqliteLibrary(env['BENCH_SQLITE'])
  if (env['BENCH_DOCUMENTS']) return memoryLibrary(JSON.parse(readFileSync(env['BENCH_DOCUMENTS'], 'utf8')) as Documents)
  throw new Error('No documents to serve: set BENCH_DOCUMENTS to a JSON file or BENCH_SQLITE to a SQLite file.')
}

/** Reads several lists of documents with one call, each document once. */
export function listsByIds<D>(read: ByIds<D>, lists: readonly (readonly string[])[]): (D | undefined)[][] {
  const ids = [...new Set(lists.flat())]
  const documents = read(ids)
  const documentById = new Map(ids.map((id, at) => [id, documents[at]]))
  return lists.map((list) => list.map((id) => documentById.get(id)))
}
