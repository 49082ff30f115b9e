// Values of variables as GraphQL.js would coerce them, by functions that are made once for each input type. Only values that fit
// are coerced here. All others are left to GraphQL.js, which also makes the errors.

import {
  GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLString, isEnumType, isInputObjectType, isListType, isNonNullType,
  type GraphQLEnumType, type GraphQLInputObjectType, type GraphQLInputType, type GraphQLScalarType,
} from 'graphql'
import { isObject } from '../../model/json/json.ts'

/** What a value is coerced to, or `unfit`. */
export type CoerceInput = (value: unknown) => unknown

/** GraphQL.js has to coerce the value. */
export const unfit = Symbol('unfit')

export function inputOf(type: GraphQLInputType): CoerceInput {
  let coerce = known.get(type)
  // Before it is made, because input types may contain themselves.
  if (!coerce) known.set(type, (coerce = lazily(() => create(type))))
  return coerce
}

const known = new WeakMap<GraphQLInputType, CoerceInput>()

function lazily(make: () => CoerceInput): CoerceInput {
  let made: CoerceInput | undefined
  return (value) => (made ??= make())(value)
}

function create(type: GraphQLInputType): CoerceInput {
  if (isNonNullType(type)) {
    const inner = inputOf(type.ofType)
    return (value) => (value === null || value === undefined ? unfit : inner(value))
  }
  const present = ofPresent(type)
  return (value) => (value === null || value === undefined ? null : present(value))
}

function ofPresent(type: GraphQLInputType): CoerceInput {
  if (isListType(type)) return listOf(inputOf(type.ofType))
  if (isInputObjectType(type)) return objectOf(type)
  if (isEnumType(type)) return enumOf(type)
  return scalarOf(type)
}

/** GraphQL.js makes a list of a value that is none. */
function listOf(element: CoerceInput): CoerceInput {
  return (list) => {
    if (!Array.isArray(list)) return unfit
    const values: unknown[] = []
    for (const each of list) {
      const value = element(each)
      if (value === unfit) return unfit
      values.push(value)
    }
    return values
  }
}

function objectOf(type: GraphQLInputObjectType): CoerceInput {
  if (type.isOneOf) return () => unfit
  const fields = Object.values(type.getFields()).map(({ name, type: of, defaultValue }) => ({ name, defaultValue, coerce: inputOf(of), required: isNonNullType(of) }))
  const names = new Set(fields.map(({ name }) => name))
  return (given) => {
    if (!isObject(given)) return unfit
    for (const name of Object.keys(given)) if (!names.has(name)) return unfit
    const values: Record<string, unknown> = {}
    for (const { name, defaultValue, coerce, required } of fields) {
      const own = given[name]
      if (own === undefined) {
        if (defaultValue !== undefined) values[name] = defaultValue
        else if (required) return unfit
        continue
      }
      const value = coerce(own)
      if (value === unfit) return unfit
      values[name] = value
    }
    return values
  }
}

function enumOf(type: GraphQLEnumType): CoerceInput {
  const values = new Map(type.getValues().map(({ name, value }) => [name, value as unknown]))
  return (name) => (typeof name === 'string' && values.has(name) ? values.get(name) : unfit)
}

function scalarOf(type: GraphQLScalarType): CoerceInput {
  const fits = builtIn.get(type)
  if (fits) return (value) => (fits(value) ? value : unfit)
  return (value) => {
    try {
      const parsed: unknown = type.parseValue(value)
      return parsed === undefined ? unfit : parsed
    } catch {
      return unfit
    }
  }
}

/** Whether a value needs no conversion. */
const builtIn = new Map<GraphQLScalarType, (value: unknown) => boolean>([
  [GraphQLString, isText],
  [GraphQLID, isText],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
  [GraphQLInt, (value) => typeof value === 'number' && (value | 0) === value],
  [GraphQLFloat, (value) => typeof value === 'number' && Number.isFinite(value)],
])

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
