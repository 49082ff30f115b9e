// Finds the documents of a query in the memory store. There are two ways to the same page:
//
//   walk    the index in the wanted order, from the position on, and test each document until the page is full
//   gather  the documents of the narrowest condition from its own index, test them and sort them
//
// A walk is short if many documents match, a gathering if few do. Indexes know how many, so the shorter way is chosen.

import { partitionText, type Partition } from '../../model/keys/key.ts'
import { conjuncts, matcher, positionOf, positionsIn } from '../conditions.ts'
import { furtherIn, type Condition, type Path, type Query, type Scalar, type Selection } from '../query.ts'
import type { StoredDocument } from '../store.ts'
import { afterPosition, narrowed, narrowestEntry, partInOrder, type Entry, type Part } from './index-parts.ts'
import type { MemoryContainer } from './memory-container.ts'

/** A walk of so few documents is not worth a comparison with other ways. */
const shortWalk = 64

/** To gather and sort a document takes about as long as to walk past so many. */
const sortingFactor = 6

export function findPage(container: MemoryContainer, query: Query): StoredDocument[] {
  const part = partInOrder(container, query, query.orderBy, query.after)
  const length = part.to - part.from
  const narrowest = part.rest.length > 0 && length > shortWalk ? narrowestEntry(container, query, part.rest) : undefined
  if (narrowest === undefined || narrowest.size >= length) return walk(part, query)
  const gathering = sortingFactor * narrowest.size
  // The length of the walk if matches are spread evenly. If they are not, it ends when gathering would have taken as long.
  const walking = (query.limit * length) / Math.max(1, narrowest.size)
  const found = walking > gathering ? undefined : walkUpTo(gathering, part, query)
  return found ?? gather(narrowest, query)
}

/** A page for each of several values at a path. */
export function findPages(container: MemoryContainer, query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][] {
  const { orderBy, after, tenant, partition } = query
  const further = furtherIn(orderBy)
  const index = container.index(query, by, orderBy.path, further)
  const conditions = conjuncts(query.where)
  return values.map((value) => walk(afterPosition(narrowed(index.rows(tenant, value), orderBy.path, conditions, further), orderBy, after), query, partition))
}

export function countFound(container: MemoryContainer, selection: Selection): number {
  const narrowest = narrowestEntry(container, selection, conjuncts(selection.where))
  if (narrowest && selection.partition === undefined && !narrowest.repeats && narrowest.parts.every(({ rest }) => rest.length === 0)) return narrowest.size
  const part = partInOrder(container, selection, { path: ['id'], descending: false })
  return narrowest && narrowest.size < part.to - part.from ? gathered(narrowest, selection).length : countIn(part)
}

/** The number of documents for each of several values at a path. */
export function countFoundFor(container: MemoryContainer, selection: Selection, by: Path, values: readonly Scalar[]): number[] {
  const index = container.index(selection, by, ['id'])
  const conditions = conjuncts(selection.where)
  return values.map((value) => countIn(narrowed(index.rows(selection.tenant, value), ['id'], conditions), selection.partition))
}

function walk(part: Part, query: Query, partition?: Partition): StoredDocument[] {
  return walkUpTo(Infinity, part, query, partition)!
}

/** The page, or undefined if it is not complete after so many documents. */
function walkUpTo(most: number, { rows, from, to, rest }: Part, { limit, orderBy: { descending } }: Query, partition?: Partition): StoredDocument[] | undefined {
  if (rest.length === 0 && partition === undefined) return rows.slice(from, to, descending, limit)
  const isSelected = tester(rest, partition)
  const found: StoredDocument[] = []
  let left = most
  if (limit > 0) rows.walk(from, to, descending, (document) => {
    if (isSelected(document)) found.push(document)
    return found.length < limit && --left > 0
  })
  return left > 0 || found.length >= limit ? found : undefined
}

/** Each document's value is read once. */
function gather(entry: Entry, query: Query): StoredDocument[] {
  const { orderBy, after, limit } = query
  const compare = positionsIn(orderBy)
  const found = gathered(entry, query).map((document) => ({ document, ...positionOf(document, orderBy) }))
  const behind = after === undefined ? found : found.filter((each) => compare(each, after) > 0)
  return behind.toSorted(compare).slice(0, limit).map(({ document }) => document)
}

/** All matches of the selection, in no particular order. */
function gathered({ parts, repeats }: Entry, { partition, where }: Selection): StoredDocument[] {
  const isSelected = tester(conjuncts(where), partition)
  const found: StoredDocument[] = []
  for (const { rows, from, to } of parts) rows.walk(from, to, false, (document) => {
    if (isSelected(document)) found.push(document)
    return true
  })
  return repeats ? [...new Set(found)] : found
}

function countIn({ rows, from, to, rest }: Part, partition?: Partition): number {
  if (rest.length === 0 && partition === undefined) return Math.max(0, to - from)
  const isSelected = tester(rest, partition)
  let count = 0
  rows.walk(from, to, false, (document) => {
    if (isSelected(document)) count++
    return true
  })
  return count
}

function tester(conditions: readonly Condition[], partition: Partition | undefined): (document: StoredDocument) => boolean {
  const isMatch = matcher({ op: 'and', conditions })
  if (partition === undefined) return ({ body }) => isMatch(body)
  const wanted = partitionText(partition)
  return ({ key, body }) => partitionText(key.partition) === wanted && isMatch(body)
}
