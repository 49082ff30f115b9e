// What the arguments of a list within documents ask for: `writer { posts(filter:, orderBy:) }`. A reverse list is filtered by the
// store, for all parents in one wave. Ids in a document and joining documents are bounded: their documents are read, and filtered here.

import { badInput, clientError } from '../graphql-errors.ts'
import type { Access } from '../auth/access.ts'
import { listArguments, queriedList } from '../model/api/list-arguments.ts'
import { targetOf, type Field } from '../model/model.ts'
import type { ListRequest } from '../read/list-request.ts'
import type { Declaration } from '../relations/declaration.ts'
import { createFilter, type FilterInput, type LookUpReasons } from './filter.ts'
import type { FilteredList, OrderInput } from './order.ts'
import type { RelatedCondition } from './relation-filter.ts'

export interface NestedArguments {
  readonly filter?: FilterInput | null
  readonly orderBy?: readonly OrderInput[] | null
  readonly first?: number | null
}

export interface NestedList {
  /** Throws if the arguments use what the viewer may not read, or what no index has. */
  readonly ask: (args: NestedArguments, access?: Access, reasons?: LookUpReasons) => { readonly asked: ListRequest; readonly related: readonly RelatedCondition[] }
  /** The same of copies of the documents. */
  readonly askCopies: (args: NestedArguments, access?: Access) => ListRequest
  readonly isRelated: (filter: FilterInput) => boolean
}

/** Whether a list is asked for otherwise than as it is. */
export function narrows({ filter, orderBy, first }: NestedArguments, isConnection: boolean): boolean {
  return (filter ?? undefined) !== undefined || (orderBy ?? undefined) !== undefined || (!isConnection && (first ?? undefined) !== undefined)
}

/** Undefined for a list without such arguments. */
export function nestedList(field: Field, declaration: Pick<Declaration, 'model' | 'prepared'>): NestedList | undefined {
  const { model } = declaration
  if (listArguments(field, model).length === 0) return undefined
  const target = targetOf(model, field)
  const queried = queriedList(field, model)
  const list: FilteredList = { name: field.coordinate, ...(queried ?? { isHeld: true }) }
  const documents = createFilter(target, declaration, list)
  const copies = createFilter(target, declaration, { ...list, ofCopies: true })
  const isConnection = field.shape === 'connection'
  const sizeOf = ({ first }: NestedArguments): number | undefined => {
    if (isConnection || first === null || first === undefined) return undefined
    if (first < 0) throw badInput(`first is ${first}. Give a number from 0.`)
    return first
  }
  const orderIn = ({ order }: typeof documents, { orderBy }: NestedArguments, access: Access | undefined) => (orderBy?.length ? order(orderBy, access) : undefined)
  return {
    isRelated: documents.isRelated,
    ask(args, access, reasons) {
      const [pending] = documents.pending(args.filter, args.orderBy)
      if (pending) throw clientError('CATCHING_UP', `${pending.coordinate} is being computed for documents that were stored before it was declared. Until then ${field.coordinate} cannot be filtered or ordered by it. Try again later.`)
      const { selection, related } = documents.select(args.filter, access, reasons)
      return { asked: { selection, orderBy: orderIn(documents, args, access), first: sizeOf(args) }, related }
    },
    askCopies: (args, access) => ({ selection: copies.select(args.filter, access).selection, orderBy: orderIn(copies, args, access), first: sizeOf(args) }),
  }
}
