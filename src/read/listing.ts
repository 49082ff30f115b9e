// A list that can be read in pages, from a query or from buckets. Relay's terms (edges, cursors, first and
// last) are not used here: plan/field-arguments.ts and execute/connection.ts translate them.

import type { Position } from '../model/keys/position.ts'
import { scalarAt } from '../store/conditions.ts'
import { whenRead, type MaybePending } from '../store/maybe-promise.ts'
import type { Order, Selection } from '../store/query.ts'
import type { StoredDocument } from '../store/store.ts'
import type { Asker } from './read-log.ts'
import type { Belonging, Reads } from './reads.ts'

export interface Listing {
  /** Names the list and its order: a cursor is valid in one scope only. */
  readonly scope: string
  readonly page: (window: Window) => MaybePending<Page>
  readonly count: () => MaybePending<number>
}

/** How many entries, after which one, and from which end. */
export interface Window {
  readonly limit: number
  readonly after: Position | undefined
  readonly backwards: boolean
  /** Whether the operation asks if more entries follow: finding out costs one entry more. */
  readonly peek: boolean
}

/** Nodes in the order of the window: a page from the end of a list starts with the last node. */
export interface Page<N = unknown> {
  readonly nodes: readonly N[]
  /** The position of a node, by its index: computed only when a cursor is asked for, which is rare. */
  readonly positionOf: (index: number) => Position
  /** Whether more nodes follow the page; not known without a peek. */
  readonly more: boolean
}

/** The list of documents that a query finds. */
export function queryListing(reads: Reads, asker: Asker, selection: Selection, orderBy: Order, whose?: Belonging) {
  return {
    scope: `${asker.field} by ${orderBy.path.join('.')}${orderBy.descending ? ' descending' : ''}`,
    page: ({ limit, after, backwards, peek }: Window): MaybePending<Page<StoredDocument>> => {
      const query = {
        ...selection,
        orderBy: { ...orderBy, descending: orderBy.descending !== backwards },
        ...(after ? { after } : {}),
        limit: peek ? limit + 1 : limit,
      }
      return whenRead(reads.page(query, whose, asker), (documents) => {
        const more = documents.length > limit
        const nodes = more ? documents.slice(0, limit) : documents
        return { nodes, more, positionOf: (index) => ({ value: scalarAt(orderBy.path, nodes[index]!.body), id: nodes[index]!.key.id }) }
      })
    },
    count: () => reads.count(selection, whose, asker),
  } satisfies Listing
}
