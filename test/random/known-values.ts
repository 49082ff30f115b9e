// What random operations have to know of the documents behind a gateway: ids that exist and ids that
// do not, values to filter by, and cursors. The gateway itself is asked for them, whatever its domain.

import {
  getNamedType, isInputObjectType, isLeafType, type GraphQLField, type GraphQLNamedInputType, type GraphQLObjectType, type GraphQLSchema,
} from 'graphql'
import { comparisons, filterOperators } from '../../src/model/operators.ts'
import type { Ask } from '../harness.ts'
import type { KnownValues } from './random-arguments.ts'

export async function knownValues(schema: GraphQLSchema, ask: Ask): Promise<Omit<KnownValues, 'orders'>> {
  const known = await Promise.all(documentTypes(schema).map((one) => knownOf(schema, one, ask)))
  const values = merged(known.map(({ values: each }) => each))
  return {
    arguments: { ...merged(known.map(({ lookups }) => lookups)), 'Query.node': known.flatMap(({ nodes }) => nodes) },
    values: { ...values, ...valuesOfRelated(schema, values), ...partsOfText() },
    cursors: merged(known.map(({ cursors }) => cursors)),
  }
}

/** Operators that look for a part of a text are given short ones, since whole values would find only themselves. */
function partsOfText(): Record<string, readonly string[]> {
  const operators = Object.entries(filterOperators(false)).filter(([, { means }]) => comparisons[means('').op].operand === 'text')
  return Object.fromEntries(operators.map(([name]) => [`StringFilter.${name}`, ['A', 'M', 'S', 'a', '2', '']]))
}

interface DocumentType {
  readonly type: GraphQLObjectType
  /** The root fields for one document and for many. */
  readonly one: GraphQLField<unknown, unknown>
  readonly many: GraphQLField<unknown, unknown>
}

type Row = Readonly<Record<string, unknown>>

function documentTypes(schema: GraphQLSchema): DocumentType[] {
  const roots = Object.values(schema.getQueryType()!.getFields())
  return roots.filter(({ args }) => args.some(({ name }) => name === 'id')).map((one) => {
    const type = getNamedType(one.type) as GraphQLObjectType
    return { type, one, many: roots.find((root) => getNamedType(root.type).name === `${type.name}Connection`)! }
  })
}

async function knownOf(schema: GraphQLSchema, { type, one, many }: DocumentType, ask: Ask) {
  const filters = filtersOf(schema, type)
  const connections = Object.values(type.getFields()).filter((field) => getNamedType(field.type).name.endsWith('Connection'))
  const asked = [...one.args.map(({ name }) => name), ...filters].map((name) => `${name}: ${valueAsked(type, name)}`)
  const below = connections.map(({ name }) => `${name}(first: 3) { edges { cursor } }`)
  const { data } = await ask(`{ ${many.name}(first: 1000) { edges { cursor node { nodeId ${[...new Set(asked)].join(' ')} ${below.join(' ')} } } } }`)
  const { edges } = data![many.name] as Page<Row>
  const rows = edges.map(({ node }) => node)
  return {
    lookups: { [`Query.${one.name}`]: lookupsOf(one, spread(rows, 6)) },
    nodes: [...spread(rows, 3).map(({ nodeId }) => ({ nodeId })), ...rows.slice(0, 1).map(({ nodeId }) => ({ nodeId: missing(nodeId as string) }))],
    values: Object.fromEntries(filters.map((name) => [`${type.name}Filter.${name}`, spread(valuesOf(rows, name), 8)])),
    cursors: {
      [`Query.${many.name}`]: spread(edges.map(({ cursor }) => cursor), 8),
      ...Object.fromEntries(connections.map(({ name }) =>
        [`${type.name}.${name}`, spread(rows.flatMap((row) => (row[name] as Page<Row>).edges.map(({ cursor }) => cursor)), 8)])),
    },
  }
}

interface Page<N> {
  readonly edges: readonly { readonly cursor: string; readonly node: N }[]
}

/** By id alone, and with what else tells the partition; and one document that is not there. */
function lookupsOf({ args }: GraphQLField<unknown, unknown>, rows: readonly Row[]): Row[] {
  const sets = rows.flatMap((row) => [
    { id: row['id'] },
    ...(args.length > 1 ? [Object.fromEntries(args.map(({ name }) => [name, valuesOf([row], name)[0]]))] : []),
  ])
  return [...sets, { id: 'nowhere' }]
}

/** The global id of a document that does not exist, beside one that does. */
function missing(nodeId: string): string {
  const [type, , ...partition] = JSON.parse(Buffer.from(nodeId, 'base64url').toString()) as unknown[]
  return Buffer.from(JSON.stringify([type, 'nowhere', ...partition])).toString('base64url')
}

function filtersOf(schema: GraphQLSchema, type: GraphQLObjectType): string[] {
  const input = schema.getType(`${type.name}Filter`)
  return isInputObjectType(input) ? Object.values(input.getFields()).filter((field) => !connectives.has(field.name) && !isRelated(getNamedType(field.type))).map(({ name }) => name) : []
}

const connectives = new Set(['and', 'or', 'not'])

/** Whether an input has conditions on related documents, or on some or all of them. */
function isRelated(input: GraphQLNamedInputType): boolean {
  return isInputObjectType(input) && ('and' in input.getFields() || 'some' in input.getFields())
}

/** For filters by related documents, what the documents of that type have. */
function valuesOfRelated(schema: GraphQLSchema, values: Readonly<Record<string, readonly unknown[]>>): Record<string, readonly unknown[]> {
  return Object.fromEntries(documentTypes(schema).flatMap(({ type }) => Object.values(type.getFields()).flatMap((field) => {
    const input = schema.getType(`${type.name}${field.name[0]!.toUpperCase()}${field.name.slice(1)}Filter`)
    if (!isInputObjectType(input)) return []
    return Object.keys(input.getFields()).flatMap((name) => {
      const known = values[`${getNamedType(field.type).name}Filter.${name}`]
      return known ? [[`${input.name}.${name}`, known] as const] : []
    })
  })))
}

/** The field behind an argument or a filter: `year` is `year`, `publisherId` is `publisher { id }`, `authorIds` is `authors { id }`. */
function valueAsked(type: GraphQLObjectType, name: string): string {
  const fields = type.getFields()
  const field = fields[name] ?? fields[name.replace(/Ids$/, 's')] ?? fields[name.replace(/Ids?$/, '')]!
  return isLeafType(getNamedType(field.type)) ? field.name : `${field.name} { id }`
}

/** Each value once, nulls left out. */
function valuesOf(rows: readonly Row[], name: string): unknown[] {
  const found = rows.flatMap((row) => row[name]).map((value) => (isRow(value) ? value['id'] : value))
  return [...new Set(found.filter((value) => value !== null))]
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

function merged<T>(records: readonly Readonly<Record<string, T>>[]): Record<string, T> {
  return Object.fromEntries(records.flatMap((record) => Object.entries(record)))
}

/** The first one and others from all over the list. */
function spread<T>(all: readonly T[], most: number): T[] {
  return all.filter((_, index) => index % Math.ceil(all.length / most) === 0)
}
