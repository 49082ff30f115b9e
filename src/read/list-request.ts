// What an operation requests of a list: which of its documents, in which order. Lists that were read already are filtered here; stores
// filter all others.

import type { Body } from '../model/json/json.ts'
import { inOrder, matcher } from '../store/conditions.ts'
import type { Order, Selection } from '../store/query.ts'
import type { StoredDocument } from '../store/store.ts'

export interface ListRequest {
  /** Of the documents that the list has. */
  readonly selection: Selection
  /** Undefined for the list's own order. */
  readonly orderBy: Order | undefined
  /** At most so many, where the list is no connection. */
  readonly first?: number | undefined
}

/** The entries of a list that match, in order. Documents that do not exist match nothing. */
export function narrowList<Entry>({ selection: { where }, orderBy, first }: ListRequest, entries: readonly (Entry | undefined)[], documentOf: (entry: Entry) => StoredDocument): Entry[] {
  const isMatch = where ? matcher(where) : undefined
  const found = entries.filter((entry): entry is Entry => entry !== undefined && (isMatch?.(documentOf(entry).body) ?? true))
  const compare = orderBy && inOrder(orderBy)
  if (compare) found.sort((one, other) => compare(documentOf(one), documentOf(other)))
  return first === undefined ? found : found.slice(0, first)
}

/** A copy as its document would be compared. */
export function documentOfCopy(body: Body): StoredDocument {
  return { key: { partition: [], id: String(body['id']) }, etag: '', bytes: 0, body }
}
