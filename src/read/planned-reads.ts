// The reads that a relation or a root field will send, described before anything is sent. Explain and the cost
// limit work with these. They have the same names as the real reads (loader-names.ts), so it is known which
// of them travel together. Nothing is read in this file.

import { isFoundById, partitionFrom } from '../model/keys/partition.ts'
import type { DocumentType } from '../model/model.ts'
import { reversed, type Path, type Query, type Selection } from '../store/query.ts'
import type { Window } from './listing.ts'
import { byIdName, byKeyName, countName, pageName } from './loader-names.ts'
import { selectionOf } from './selection.ts'

/** A minimum and a maximum, where only the data can say how many. */
export interface Range {
  readonly least: number
  readonly most: number
}

/** One kind of read. */
export interface PlannedRead {
  readonly by: 'key' | 'page' | 'count'
  readonly container: string
  /** Reads of one name in one wave are one call. */
  readonly loader: string
  /** How many keys one holder needs. A page or a count is one key. */
  readonly keys: Range
  /** How many documents one key finds. */
  readonly documents: Range
  /** The type of the documents, where the schema declares it. */
  readonly type?: DocumentType
  /** The selection of a query. A document whose id does not give its partition is found by a query, too. */
  readonly selection?: Selection
  /** The property that links documents to their holder. */
  readonly path?: Path
}

/** All reads for a relation of one holder. */
export interface PlannedReads {
  /** In order: each needs the answer of the one before it. */
  readonly stages: readonly PlannedRead[]
  /** How many rows they find. */
  readonly rows: Range
  /** Whether a holder may have its rows without any read. */
  readonly optional?: boolean
  /** The read for the length of the list, where it takes one. */
  readonly count?: PlannedRead
  /** Whether the length is known only when the rows are read. */
  readonly countsByReading?: boolean
}

export const once: Range = { least: 1, most: 1 }

export function upTo(most: number): Range {
  return { least: 0, most }
}

/** Documents of a type by their ids. `known` are properties that may give the partition. */
export function plannedById(type: DocumentType, keys: Range, known?: object): PlannedRead {
  const located = known ? partitionFrom(type, { id: '0', ...known }) !== undefined : isFoundById(type)
  if (located) return { ...plannedByKey(type.container, keys), type }
  return { by: 'key', container: type.container, loader: byIdName(type), keys, documents: upTo(1), type, selection: selectionOf(type) }
}

/** Documents by their keys. */
export function plannedByKey(container: string, keys: Range): PlannedRead {
  return { by: 'key', container, loader: byKeyName(container), keys, documents: upTo(1) }
}

/** One page of the documents of a type; each holder's own, where a path links them to it. */
export function plannedPage(type: DocumentType, query: Query, path?: Path): PlannedRead {
  return { by: 'page', container: query.container, loader: pageName(query, path), keys: once, documents: upTo(query.limit), type, selection: query, ...(path ? { path } : {}) }
}

/** The number of documents of a type; each holder's own, where a path links them to it. */
export function plannedCount(type: DocumentType, selection: Selection, path?: Path): PlannedRead {
  return { by: 'count', container: selection.container, loader: countName(selection, path), keys: once, documents: upTo(0), type, selection, ...(path ? { path } : {}) }
}

/** A page of a list that a query finds, and the count of that list. */
export function plannedListing(type: DocumentType, selection: Selection, orderBy: Query['orderBy'], window: Window, path?: Path): PlannedReads {
  const { limit, after, backwards, peek } = window
  const query = { ...selection, orderBy: backwards ? reversed(orderBy) : orderBy, ...(after ? { after } : {}), limit: peek ? limit + 1 : limit }
  return { stages: [plannedPage(type, query, path)], rows: upTo(limit), count: plannedCount(type, selection, path) }
}
