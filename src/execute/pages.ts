// Relay connections over any listing. The page and the count are fetched when a field that needs
// them is resolved, and not before: `totalCount` alone reads no page, a page alone counts nothing.

import type { Cursors } from '../model/keys/cursor.ts'
import type { Listing, Page, Window } from '../read/listing.ts'
import { whenReady, type MaybePromise } from '../store/maybe-promise.ts'
import { readWindow, type PageArguments, type PageSizes } from '../plan/page-window.ts'

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

export class Connection {
  readonly #listing: Listing
  readonly #cursors: Cursors
  readonly #window: Window
  #page: MaybePromise<Page> | undefined

  constructor(listing: Listing, { args, sizes, cursors, peek }: ConnectionOptions) {
    this.#listing = listing
    this.#cursors = cursors
    this.#window = { ...readWindow(listing, args, sizes, cursors), peek }
  }

  /** In the order of the list, from whichever end they were taken. */
  entries(): MaybePromise<Page['entries']> {
    return whenReady(this.#read(), (page) => this.#inOrder(page))
  }

  pageInfo(): MaybePromise<PageInfo> {
    return whenReady(this.#read(), (page) => {
      const entries = this.#inOrder(page)
      const { backwards, after } = this.#window
      // Behind a cursor there is at least the entry it was taken from.
      const behind = after !== undefined
      // Most ask for one of the cursors, and each has to be signed.
      const cursorOf = (entry: Page['entries'][number] | undefined): string | null => (entry ? this.cursor(entry) : null)
      return {
        hasNextPage: backwards ? behind : page.more,
        hasPreviousPage: backwards ? page.more : behind,
        get startCursor() {
          return cursorOf(entries[0])
        },
        get endCursor() {
          return cursorOf(entries.at(-1))
        },
      }
    })
  }

  totalCount(): MaybePromise<number> {
    return this.#listing.count()
  }

  cursor(entry: Page['entries'][number]): string {
    return this.#cursors.write(this.#listing.scope, entry.position)
  }

  #inOrder({ entries }: Page): Page['entries'] {
    return this.#window.backwards ? entries.toReversed() : entries
  }

  #read(): MaybePromise<Page> {
    this.#page ??= this.#listing.page(this.#window)
    return this.#page
  }
}
