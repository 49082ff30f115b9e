// The orders that the lists of a schema can have: single fields everywhere but in reverse lists, which have their own order and those
// of their indexes; lists that are read as a whole have any.

import { orderables } from '../../src/model/api/filters.ts'
import { orderIndexes } from '../../src/model/declared-indexes.ts'
import { allFields, type DocumentType, type Field, type Model } from '../../src/model/model.ts'
import type { OrderInput } from '../../src/plan/order.ts'

type Orders = readonly (readonly OrderInput[])[]

export function servedOrders(model: Model): Record<string, Orders> {
  const roots = [...model.documents.values()].map((type) => [`Query.${type.plural}`, [...singles(type, model), ...declared(type, model, undefined)]] as const)
  const nested = allFields(model).flatMap((field) => {
    const target = model.documents.get(field.target)
    return target ? [[field.coordinate, nestedOrders(field, target, model)] as const] : []
  })
  return Object.fromEntries([...roots, ...nested])
}

function nestedOrders(field: Field, target: DocumentType, model: Model): Orders {
  if (field.storage.kind !== 'reverse') return [...singles(target, model), ...pairs(singles(target, model))]
  const { of, orderBy } = field.storage
  return [...singles(target, model, ['id', orderBy ?? 'id']), ...declared(target, model, of)]
}

function singles(type: DocumentType, model: Model, names?: readonly string[]): Orders {
  return orderables(type, model).filter(({ key }) => !names || names.includes(key)).flatMap(({ name }) => (['ASC', 'DESC'] as const).map((direction) => [{ field: name, direction }]))
}

function pairs(orders: Orders): Orders {
  return orders.flatMap(([one]) => orders.filter(([other]) => one!.field !== 'ID' && other!.field !== one!.field && (other!.field !== 'ID' || other!.direction === one!.direction)).map(([other]) => [one!, other!]))
}

/** From both ends. */
function declared(type: DocumentType, model: Model, pointer: string | undefined): Orders {
  const names = new Map(orderables(type, model).map(({ name, key }) => [key, name]))
  return orderIndexes(type, model).filter((index) => index.pointer?.coordinate === pointer).flatMap(({ orders }) => [false, true].map((isReversed) =>
    orders.map(({ key, descending }) => ({ field: names.get(key)!, direction: descending === isReversed ? 'ASC' as const : 'DESC' as const }))))
}
