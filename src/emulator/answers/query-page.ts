// One page of documents from one physical partition: those that match, in order, after a position, up to
// the item and byte limits of a page.

import type { Position } from './continuation.ts'
import { compareInOrder } from '../sql/compare.ts'
import { compileCondition, compileRef, compileShape } from '../sql/evaluate.ts'
import type { Query, Selection } from '../sql/syntax.ts'
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
  // What was returned before decides which rows are equal to others, and which are beyond an offset.
  const isWhole = isDistinct(query.selection) || query.slice !== undefined
  const condition = query.where === undefined ? () => true : compileCondition(query.where, [query.root])
  const payload = payloadOf(query.selection, query.root)
  let bytesScanned = 0
  let matches: Match[] = []
  for (const document of documents) {
    bytesScanned += document.bytes
    const row = [document.value]
    if (condition(row) !== true) continue
    const text = payload(document)
    // A value that is missing makes no row.
    if (text === undefined) continue
    const match = { values: values.map((value) => value(row)), ordinal: document.ordinal, document, text }
    if (isWhole || after === undefined || compare(match, after) > 0) matches.push(match)
  }
  matches.sort(compare)
  if (isDistinct(query.selection)) matches = [...new Map(matches.toReversed().map((match) => [match.text, match])).values()].toSorted(compare)
  if (query.slice) matches = matches.slice(query.slice.offset, query.slice.offset + query.slice.limit)
  if (isWhole && after !== undefined) matches = matches.filter((match) => compare(match, after) > 0)
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

interface Match extends Position {
  readonly document: StoredDocument
  /** JSON of what was selected of it. */
  readonly text: string
}

function isDistinct(selection: Selection): boolean {
  return selection.kind === 'documents' && selection.distinct === true
}

function payloadOf(selection: Selection, root: string): (document: StoredDocument) => string | undefined {
  if (selection.kind !== 'documents' || !selection.shape) return ({ text }) => text
  const shape = compileShape(selection.shape, [root])
  return ({ value }) => JSON.stringify(shape([value]))
}

function rowText({ selection }: Query, { values, document, text }: Match): string {
  if (!selection.rewritten) return text
  // A missing value becomes {}, which the SDK reads as "no value".
  const items = values.map((item) => ({ item }))
  return `{"_rid":${JSON.stringify(document.value['_rid'])},"orderByItems":${JSON.stringify(items)},"payload":${text}}`
}
