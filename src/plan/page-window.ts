// The arguments of a connection (first, after, last, before) as the window of a listing that they ask for.

import { badInput } from '../errors.ts'
import type { Cursors } from '../model/keys/cursor.ts'
import type { Listing, Window } from '../read/listing.ts'

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
export const defaultPageSizes: PageSizes = { usual: 20, most: 1000 }

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
