// A list whose entries are all read, and then filtered, ordered and paged in memory. Only for lists of bounded length.

import { badInput } from '../graphql-errors.ts'
import { matcher, positionOf, positionsIn } from '../store/conditions.ts'
import { whenRead, type MaybePending } from '../store/maybe-promise.ts'
import { reversed, type Order, type Position } from '../store/query.ts'
import type { StoredDocument } from '../store/store.ts'
import type { ListRequest } from './list-request.ts'
import type { Listing, Page, Window } from './listing.ts'

/** Longer lists are not read as a whole. */
export const maxFiltered = 1000

export interface InMemoryEntry {
  /** What the list shows. */
  readonly node: unknown
  /** What is compared. */
  readonly document: StoredDocument
  /** Its place in the list's own order, which no other entry has. */
  readonly place: string
}

/** Reads the entries when they are first needed, in the list's own order. */
export function inMemoryListing({ selection: { where }, orderBy }: ListRequest, ownScope: string, { coordinate }: { readonly coordinate: string }, read: () => MaybePending<readonly InMemoryEntry[]>): Listing {
  const isMatch = where ? matcher(where) : undefined
  const order: Order = orderBy ?? { path: [], descending: false }
  // An entry may be in a list twice.
  const placed = ({ document, place }: InMemoryEntry): Position => {
    const position = orderBy && positionOf(document, orderBy)
    return position ? { ...position, id: `${position.id}\0${place}` } : { value: place, id: place }
  }
  let found: MaybePending<readonly Placed[]> | undefined
  const all = (): MaybePending<readonly Placed[]> =>
    (found ??= whenRead(read(), (entries) => entries.filter(({ document }) => isMatch?.(document.body) ?? true).map((entry) => ({ node: entry.node, position: placed(entry) }))))
  return {
    scope: orderBy ? `${coordinate} by ${JSON.stringify(orderBy)}` : ownScope,
    page: (window) => whenRead(all(), (entries) => pageOf(entries, window.backwards ? reversed(order) : order, window)),
    count: () => whenRead(all(), ({ length }) => length),
  }
}

interface Placed {
  readonly node: unknown
  readonly position: Position
}

function pageOf(entries: readonly Placed[], order: Order, { limit, after }: Window): Page {
  const compare = positionsIn(order)
  const following = entries.filter(({ position }) => !after || compare(position, after) > 0).toSorted((one, other) => compare(one.position, other.position))
  const page = following.slice(0, limit)
  return { nodes: page.map(({ node }) => node), more: following.length > limit, positionOf: (index) => page[index]!.position }
}

export function tooLong(coordinate: string, max: number): Error {
  return badInput(`${coordinate} has more than ${max} entries, which are too many to filter or order. Read it page by page without filter and orderBy, or declare a larger filterUpTo (at most ${maxFiltered}).`)
}
