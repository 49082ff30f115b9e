// The arguments of a connection (first, after, last, before) as the window of the list that they select.

import { badInput } from '../errors.ts'
import type { Cursors } from '../model/keys/cursor.ts'
import type { Listing, Window } from '../read/listing.ts'

export interface PageArguments {
  readonly first?: number | null
  readonly after?: string | null
  readonly last?: number | null
  readonly before?: string | null
}

export const pageSizeArguments: readonly string[] = ['first', 'last']

export interface PageSizes {
  /** The size of a page without `first` or `last`. */
  readonly default: number
  /** The max size; a larger `first` or `last` is clamped. */
  readonly max: number
}

export const defaultPageSizes: PageSizes = { default: 20, max: 1000 }

export function readWindow(listing: Pick<Listing, 'scope'>, args: PageArguments, sizes: PageSizes, cursors: Cursors): Omit<Window, 'peek'> {
  const [first, after, last, before] = [args.first ?? undefined, args.after ?? undefined, args.last ?? undefined, args.before ?? undefined]
  if (first !== undefined && last !== undefined) throw badInput('Give first or last, not both.')
  const backwards = last !== undefined
  if (backwards && after !== undefined) throw badInput('after goes with first. To page backwards, give last and before.')
  if (!backwards && before !== undefined) throw badInput('before goes with last. To page forwards, give first and after.')
  const count = (backwards ? last : first) ?? sizes.default
  if (count < 0) throw badInput(`${backwards ? 'last' : 'first'} is ${count}. Give a number from 0 to ${sizes.max}.`)
  const cursor = backwards ? before : after
  const position = cursor === undefined ? undefined : cursors.read(listing.scope, cursor)
  if (cursor !== undefined && !position) throw badInput(`${backwards ? 'before' : 'after'} is not a cursor of this list in this order. Take one from its own edges or pageInfo.`)
  return { limit: Math.min(count, sizes.max), after: position, backwards }
}

/** The size of a page for any value of `first` or `last`. */
export function clampedPageSize(given: unknown, sizes: PageSizes): number {
  return typeof given === 'number' ? Math.min(Math.max(given, 0), sizes.max) : sizes.default
}
