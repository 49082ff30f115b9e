// Random arguments: known values where there are any, made-up ones where not, as literals or through
// variables. What is selected below a field is random-operation.ts's business.

import type { Arbitrary } from 'fast-check'
import fc from '../fast-check.ts'
import {
  getNullableType, isEnumType, isInputObjectType, isListType, isNonNullType, isRequiredArgument, isRequiredInputField,
  type GraphQLArgument, type GraphQLDirective, type GraphQLField, type GraphQLInputObjectType, type GraphQLInputType,
} from 'graphql'
import type { OrderInput } from '../../src/plan/order.ts'
import { jsonOf, type Arguments, type DirectiveChoice, type Given } from './operation-tree.ts'

/** Values that mean something to the documents, which a schema alone does not tell. */
export interface KnownValues {
  /** By `Type.field`: sets of arguments that find a document, or on purpose none. */
  readonly arguments: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
  /** By `Input.field`: values for that field of an input, and for everything inside it. */
  readonly values: Readonly<Record<string, readonly unknown[]>>
  /** By `Type.field`: cursors of a connection in the order it has when none is asked for. */
  readonly cursors: Readonly<Record<string, readonly string[]>>
  /** By `Type.field`: the orders that a list can have. */
  readonly orders: Readonly<Record<string, readonly (readonly OrderInput[])[]>>
}

/** The most entries that a page asks for; when a page does not say, it is for the gateway to say as little. */
export const pageSize = 4

const filterDepth = 3
const ages = [0, 1000, 5000, 60_000]

/** Made once for each field: the inputs of filters are large, and a field is selected in many places. */
export function randomArguments(known: KnownValues, parent: string, field: GraphQLField<unknown, unknown>): Arbitrary<Arguments> {
  let made = madeFor.get(known)
  if (!made) madeFor.set(known, (made = new Map()))
  const coordinate = `${parent}.${field.name}`
  const found = made.get(coordinate) ?? makeArguments(known, coordinate, field)
  made.set(coordinate, found)
  return found
}

const madeFor = new WeakMap<KnownValues, Map<string, Arbitrary<Arguments>>>()

function makeArguments(known: KnownValues, coordinate: string, field: GraphQLField<unknown, unknown>): Arbitrary<Arguments> {
  const sets = known.arguments[coordinate]
  if (sets) return fc.oneof(...sets.map((set) => givenSet(field, set)))
  const others = fc.record(Object.fromEntries(field.args.filter(({ name }) => !isPaging(name)).map((argument) =>
    [argument.name, maybe(2, argument.name === 'orderBy' ? randomOrder(argument, known.orders[coordinate] ?? []) : value(known, argument.type), isRequiredArgument(argument))])))
  const page = field.args.some(({ name }) => name === 'last') ? randomPage(field, known.cursors[coordinate] ?? []) : undefined
  const first = page === undefined ? field.args.find(({ name }) => name === 'first') : undefined
  return fc.tuple(page ?? (first ? fc.record({ first: maybe(2, given(first.type, fc.constantFrom({ value: 0 }, { value: 1 }, { value: 3 })), false) }).map(present) : fc.constant({})), others).map(([paged, rest]) => present(inOneOrder(paged, rest)))
}

/** One order is a list of one, and may be given without the list. */
function randomOrder({ type }: GraphQLArgument, orders: readonly (readonly OrderInput[])[]): Arbitrary<Given> {
  const one = fc.constantFrom(...orders).chain((order) => fc.constantFrom<unknown>(order, ...(order.length === 1 ? order : [])))
  return orNull(type, given(type, one.map((each) => ({ value: each }))))
}

/** `@skip`, `@include`, both, or more often neither. */
export function randomConditions(skip: GraphQLDirective, include: GraphQLDirective): Arbitrary<readonly DirectiveChoice[]> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(condition(skip)) },
    { weight: 2, arbitrary: fc.tuple(condition(include)) },
    { weight: 1, arbitrary: fc.tuple(condition(skip), condition(include)) },
  )
}

/** `@read`, with any of its arguments; without it `without` times as often. */
export function randomRead(read: GraphQLDirective, without: number): Arbitrary<readonly DirectiveChoice[]> {
  const nothing = { arguments: {}, values: {}, cursors: {}, orders: {} }
  const some = fc.record(Object.fromEntries(read.args.map(({ name, type }) => [name, maybe(1, value(nothing, type, ages), false)])))
  return fc.oneof(
    { weight: without, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: some.map((all) => [{ name: read.name, arguments: present(all) }]) },
  )
}

/** Exactly these values, each in its own way. */
function givenSet(field: GraphQLField<unknown, unknown>, set: Readonly<Record<string, unknown>>): Arbitrary<Arguments> {
  return fc.record(Object.fromEntries(Object.entries(set).map(([name, one]) => [name, given(argumentOf(field, name).type, fc.constant({ value: one }))])))
}

