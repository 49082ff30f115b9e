// `@index`: orders of a type's documents that have an index of their own, by several fields or among the documents that point at one
// target. Fields with `@indexed` need none for an order by themselves.

import { getDirectiveValues, type GraphQLObjectType, type GraphQLSchema } from 'graphql'
import { isStored, storedPath, type DocumentType, type Field } from './model.ts'
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
  readonly field: Field
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
export function orderIndexes(type: DocumentType): OrderIndex[] {
  return type.indexes.map((written) => {
    const named = written.map((text) => ({ field: type.fields.get(nameIn(text))!, descending: isDescending(text) }))
    const [first] = named
    return holdsIds(first?.field) ? { pointer: first.field, orders: named.slice(1) } : { pointer: undefined, orders: named }
  })
}

/** Whether documents can be ordered by a field at all. */
export function canOrderBy(field: Field): boolean {
  return field.leaf && field.shape === 'one' && isStored(field, 'stored', 'counted')
}

export function checkIndexes(type: DocumentType): string[] {
  return type.indexes.flatMap((written) => {
    const index = `${type.name}: @index(fields: ${JSON.stringify(written)})`
    const unknown = written.filter((text) => !type.fields.has(nameIn(text)))
    if (unknown.length > 0) return unknown.map((text) => `${index} names ${JSON.stringify(text)}, which is no field of ${type.name}.${didYouMean(nameIn(text), [...type.fields.keys()])} Write the name of a field, with DESC after it for the largest first.`)
    const pointer = holdsIds(type.fields.get(nameIn(written[0] ?? ''))) ? type.fields.get(nameIn(written[0]!))! : undefined
    const orders = pointer ? written.slice(1) : written
    if (orders.length < (pointer ? 1 : 2)) return [`${index} orders by ${orders.length === 0 ? 'nothing' : 'one field'}. ${pointer ? 'Add a field to order by.' : 'Name several fields, or declare the field @indexed.'}`]
    if (orders.length > maxOrders) return [`${index} orders by ${orders.length} fields. Order by ${maxOrders} at most.`]
    if (pointer && isDescending(written[0]!)) return [`${index}: ${pointer.name} is a relation, which has no direction. Remove DESC from it.`]
    if (pointer && storedPath(pointer)!.includes('*') && orders.length > 1) return [`${index}: ${pointer.name} is a list. Order by one field among documents that point at several.`]
    return orders.filter((text) => !canOrderBy(type.fields.get(nameIn(text))!) || !type.fields.get(nameIn(text))!.indexed).map((text) => `${index} orders by ${nameIn(text)}. Order by stored scalars and counts that are declared @indexed.`)
  })
}

/** What to declare for an order. */
export function indexLine(type: DocumentType, pointer: PointerField | undefined, orders: readonly IndexedOrder[]): string {
  const fields = [...(pointer ? [pointer.name] : []), ...orders.map(({ field, descending }) => `${field.name}${descending ? ' DESC' : ''}`)]
  return `type ${type.name} @index(fields: ${JSON.stringify(fields)})`
}

/** Whether an index has the documents in an order, from one end or the other. */
export function servesOrders(index: readonly IndexedOrder[], asked: readonly IndexedOrder[]): boolean {
  if (index.length !== asked.length) return false
  const isOpposite = index[0]!.descending !== asked[0]!.descending
  return index.every(({ field, descending }, at) => field === asked[at]!.field && (descending !== asked[at]!.descending) === isOpposite)
}

function nameIn(text: string): string {
  return text.replace(/ (ASC|DESC)$/, '')
}

function isDescending(text: string): boolean {
  return text.endsWith(' DESC')
}
