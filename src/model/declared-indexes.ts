// `@index`: orders of a type's documents that have an index of their own, by several fields or among the documents that point at one
// target. Fields with `@indexed` need none for an order by themselves.

import { getDirectiveValues, type GraphQLObjectType, type GraphQLSchema } from 'graphql'
import { orderables } from './api/filters.ts'
import { storedPath, type DocumentType, type Model } from './model.ts'
import { holdsIds, type PointerField } from './pointers.ts'
import { didYouMean } from './sdl/suggest-name.ts'

/** The fields of an `@index`, as they are written: `"year DESC"`. */
export type DeclaredIndex = readonly string[]

export interface OrderIndex {
  /** Only documents that point at one target are in it. */
  readonly pointer: PointerField | undefined
  readonly orders: readonly IndexedOrder[]
}

export interface IndexedOrder {
  /** What `@index` calls it: the name of a field, or `price.amount` inside of an object. */
  readonly key: string
  readonly path: readonly string[]
  readonly descending: boolean
}

/** Each run of a page on Cosmos DB is one combination of values and nulls. */
export const maxOrders = 3

/** On the type and on its extensions. */
export function readIndexes(schema: GraphQLSchema, { astNode, extensionASTNodes }: GraphQLObjectType): DeclaredIndex[] {
  const definition = schema.getDirective('index')!
  const written = [astNode, ...extensionASTNodes].flatMap((node) => node?.directives ?? []).filter(({ name }) => name.value === definition.name)
  return written.map((directive) => getDirectiveValues(definition, { directives: [directive] })!['fields'] as string[])
}

/** The indexes of a type that was checked. */
export function orderIndexes(type: DocumentType, model: Model): OrderIndex[] {
  const known = new Map(orderables(type, model).map(({ key, path }) => [key, path]))
  return type.indexes.map((written) => {
    const pointer = pointerIn(type, written)
    return { pointer, orders: (pointer ? written.slice(1) : written).map((text) => ({ key: keyIn(text), path: known.get(keyIn(text))!, descending: isDescending(text) })) }
  })
}

/** The relation that an index begins with. */
function pointerIn({ fields }: DocumentType, [first = '']: DeclaredIndex): PointerField | undefined {
  const field = fields.get(keyIn(first))
  return holdsIds(field) ? field : undefined
}

export function checkIndexes(type: DocumentType, model: Model): string[] {
  const known = new Map(orderables(type, model).map(({ key, path }) => [key, path]))
  return type.indexes.flatMap((written) => {
    const index = `${type.name}: @index(fields: ${JSON.stringify(written)})`
    const unknown = written.filter((text) => !type.fields.has(keyIn(text)) && !known.has(keyIn(text)))
    if (unknown.length > 0) return unknown.map((text) => `${index} names ${JSON.stringify(text)}, which is no field of ${type.name}.${didYouMean(keyIn(text), [...type.fields.keys(), ...known.keys()])} Write the name of a field, with DESC after it for the largest first.`)
    const pointer = pointerIn(type, written)
    const orders = pointer ? written.slice(1) : written
    if (orders.length < (pointer ? 1 : 2)) return [`${index} orders by ${orders.length === 0 ? 'nothing' : 'one field'}. ${pointer ? 'Add a field to order by.' : 'Name several fields, or declare the field @indexed.'}`]
    if (orders.length > maxOrders) return [`${index} orders by ${orders.length} fields. Order by ${maxOrders} at most.`]
    if (pointer && isDescending(written[0]!)) return [`${index}: ${pointer.name} is a relation, which has no direction. Remove DESC from it.`]
    if (pointer && storedPath(pointer)!.includes('*') && orders.length > 1) return [`${index}: ${pointer.name} is a list. Order by one field among documents that point at several.`]
    if (orders.some((text) => keyIn(text) === 'id')) return [`${index} orders by id, which decides among equal documents anyway. Leave it out.`]
    return orders.filter((text) => !known.has(keyIn(text))).map((text) => `${index} orders by ${keyIn(text)}. Order by stored scalars and counts that are declared @indexed.`)
  })
}

/** What to declare for an order. */
export function indexLine(type: DocumentType, pointer: PointerField | undefined, orders: readonly IndexedOrder[]): string {
  const fields = [...(pointer ? [pointer.name] : []), ...orders.map(({ key, descending }) => `${key}${descending ? ' DESC' : ''}`)]
  return `type ${type.name} @index(fields: ${JSON.stringify(fields)})`
}

/** Whether an index has the documents in an order, from one end or the other. */
export function servesOrders(index: readonly IndexedOrder[], asked: readonly IndexedOrder[]): boolean {
  if (index.length !== asked.length) return false
  const isOpposite = index[0]!.descending !== asked[0]!.descending
  return index.every(({ key, descending }, at) => key === asked[at]!.key && (descending !== asked[at]!.descending) === isOpposite)
}

function keyIn(text: string): string {
  return text.replace(/ (ASC|DESC)$/, '')
}

function isDescending(text: string): boolean {
  return text.endsWith(' DESC')
}