/** From either end, with and without a cursor, with and without saying how many. */
function randomPage(field: GraphQLField<unknown, unknown>, cursors: readonly string[]): Arbitrary<Partial<Arguments>> {
  const size = (name: string) => given(argumentOf(field, name).type, fc.constantFrom(2, 3, pageSize, 1, 2, 3, pageSize, 0).map((one) => ({ value: one })))
  const cursor = (name: string) => given(argumentOf(field, name).type, fc.constantFrom(...cursors).map((one) => ({ value: one })))
  const pages: Arbitrary<Partial<Arguments>>[] = [
    fc.constant({}),
    fc.record({ first: orNull(argumentOf(field, 'first').type, size('first')) }),
    fc.record({ last: size('last') }),
  ]
  if (cursors.length > 0) pages.push(fc.record({ first: size('first'), after: cursor('after') }), fc.record({ last: size('last'), before: cursor('before') }))
  return fc.oneof(...pages)
}

/** A cursor is good for one order only, and those that are known are of the usual one. */
function inOneOrder({ after, before, ...sizes }: Partial<Arguments>, rest: Partial<Arguments>): Partial<Arguments> {
  return rest['orderBy'] ? { ...sizes, ...rest } : { ...sizes, ...(after ? { after } : {}), ...(before ? { before } : {}), ...rest }
}

function condition(directive: GraphQLDirective): Arbitrary<DirectiveChoice> {
  const [{ name, type }] = directive.args as [GraphQLArgument]
  const overriding = fc.boolean().map((holds): Given => ({ type, by: 'variable', value: holds, overridden: !holds }))
  const plain = given(type, fc.boolean().map((holds) => ({ value: holds })))
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: overriding })
    .map((one) => ({ name: directive.name, arguments: { [name]: one } }))
}

type Content = Pick<Given, 'value' | 'fields'>

/** Any value of a type, null and a variable that is not sent included. `values` are what scalars are taken from. */
function value(known: KnownValues, type: GraphQLInputType, values: readonly unknown[] = [], depth = filterDepth): Arbitrary<Given> {
  return orNull(type, given(type, content(known, getNullableType(type), values, depth)))
}

function given(type: GraphQLInputType, of: Arbitrary<Content>): Arbitrary<Given> {
  const by = fc.constantFrom('literal', 'literal', 'literal', 'variable', 'default')
  return fc.record({ by, of }).map((one) => ({ type, by: one.by, ...one.of }))
}

function orNull(type: GraphQLInputType, some: Arbitrary<Given>): Arbitrary<Given> {
  if (isNonNullType(type)) return some
  return fc.oneof(
    { weight: 10, arbitrary: some },
    { weight: 1, arbitrary: given(type, fc.constant({ value: null })) },
    { weight: 1, arbitrary: fc.constant<Given>({ type, by: 'variable', value: undefined }) },
  )
}

function content(known: KnownValues, type: GraphQLInputType, values: readonly unknown[], depth: number): Arbitrary<Content> {
  if (isInputObjectType(type)) return inputObject(known, type, values, depth)
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => ({ value: name })))
  if (!isListType(type)) return scalar(String(type), values).map((one) => ({ value: one }))
  const element = value(known, type.ofType, values, depth).map(jsonOf)
  return fc.array(element, { maxLength: 3 }).map((elements) => ({ value: elements.map((one) => one ?? null) }))
}

/** One or two fields beside those that are required: a filter with many conditions finds nothing. */
function inputObject(known: KnownValues, type: GraphQLInputObjectType, values: readonly unknown[], depth: number): Arbitrary<Content> {
  const fields = Object.values(type.getFields())
  const entry = (name: string, of: GraphQLInputType): Arbitrary<[string, Given]> =>
    fc.tuple(fc.constant(name), value(known, of, known.values[`${type.name}.${name}`] ?? values, depth - 1))
  const required = fields.filter(isRequiredInputField).map((field) => entry(field.name, field.type))
  const optional = fields.filter((field) => !isRequiredInputField(field) && (depth > 0 || !isDeep(field.type))).map((field) => entry(field.name, field.type))
  const some = optional.length > 0 ? fc.uniqueArray(fc.oneof(...optional), { selector: ([name]) => name, maxLength: 2 }) : fc.constant([])
  return fc.tuple(fc.tuple(...required), some).map(([must, may]) => ({ value: undefined, fields: Object.fromEntries([...must, ...may]) }))
}

function isDeep(type: GraphQLInputType): boolean {
  const nullable = getNullableType(type)
  return isListType(nullable) ? isDeep(nullable.ofType) : isInputObjectType(nullable)
}

function scalar(name: string, values: readonly unknown[]): Arbitrary<unknown> {
  if (name === 'Boolean') return fc.boolean()
  if (values.length > 0) return fc.constantFrom(...values)
  return name === 'Int' || name === 'Float' ? fc.integer({ min: 0, max: 9 }) : fc.constantFrom('a', '1')
}

/** Left out `without` times as often as given, unless it is required. */
function maybe<T>(without: number, some: Arbitrary<T>, required: boolean): Arbitrary<T | undefined> {
  return required ? some : fc.oneof({ weight: without, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some })
}

function present(all: Readonly<Record<string, Given | undefined>>): Arguments {
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, Given] => entry[1] !== undefined))
}

function isPaging(name: string): boolean {
  return ['first', 'after', 'last', 'before'].includes(name)
}

function argumentOf(field: GraphQLField<unknown, unknown>, name: string): GraphQLArgument {
  return field.args.find((argument) => argument.name === name)!
}
