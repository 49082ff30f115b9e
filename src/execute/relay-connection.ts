// Relay connections over any listing. The page and the count are read only when a selected field needs them: `totalCount`
// alone reads no page, and a page alone counts nothing.

import type { Cursors } from '../model/keys/cursor.ts'
import type { Body, Json } from '../model/json/json.ts'
import type { DocumentType, Field } from '../model/model.ts'
import type { PlanNode } from '../plan/plan.ts'
import { readWindow, rootArguments, type ListArguments, type PageArguments, type PageSizes } from '../plan/field-arguments.ts'
import { relatedFound } from './related-documents.ts'
import { queryListing, type Listing, type Page, type Window } from '../read/listing.ts'
import type { Asker } from '../read/read-log.ts'
import type { Reads } from '../read/reads.ts'
import { pendingFieldListing, type PendingField } from '../read/pending-field-listing.ts'
import type { Declaration } from '../relations/declaration.ts'
import { allRead, whenRead, type MaybePending } from '../store/maybe-promise.ts'

export interface ConnectionOptions {
  readonly args: PageArguments
  readonly sizes: PageSizes
  readonly cursors: Cursors
  /** Whether the operation asks if there are more pages. */
  readonly peek: boolean
}

/**
 * Whether more follows a page, and the cursors of its ends.
 *
 * @example
 * ```ts
 * const nextPage = ({ hasNextPage, endCursor }: PageInfo) => (hasNextPage ? { first: 20, after: endCursor } : undefined)
 * ```
 */
export interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

export interface Edge {
  readonly node: unknown
  readonly cursor: string
}

export class Connection {
  readonly #listing: Listing
  readonly #cursors: Cursors
  readonly #window: Window
  /** The document that has it, noted where GraphQL.js makes an answer: errors name it. */
  holder: { readonly type: string; readonly id: string } | undefined
  #page: MaybePending<Page> | undefined

  constructor(listing: Listing, { args, sizes, cursors, peek }: ConnectionOptions) {
    this.#listing = listing
    this.#cursors = cursors
    const { limit, after, backwards } = readWindow(listing, args, sizes, cursors)
    this.#window = { limit, after, backwards, peek }
  }

  /** In the order of the list, from whichever end they were read. */
  nodes(): MaybePending<readonly unknown[]> {
    return whenRead(this.#read(), ({ nodes }) => (this.#window.backwards ? nodes.toReversed() : nodes))
  }

  edges(): MaybePending<readonly Edge[]> {
    return whenRead(this.#read(), (page) => {
      const cursorAt = this.#cursorsOf(page)
      const edges = page.nodes.map((node, at) => new PageEdge(node, cursorAt, at))
      return this.#window.backwards ? edges.toReversed() : edges
    })
  }

  pageInfo(): MaybePending<PageInfo> {
    return whenRead(this.#read(), (page) => {
      const { backwards, after } = this.#window
      // Before a cursor there is at least the node that it was taken from.
      const hasMoreBehind = after !== undefined
      const last = page.nodes.length - 1
      return backwards
        ? new InfoOfPage(hasMoreBehind, page.more, this.#cursorsOf(page), last, 0)
        : new InfoOfPage(page.more, hasMoreBehind, this.#cursorsOf(page), 0, last)
    })
  }

  totalCount(): MaybePending<number> {
    return this.#listing.count()
  }

  #cursorsOf(page: Page): CursorAt {
    return (index) => this.#cursors.write(this.#listing.scope, page.positionOf(index))
  }

  #read(): MaybePending<Page> {
    this.#page ??= this.#listing.page(this.#window)
    return this.#page
  }
}

type CursorAt = (index: number) => string

// Signing a cursor takes time, and not every operation asks for one, so it is made when it is read. The getters belong to
// classes: V8 makes a new hidden class for every object that has getters of its own.

class PageEdge implements Edge {
  readonly node: unknown
  readonly #cursorAt: CursorAt
  readonly #index: number

