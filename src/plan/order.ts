// Translates the argument `orderBy` to the order of a structured query. Every order has an index: fields that are declared
// `@indexed` by themselves, several fields and orders among the documents of one parent by `@index`. Lists that are in a document
// are ordered here, and need none.

import { badInput } from '../graphql-errors.ts'
import { orderables } from '../model/api/filters.ts'
import { indexLine, orderIndexes, servesOrders, type IndexedOrder } from '../model/declared-indexes.ts'
import type { DocumentType, Field, Model } from '../model/model.ts'
import type { PointerField } from '../model/pointers.ts'
import type { Order, Path } from '../store/query.ts'

export interface OrderInput {
  readonly field: string
  readonly direction: 'ASC' | 'DESC'
}

/** Which documents of a type are filtered and ordered. */
export interface FilteredList {
  /** The list, as messages name it. */
  readonly name: string | undefined
  /** The pointer of the documents that points at the one that has the list. */
  readonly pointer?: PointerField | undefined
  /** The field that the list is ordered by of its own; the id, without it. */
  readonly ownOrder?: Field | undefined
  /** Whether all documents of the list are at hand when it is ordered. */
  readonly isHeld?: boolean
  /** Whether copies take the place of documents: their properties have the names of fields. */
  readonly ofCopies?: boolean
}

export const wholeType: FilteredList = { name: undefined }

interface Orders {
  /** The same order is the same object. */
  (asked: readonly OrderInput[], check: (field: Field) => void): Order
  readonly fields: (asked: readonly OrderInput[]) => (Field | undefined)[]
}

export function createOrders(type: DocumentType, model: Model, list: FilteredList, pathOf: (field: Field, path: Path) => Path): Orders {
  const known = new Map(orderables(type, model).map(({ name, key, trail, path, required }) => {
    const ascending: Order = { path: pathOf(trail[0]!, path), required, descending: false }
    return [name, { key, path, trail, ascending, descending: { ...ascending, descending: true } }]
  }))
  const indexes = orderIndexes(type, model).filter(({ pointer }) => pointer === list.pointer).map(({ orders }) => orders)
  const several = new Map<string, Order>()
  const byId: Order = { path: ['id'], descending: false }
  const hasIndex = (orders: readonly IndexedOrder[]): boolean => {
    const [first] = orders
    if (list.isHeld || (orders.length === 1 && (list.pointer === undefined || first!.key === 'id' || first!.key === list.ownOrder?.name))) return true
    return indexes.some((index) => servesOrders(index, orders))
  }
  const checkIndex = (orders: readonly IndexedOrder[], asked: readonly OrderInput[]): void => {
    if (!hasIndex(orders)) throw badInput(`${list.name ?? type.plural} cannot be ordered by ${asked.map(orderText).join(', ')}, because no index has that order. Declare one: ${indexLine(type, list.pointer, orders)}.`)
  }
  const orderOf = (given: readonly OrderInput[], check: (field: Field) => void): Order => {
    const asked = given.length > 1 ? distinct(given) : given
    for (const each of asked) for (const field of known.get(each.field)!.trail) check(field)
    const [first] = asked
    if (!first) return byId
    if (asked.length === 1) {
      const { key, path, ascending, descending } = known.get(first.field)!
      const order = first.direction === 'DESC' ? descending : ascending
      if (list.pointer) checkIndex([{ key, path, descending: order.descending }], asked)
      return order
    }
    const text = asked.map(orderText).join()
    const order = several.get(text)
    if (order) return order
    checkIndex(asked.map(({ field, direction }) => ({ key: known.get(field)!.key, path: known.get(field)!.path, descending: direction === 'DESC' })), asked)
    const [leading, ...thenBy] = asked.map(({ field, direction }) => known.get(field)![direction === 'DESC' ? 'descending' : 'ascending'])
    const made = { ...leading!, thenBy }
    // Lists in documents can be ordered in many ways.
    if (several.size < maxMade) several.set(text, made)
    return made
  }
  return Object.assign(orderOf, { fields: (asked: readonly OrderInput[]) => asked.map(({ field }) => known.get(field)?.trail[0]) })
}

const maxMade = 100

/** Each field once. The id, which no two documents share, is last, and documents are ordered by it anyway. */
function distinct(asked: readonly OrderInput[]): readonly OrderInput[] {
  const orders: OrderInput[] = []
  for (const order of asked) {
    if (orders.some(({ field }) => field === order.field)) continue
    if (order.field === 'ID' && orders.length > 0) {
      if (order.direction === orders[0]!.direction) break
      throw badInput('Documents that are equal by the other fields are ordered by ID in the direction of the first. Leave ID out, or give it that direction.')
    }
    orders.push(order)
    if (order.field === 'ID') break
  }
  return orders
}

function orderText({ field, direction }: OrderInput): string {
  return `${field} ${direction}`
}
