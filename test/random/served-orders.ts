// The orders that the lists of a schema can have: single fields everywhere but in reverse lists, which have their own order and those
// of their indexes; lists that are read as a whole have any.

import { orderables } from '../../src/model/api/filters.ts'
import { orderIndexes } from '../../src/model/declared-indexes.ts'
import { allFields, type DocumentType, type Field, type Model } from '../../src/model/model.ts'
import type { OrderInput } from '../../src/plan/order.ts'

type Orders = readonly (readonly OrderInput[])[]

export function servedOrders(model: Model): Record<string, Orders> {
  const roots = [...model.documents.values()].map((type) => [`Query.${type.plural}`, [...singles(type), ...declared(type, undefined)]] as const)
  const nested = allFields(model).flatMap((field) => {
    const target = model.documents.get(field.target)
    return target ? [[field.coordinate, nestedOrders(field, target)] as const] : []
  })
  return Object.fromEntries([...roots, ...nested])
}

function nestedOrders(field: Field, target: DocumentType): Orders {
  if (field.storage.kind !== 'reverse') return [...singles(target), ...pairs(singles(target))]
  const { of, orderBy } = field.storage
  return [...singles(target, ['id', orderBy ?? 'id']), ...declared(target, of)]
}

function singles(type: DocumentType, names?: readonly string[]): Orders {
  return orderables(type).filter(({ field }) => !names || names.includes(field.name)).flatMap(({ name }) => (['ASC', 'DESC'] as const).map((direction) => [{ field: name, direction }]))
}

function pairs(orders: Orders): Orders {
  return orders.flatMap(([one]) => orders.filter(([other]) => one!.field !== 'ID' && other!.field !== one!.field && (other!.field !== 'ID' || other!.direction === one!.direction)).map(([other]) => [one!, other!]))
}

/** From both ends. */
function declared(type: DocumentType, pointer: string | undefined): Orders {
  const names = new Map(orderables(type).map(({ name, field }) => [field, name]))
  return orderIndexes(type).filter((index) => index.pointer?.coordinate === pointer).flatMap(({ orders }) => [false, true].map((isReversed) =>
    orders.map(({ field, descending }) => ({ field: names.get(field)!, direction: descending === isReversed ? 'ASC' as const : 'DESC' as const }))))
}
