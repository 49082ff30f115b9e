// Relay connections over any listing. The page and the count are fetched when a field that needs
// them is resolved, and not before: `totalCount` alone reads no page, a page alone counts nothing.

import type { Cursors } from './keys/cursor.ts'
import type { Listing, Page, Window } from './loaders/listing.ts'
import { whenThere, type OrLater } from './store/or-later.ts'
import { badInput } from './errors.ts'

export interface PageArguments {
  readonly first?: number | null
  readonly after?: string | null
  readonly last?: number | null
  readonly before?: string | null
}

export interface PageSizes {
  /** How many entries a page has when nobody says. */
  readonly usual: number
  /** How many entries a page has at most, whatever is asked for. */
  readonly most: number
}

/** What a gateway has unless it is told otherwise. */
export const usualPageSizes: PageSizes = { usual: 20, most: 1000 }

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
  #page: OrLater<Page> | undefined

  constructor(listing: Listing, { args, sizes, cursors, peek }: ConnectionOptions) {
    this.#listing = listing
    this.#cursors = cursors
    this.#window = { ...readWindow(listing, args, sizes, cursors), peek }
  }

  /** In the order of the list, from whichever end they were taken. */
  entries(): OrLater<Page['entries']> {
    return whenThere(this.#read(), (page) => this.#inOrder(page))
  }

  pageInfo(): OrLater<PageInfo> {
    return whenThere(this.#read(), (page) => {
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

  totalCount(): OrLater<number> {
    return this.#listing.count()
  }

  cursor(entry: Page['entries'][number]): string {
    return this.#cursors.write(this.#listing.scope, entry.position)
  }

  #inOrder({ entries }: Page): Page['entries'] {
    return this.#window.backwards ? entries.toReversed() : entries
  }

  #read(): OrLater<Page> {
    this.#page ??= this.#listing.page(this.#window)
    return this.#page
  }
}

/** What the arguments of a page ask for. */
export function readWindow(listing: Pick<Listing, 'scope'>, args: PageArguments, sizes: PageSizes, cursors: Cursors): Omit<Window, 'peek'> {
  const [first, after, last, before] = [args.first ?? undefined, args.after ?? undefined, args.last ?? undefined, args.before ?? undefined]
  if (first !== undefined && last !== undefined) throw badInput('Give first or last, not both.')
  const backwards = last !== undefined
  if (backwards && after !== undefined) throw badInput('after goes with first. To page backwards, give last and before.')
  if (!backwards && before !== undefined) throw badInput('before goes with last. To page forwards, give first and after.')
  const count = (backwards ? last : first) ?? sizes.usual
  if (count < 0) throw badInput(`${backwards ? 'last' : 'first'} is ${count}. Give a number from 0 to ${sizes.most}.`)
  const cursor = backwards ? before : after
  const position = cursor === undefined ? undefined : cursors.read(listing.scope, cursor)
  if (cursor !== undefined && !position) throw badInput(`${backwards ? 'before' : 'after'} is not a cursor of this list in this order. Take one from its own edges or pageInfo.`)
  return { limit: Math.min(count, sizes.most), after: position, backwards }
}
