// Relay connections over any listing. The page and the count are read only when a selected field needs them: `totalCount`
// alone reads no page, and a page alone counts nothing.

import type { Cursors } from '../model/keys/cursor.ts'
import { readWindow, type PageArguments, type PageSizes } from '../plan/field-arguments.ts'
import type { Listing, Page, Window } from '../read/listing.ts'
import { whenRead, type MaybePending } from '../store/maybe-promise.ts'
import type { Plain } from './field-values.ts'

export interface ConnectionOptions {
  readonly args: PageArguments
  readonly sizes: PageSizes
  readonly cursors: Cursors
  /** Whether the operation asks if there are more pages. */
  readonly peek: boolean
}

export interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

type Entry = Page['entries'][number]

export class Connection {
  readonly #listing: Listing
  readonly #cursors: Cursors
  readonly #window: Window
  #page: MaybePending<Page> | undefined

  constructor(listing: Listing, { args, sizes, cursors, peek }: ConnectionOptions) {
    this.#listing = listing
    this.#cursors = cursors
    this.#window = { ...readWindow(listing, args, sizes, cursors), peek }
  }

  /** In the order of the list, from whichever end they were read. */
  entries(): MaybePending<readonly Entry[]> {
    return whenRead(this.#read(), (page) => this.#inOrder(page))
  }

  pageInfo(): MaybePending<PageInfo> {
    return whenRead(this.#read(), (page) => {
      const entries = this.#inOrder(page)
      const { backwards, after } = this.#window
      // Before a cursor there is at least the entry that it was taken from.
      const hasMoreBehind = after !== undefined
      // Getters, because signing a cursor takes time and most operations ask for one of them.
      const cursorOf = (entry: Entry | undefined): string | null => (entry ? this.cursor(entry) : null)
      return {
        hasNextPage: backwards ? hasMoreBehind : page.more,
        hasPreviousPage: backwards ? page.more : hasMoreBehind,
        get startCursor() {
          return cursorOf(entries[0])
        },
        get endCursor() {
          return cursorOf(entries.at(-1))
        },
      }
    })
  }

  totalCount(): MaybePending<number> {
    return this.#listing.count()
  }

  cursor(entry: Entry): string {
    return this.#cursors.write(this.#listing.scope, entry.position)
  }

  #inOrder({ entries }: Page): readonly Entry[] {
    return this.#window.backwards ? entries.toReversed() : entries
  }

  #read(): MaybePending<Page> {
    this.#page ??= this.#listing.page(this.#window)
    return this.#page
  }
}

export const connectionResolvers = {
  edges: (connection: Connection) => whenRead(connection.entries(), (entries) => entries.map((entry): Edge => ({ connection, entry }))),
  nodes: (connection: Connection) => whenRead(connection.entries(), (entries) => entries.map(({ node }) => node)),
  pageInfo: (connection: Connection) => connection.pageInfo(),
  totalCount: (connection: Connection) => connection.totalCount(),
}

interface Edge {
  readonly connection: Connection
  readonly entry: Entry
}

/** The values of an edge, by field name. */
export const edgeValues = new Map<string, Plain<Edge>>([
  ['node', ({ entry }) => entry.node],
  ['cursor', ({ connection, entry }) => connection.cursor(entry)],
])
