// Variables that are what they are declared to be, as nearly all are: the types that GraphQL brings, with values that
// need no conversion. Whatever is anything else, and whatever is wrong, is for GraphQL.js.

import {
  GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLString, isNonNullType, typeFromAST, valueFromAST,
  type GraphQLInputType, type GraphQLSchema, type VariableDefinitionNode,
} from 'graphql'

type Values = Record<string, unknown>

/** Coerces the variables of one operation; undefined where GraphQL.js has to. */
export type SimpleVariables = (given: Values) => Values | undefined

interface Definition {
  readonly name: string
  readonly required: boolean
  /** What it is where nothing is given; undefined where that is nothing. */
  readonly usual: unknown
  /** Whether a value is taken as it is. */
  readonly fits: (value: unknown) => boolean
}

/** Undefined where there is a type that takes more. */
export function simpleVariables(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): SimpleVariables | undefined {
  const read = definitions.map((definition) => definitionOf(schema, definition))
  if (!read.every((definition) => definition !== undefined)) return undefined
  return (given) => {
    const coerced: Values = {}
    for (const { name, required, usual, fits } of read) {
      const value = Object.hasOwn(given, name) ? given[name] : usual
      if (value === undefined ? required : value === null ? required : !fits(value)) return undefined
      if (value !== undefined) coerced[name] = value
    }
    return coerced
  }
}

function definitionOf(schema: GraphQLSchema, { variable, type: written, defaultValue }: VariableDefinitionNode): Definition | undefined {
  const type = typeFromAST(schema, written as never) as GraphQLInputType | undefined
  const required = isNonNullType(type)
  const fits = fitting.get(required ? type.ofType : type)
  // A name that means something else to objects.
  if (variable.name.value === '__proto__') return undefined
  return fits && { name: variable.name.value, required, usual: defaultValue && valueFromAST(defaultValue, type!), fits }
}

const fitting = new Map<unknown, (value: unknown) => boolean>([
  [GraphQLString, isText],
  [GraphQLID, isText],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
  [GraphQLInt, (value) => typeof value === 'number' && (value | 0) === value],
  [GraphQLFloat, (value) => typeof value === 'number' && Number.isFinite(value)],
])

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
