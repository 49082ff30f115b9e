// One page of documents from one physical partition: those that match, in order, after a position, up to
// the item and byte limits of a page.

import type { Position } from './continuation.ts'
import { compareInOrder } from '../sql/compare.ts'
import { compileCondition, compileRef } from '../sql/evaluate.ts'
import type { Query } from '../sql/syntax.ts'
import type { StoredDocument } from '../storage/stored-document.ts'

export interface Page {
  readonly rows: readonly string[]
  /** The last document's position if there are more, else undefined. */
  readonly after: Position | undefined
  readonly bytesLoaded: number
}

export const longestPageBytes = 4 * 1024 * 1024

export function readPage(
  query: Query,
  documents: Iterable<StoredDocument>,
  { after, limit, scanned }: { after: Position | undefined; limit: number; scanned: boolean },
): Page {
  const values = query.orderBy.map(({ ref }) => compileRef(ref, [query.root]))
  const compare = comparison(query)
  const condition = query.where === undefined ? () => true : compileCondition(query.where, [query.root])
  let bytesScanned = 0
  const matches: (Position & { document: StoredDocument })[] = []
  for (const document of documents) {
    bytesScanned += document.bytes
    const row = [document.value]
    if (condition(row) !== true) continue
    const match = { values: values.map((value) => value(row)), ordinal: document.ordinal, document }
    if (after === undefined || compare(match, after) > 0) matches.push(match)
  }
  matches.sort(compare)
  const page = fitting(matches, limit)
  const last = page.at(-1)
  return {
    rows: page.map((match) => rowText(query, match)),
    after: last !== undefined && page.length < matches.length ? { values: last.values, ordinal: last.ordinal } : undefined,
    bytesLoaded: scanned ? bytesScanned : page.reduce((sum, { document }) => sum + document.bytes, 0),
  }
}

function comparison({ orderBy }: Query): (one: Position, other: Position) => number {
  return (one, other) => {
    for (const [i, { descending }] of orderBy.entries()) {
      const order = compareInOrder(one.values[i], other.values[i])
      if (order !== 0) return descending ? -order : order
    }
    return one.ordinal - other.ordinal
  }
}

function fitting<T extends { document: StoredDocument }>(matches: readonly T[], limit: number): T[] {
  const page: T[] = []
  let bytes = 0
  for (const match of matches) {
    bytes += match.document.bytes
    if (page.length >= limit || (bytes > longestPageBytes && page.length > 0)) break
    page.push(match)
  }
  return page
}

function rowText({ selection }: Query, { values, document }: Position & { document: StoredDocument }): string {
  if (!selection.rewritten) return document.text
  // A missing value becomes {}, which the SDK reads as "no value".
  const items = values.map((item) => ({ item }))
  return `{"_rid":${JSON.stringify(document.value['_rid'])},"orderByItems":${JSON.stringify(items)},"payload":${document.text}}`
}
