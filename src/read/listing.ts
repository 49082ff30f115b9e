// A list that can be read in pages, from a query or from buckets. Relay's terms (edges, cursors, first and
// last) are not used here: plan/field-arguments.ts and execute/relay-connection.ts translate them.

import type { Position } from '../model/keys/position.ts'
import { positionOf } from '../store/conditions.ts'
import { whenRead, type MaybePending } from '../store/maybe-promise.ts'
import { reversed, type Order, type Query, type Selection } from '../store/query.ts'
import type { StoredDocument } from '../store/store.ts'
import type { Asker } from './read-log.ts'
import type { Belonging, Reads } from './reads.ts'

export interface Listing {
  /** Names the list and its order: a cursor is valid in one scope only. */
  readonly scope: string
  page(window: Window): MaybePending<Page>
  count(): MaybePending<number>
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
  positionOf(index: number): Position
  /** Whether more nodes follow the page; not known without a peek. */
  readonly more: boolean
}

/** The list of documents that a query finds. */
export function queryListing(reads: Reads, asker: Asker, selection: Selection, orderBy: Order, whose?: Belonging) {
  return new QueryListing(reads, asker, selection, orderBy, whose)
}

class QueryListing implements Listing {
  readonly #reads: Reads
  readonly #asker: Asker
  readonly #selection: Selection
  readonly #orderBy: Order
  readonly #whose: Belonging | undefined

  constructor(reads: Reads, asker: Asker, selection: Selection, orderBy: Order, whose: Belonging | undefined) {
    this.#reads = reads
    this.#asker = asker
    this.#selection = selection
    this.#orderBy = orderBy
    this.#whose = whose
  }

  get scope(): string {
    return scopeOf(this.#asker.field, this.#orderBy)
  }

  page({ limit, after, backwards, peek }: Window): MaybePending<Page<StoredDocument>> {
    const orderBy = backwards ? reversed(this.#orderBy) : this.#orderBy
    const query: Query = after ? { ...this.#selection, orderBy, after, limit: peek ? limit + 1 : limit } : { ...this.#selection, orderBy, limit: peek ? limit + 1 : limit }
    return whenRead(this.#reads.page(query, this.#whose, this.#asker), (documents) => new DocumentPage(documents, limit, orderBy))
  }

  count(): MaybePending<number> {
    return this.#reads.count(this.#selection, this.#whose, this.#asker)
  }
}

class DocumentPage implements Page<StoredDocument> {
  readonly nodes: readonly StoredDocument[]
  readonly more: boolean
  readonly #orderBy: Order

  constructor(documents: readonly StoredDocument[], limit: number, orderBy: Order) {
    this.more = documents.length > limit
    this.nodes = this.more ? documents.slice(0, limit) : documents
    this.#orderBy = orderBy
  }

  positionOf(index: number): Position {
    return positionOf(this.nodes[index]!, this.#orderBy)
  }
}

/** Made once for each order of a field, as long as the order is the same object. */
function scopeOf(field: string, orderBy: Order): string {
  let scopes = scopesOf.get(orderBy)
  if (scopes === undefined) scopesOf.set(orderBy, (scopes = new Map()))
  let scope = scopes.get(field)
  if (scope === undefined) scopes.set(field, (scope = `${field} by ${orderText(orderBy)}`))
  return scope
}

function orderText({ path, descending, thenBy = [] }: Order): string {
  return [`${path.join('.')}${descending ? ' descending' : ''}`, ...thenBy.map(orderText)].join(', ')
}

const scopesOf = new WeakMap<Order, Map<string, string>>()
