// The arguments of fields, as the reads that they ask for: which document, which list in which order, and which page of
// it. Resolvers, explain and the budget all read arguments here, so each has one meaning. filter.ts reads filters.

import { badInput } from '../graphql-errors.ts'
import type { Access } from '../auth/access.ts'
import { partitionArguments } from '../model/api/root-fields.ts'
import type { Cursors } from '../model/keys/cursor.ts'
import { readNodeId } from '../model/keys/node-id.ts'
import { numericId } from '../model/keys/numeric-id.ts'
import type { DocumentType, Field, Model } from '../model/model.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { Listing, Window } from '../read/listing.ts'
import type { Order } from '../store/query.ts'
import { createFilter, type FilteredSelection, type FilterInput, type LookUpReasons } from './filter.ts'
import type { OrderInput } from './order.ts'

export interface ListArguments {
  readonly filter?: FilterInput | null
  readonly orderBy?: readonly OrderInput[] | null
}

export interface RootArguments {
  /** The document that `post(id:, …)` asks for, with the properties of its partition key that are given. */
  readonly one: (args: Readonly<Record<string, unknown>>) => { readonly id: string; readonly known: Readonly<Record<string, unknown>> }
  /** The list that `posts(filter:, orderBy:)` asks for. Throws if it uses fields that the viewer may not read. */
  readonly list: (args: ListArguments, access?: Access, reasons?: LookUpReasons) => FilteredSelection & { readonly orderBy: Order }
  /** Whether a filter says something of related documents. */
  readonly isRelated: (filter: FilterInput) => boolean
  /** The fields that such a list is asked by and that some stored documents do not have yet. */
  readonly pending: (args: ListArguments) => readonly Field[]
}

export function rootArguments(type: DocumentType, declaration: Pick<Declaration, 'model' | 'prepared'>): RootArguments {
  const { select, order, isRelated, pending } = createFilter(type, declaration)
  const located = partitionArguments(type)
  const all = select(undefined)
  const byId = order(undefined)
  return {
    isRelated,
    one: (args) => ({
      id: args['id'] as string,
      known: Object.fromEntries(located.map(({ name, property, numeric }) => {
        const given = args[name] ?? undefined
        return [property, numeric && typeof given === 'string' ? numericId(given) : given]
      })),
    }),
    list: ({ filter, orderBy }, access, reasons) => {
      const { selection, related } = filter ? select(filter, access, reasons) : all
      return { selection, related, orderBy: orderBy ? order(orderBy, access) : byId }
    },
    pending: ({ filter, orderBy }) => pending(filter, orderBy),
  }
}

/** The document that `node(nodeId:)` asks for. */
export function nodeArgument(model: Model, { nodeId }: { readonly nodeId: string }): NonNullable<ReturnType<typeof readNodeId>> {
  const found = readNodeId(model, nodeId)
  if (!found) throw badInput(`"${nodeId.slice(0, 80)}" is not a global id. Take one from a nodeId field.`)
  return found
}

export interface PageArguments {
  readonly first?: number | null
  readonly after?: string | null
  readonly last?: number | null
  readonly before?: string | null
}

export const pageSizeArguments: readonly string[] = ['first', 'last']

/**
 * How many documents a page has.
 *
 * @example
 * ```ts
 * const pageSizes: Partial<PageSizes> = { default: 20, max: 100 }
 * ```
 */
export interface PageSizes {
  /** The size of a page without `first` or `last`. */
  readonly default: number
  /** The max size; a larger `first` or `last` is clamped. */
  readonly max: number
}

export const defaultPageSizes: PageSizes = { default: 20, max: 1000 }

export function readWindow(listing: Pick<Listing, 'scope'>, args: PageArguments, sizes: PageSizes, cursors: Cursors): Omit<Window, 'peek'> {
  const first = args.first ?? undefined
  const after = args.after ?? undefined
  const last = args.last ?? undefined
  const before = args.before ?? undefined
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
