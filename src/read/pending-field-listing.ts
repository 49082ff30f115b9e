// A list that is filtered or ordered by fields that some stored documents do not have yet. The values are computed for every document that
// may be in the list, and the filter and order are applied here. This works for few documents only: the store cannot find the page.

import { clientError } from '../graphql-errors.ts'
import { conjuncts, inOrder, matcher, positionOf, positionsIn } from '../store/conditions.ts'
import { allRead, whenRead, type MaybePending } from '../store/maybe-promise.ts'
import { reversed, type Condition, type Order, type Path, type Selection } from '../store/query.ts'
import type { Body, Json } from '../model/json/json.ts'
import type { StoredDocument } from '../store/store.ts'
import type { Listing, Page, Window } from './listing.ts'
import type { Asker } from './read-log.ts'
import type { Reads } from './reads.ts'

/** A value that documents may lack, and how to find it out. */
export interface PendingField {
  readonly coordinate: string
  /** Where it will be stored: one property. */
  readonly property: string
  readonly value: (holder: Body) => MaybePending<Json>
}

/** Few enough that finding out their values takes a batch or two. */
const maxDocuments = 1000

/** `scope` is that of the same list once everything is stored, so its cursors stay valid. */
export function pendingFieldListing(reads: Reads, asker: Asker, scope: string, { where, ...selection }: Selection, orderBy: Order, missing: readonly PendingField[]): Listing {
  const isMissing = (path: Path): boolean => missing.some(({ property }) => path[0] === property)
  const stored = conjuncts(where).filter((each) => !mentions(each, isMissing))
  const query = { ...selection, ...(stored.length > 0 ? { where: { op: 'and' as const, conditions: stored } } : {}), orderBy: { path: ['id'], descending: false }, limit: maxDocuments + 1 }
  const isMatch = where ? matcher(where) : () => true
  const found = (): MaybePending<Found[]> => whenRead(reads.page(query, undefined, asker), (documents) => {
    if (documents.length > maxDocuments) throw tooMany(missing)
    const values = allRead(documents.length * missing.length, (at) => missing[at % missing.length]!.value(documents[Math.floor(at / missing.length)]!.body))
    return whenRead(values, (all) => documents.map((document, nth) => {
      const truths = missing.map(({ property }, at) => [property, all[nth * missing.length + at]] as const)
      return { document, complete: { ...document, body: { ...document.body, ...Object.fromEntries(truths) } } }
    }).filter(({ complete }) => isMatch(complete.body)))
  })
  return {
    scope,
    page: ({ limit, after, backwards }: Window) => whenRead(found(), (all) => pageOf(all, backwards ? reversed(orderBy) : orderBy, limit, after)),
    count: () => whenRead(found(), ({ length }) => length),
  }
}

interface Found {
  readonly document: StoredDocument
  /** With the values that were found out. */
  readonly complete: StoredDocument
}

function pageOf(all: readonly Found[], order: Order, limit: number, after: Window['after']): Page<StoredDocument> {
  const compare = inOrder(order)
  const comparePositions = positionsIn(order)
  const following = all.filter(({ complete }) => !after || comparePositions(positionOf(complete, order), after) > 0)
    .toSorted((one, other) => compare(one.complete, other.complete))
  const page = following.slice(0, limit)
  return { nodes: page.map(({ document }) => document), more: following.length > limit, positionOf: (index) => positionOf(page[index]!.complete, order) }
}

function mentions(condition: Condition, isMissing: (path: Path) => boolean): boolean {
  if (condition.op === 'not') return mentions(condition.condition, isMissing)
  if ('conditions' in condition) return condition.conditions.some((each) => mentions(each, isMissing))
  // What elements of a list are compared by begins at the element.
  return isMissing(condition.op === 'some' ? condition.list : condition.path)
}

function tooMany(missing: readonly PendingField[]): Error {
  const names = missing.map(({ coordinate }) => coordinate).join(' and ')
  return clientError('CATCHING_UP', `${names} is being computed for documents that were stored before it was declared. Until then it can filter and order at most ${maxDocuments} documents. Filter by other fields so that fewer are left, or try again later.`)
}
