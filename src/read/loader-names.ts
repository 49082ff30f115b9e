// The names under which reads are batched: reads of one name in one wave are one call to the store. Reads
// sends them under these names, and planned-reads.ts counts on the same ones.

import type { DocumentType } from '../model/model.ts'
import type { Aggregation } from '../store/aggregate/aggregation.ts'
import type { Path, Query, Selection } from '../store/query.ts'

/** Documents by their keys. */
export function byKeyName(container: string): string {
  return `read ${container}`
}

/** Documents by their ids, where an id does not give the partition. */
export function byIdName({ name }: DocumentType): string {
  return `find ${name}`
}

/** A page of documents, of each parent's where `path` holds the parent's id. */
export function pageName(query: Query, path: Path | undefined): string {
  return `page ${JSON.stringify([query, path])}`
}

export function aggregateName(selection: Selection, aggregation: Aggregation, path: Path | undefined): string {
  return `aggregate ${JSON.stringify([selection, aggregation, path])}`
}

export function countName(selection: Selection, path: Path | undefined): string {
  return `count ${JSON.stringify([selection, path])}`
}