  constructor(node: unknown, cursorAt: CursorAt, index: number) {
    this.node = node
    this.#cursorAt = cursorAt
    this.#index = index
  }

  get cursor(): string {
    return this.#cursorAt(this.#index)
  }
}

class InfoOfPage implements PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly #cursorAt: CursorAt
  readonly #start: number
  readonly #end: number

  constructor(hasNextPage: boolean, hasPreviousPage: boolean, cursorAt: CursorAt, start: number, end: number) {
    this.hasNextPage = hasNextPage
    this.hasPreviousPage = hasPreviousPage
    this.#cursorAt = cursorAt
    this.#start = start
    this.#end = end
  }

  get startCursor(): string | null {
    return this.#cursor(this.#start)
  }

  get endCursor(): string | null {
    return this.#cursor(this.#end)
  }

  /** An empty page has no last node: its index would be -1. */
  #cursor(index: number): string | null {
    return this.#start < 0 || this.#end < 0 ? null : this.#cursorAt(index)
  }
}

/** The list that a root field such as `posts(filter:, orderBy:)` asks for. */
export function rootListing(type: DocumentType, declaration: Declaration): (args: ListArguments, reads: Reads, asker: Asker, node: PlanNode) => Listing {
  const { list, pending } = rootArguments(type, declaration)
  return (args, reads, asker, { filtering }) => {
    const { selection, orderBy, related } = list(args, reads.access, filtering)
    // The naive strategy finds related documents first, where it can, so the list comes after them.
    const afterRelated: Asker = related.length === 0 ? asker : { ...asker, stage: asker.stage + Number(related.some(({ lookup, spared }) => lookup ?? spared)), alone: false }
    const listing = queryListing(reads, afterRelated, selection, orderBy)
    const missing = pending(args)
    if (related.length === 0 && missing.length === 0) return listing
    const found = relatedFound(related, reads, asker)
    const complete = (): Listing => (missing.length === 0 ? listing : pendingFieldListing(reads, afterRelated, listing.scope, selection, orderBy, missing.map((field) => foundOut(field, declaration.prepared(field), reads, afterRelated))))
    return { scope: listing.scope, page: (window) => whenRead(found(), () => complete().page(window)), count: () => whenRead(found(), () => complete().count()) }
  }
}

/** As a selection of the field would read it. */
function foundOut({ coordinate, storage, name }: Field, found: ReturnType<Declaration['prepared']>, reads: Reads, asker: Asker): PendingField {
  const value = 'value' in found ? found.value : (holder: Body) => found.lookUp(holder, reads, asker)
  return { coordinate, property: 'at' in storage ? storage.at : name, value: (holder) => value(holder) as MaybePending<Json> }
}

export const connectionResolvers = {
  edges: (connection: Connection) => connection.edges(),
  nodes: (connection: Connection) => connection.nodes(),
  pageInfo: (connection: Connection) => connection.pageInfo(),
  totalCount: (connection: Connection) => connection.totalCount(),
}

/** The fields of a connection type. */
export type ConnectionField = keyof typeof connectionResolvers

/** The fields of a connection that an operation selects, read together, for compiled code. */
export function readConnection(connection: Connection, selected: readonly ConnectionField[]): MaybePending<SelectedFields> {
  return whenRead(allRead<unknown>(selected.length, (at) => connection[selected[at]!]()), (values) => new SelectedFields(selected, values))
}

/** One shape for every connection, whatever is selected. */
class SelectedFields implements Partial<Record<ConnectionField, unknown>> {
  nodes: unknown = undefined
  edges: unknown = undefined
  pageInfo: unknown = undefined
  totalCount: unknown = undefined

  constructor(selected: readonly ConnectionField[], values: readonly unknown[]) {
    for (let at = 0; at < selected.length; at++) this[selected[at]!] = values[at]
  }
}
