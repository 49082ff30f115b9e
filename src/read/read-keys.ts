// What will be asked of the store, said before anything is: the same questions that Reads sends, under
// the same names, so that what travels together there can be told here. Nothing is read in this file.

import { isFoundById, partitionFrom } from '../model/keys/partition.ts'
import type { DocumentType } from '../model/model.ts'
import type { Path, Query, Selection } from '../store/query.ts'
import type { Window } from './listing.ts'
import { selectionOf } from './selection.ts'

/** At least so many and at most so many, where only data can say how many. */
export interface Range {
  readonly least: number
  readonly most: number
}

/** One kind of question. */
export interface Asked {
  readonly by: 'key' | 'page' | 'count'
  readonly container: string
  /** Questions of one name that are asked in one wave are one call. */
  readonly loader: string
  /** How many keys one holder asks for. A page and a count are asked for by one. */
  readonly keys: Range
  /** How many documents one key is answered with. */
  readonly documents: Range
  /** Whose documents they are, where they are of a declared type. */
  readonly type?: DocumentType
  /** What a query asks for; a document is found by query where its id does not say where it is. */
  readonly selection?: Selection
  /** The property by which documents belong to their holder. */
  readonly path?: Path
}

/** What resolving a relation asks for, of one holder. */
export interface Asks {
  /** One after the other: each is asked when the one before it is answered. */
  readonly stages: readonly Asked[]
  /** How many rows come of it. */
  readonly rows: Range
  /** Whether a holder may have its rows without asking anything. */
  readonly optional?: boolean
  /** What its length takes, where it is not at hand. */
  readonly count?: Asked
}

export const once: Range = { least: 1, most: 1 }

export function upTo(most: number): Range {
  return { least: 0, most }
}

/** Documents of a type by their ids, with what else is known of where they are. */
export function askedById(type: DocumentType, keys: Range, known?: object): Asked {
  const located = known ? partitionFrom(type, { id: '0', ...known }) !== undefined : isFoundById(type)
  if (located) return { ...askedByKey(type.container, keys), type }
  return { by: 'key', container: type.container, loader: `find ${type.name}`, keys, documents: upTo(1), type, selection: selectionOf(type) }
}

/** Documents by their keys. */
export function askedByKey(container: string, keys: Range): Asked {
  return { by: 'key', container, loader: `read ${container}`, keys, documents: upTo(1) }
}

/** One page of the documents of a type, of each holder's where a path says whose they are. */
export function askedPage(type: DocumentType, query: Query, path?: Path): Asked {
  return { by: 'page', container: query.container, loader: `page ${JSON.stringify([query, path])}`, keys: once, documents: upTo(query.limit), type, selection: query, ...(path ? { path } : {}) }
}

/** How many documents there are, of each holder's where a path says whose they are. */
export function askedCount(type: DocumentType, selection: Selection, path?: Path): Asked {
  return { by: 'count', container: selection.container, loader: `count ${JSON.stringify([selection, path])}`, keys: once, documents: upTo(0), type, selection, ...(path ? { path } : {}) }
}

/** A page of a list that a query finds. */
export function askedListing(type: DocumentType, selection: Selection, orderBy: Query['orderBy'], window: Window, path?: Path): Asks {
  const { limit, after, backwards, peek } = window
  const query = { ...selection, orderBy: { ...orderBy, descending: orderBy.descending !== backwards }, ...(after ? { after } : {}), limit: peek ? limit + 1 : limit }
  return { stages: [askedPage(type, query, path)], rows: upTo(limit), count: askedCount(type, selection, path) }
}
