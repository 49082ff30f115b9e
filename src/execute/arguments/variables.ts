// Variables and arguments without a walk through GraphQL.js, for the usual case: built-in scalars whose values need no
// conversion, and arguments that are literals or variables. Everything else, and every error, is left to GraphQL.js.

import {
  getArgumentValues, getVariableValues, GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLString, isNonNullType, Kind, typeFromAST, valueFromAST,
  type ArgumentNode, type FieldNode, type GraphQLArgument, type GraphQLField, type GraphQLInputType, type GraphQLSchema, type VariableDefinitionNode,
} from 'graphql'
import { literalValue, usesVariables, type LiteralValue } from './literal-values.ts'

type Values = Record<string, unknown>

/** Coerces the variables of one operation; undefined when they do not fit. */
export type CoerceVariables = (given: Values) => Values | undefined

export function variablesOf(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): CoerceVariables {
  if (definitions.length === 0) return (given) => given
  const simple = simpleVariables(schema, definitions)
  return (given) => simple?.(given) ?? getVariableValues(schema, definitions, given, { maxErrors: 1 }).coerced
}

/** Undefined if a type is not a built-in scalar. The function returns undefined if GraphQL.js has to coerce a value. */
export function simpleVariables(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): CoerceVariables | undefined {
  const read = definitions.map((definition) => simpleVariable(schema, definition))
  if (!read.every((definition) => definition !== undefined)) return undefined
  return (given) => {
    const coerced: Values = {}
    for (const { name, required, defaultValue, fits } of read) {
      const value = Object.hasOwn(given, name) ? given[name] : defaultValue
      if (value === undefined ? required : value === null ? required : !fits(value)) return undefined
      if (value !== undefined) coerced[name] = value
    }
    return coerced
  }
}

interface SimpleVariable {
  readonly name: string
  readonly required: boolean
  readonly defaultValue: unknown
  /** Whether a value needs no conversion. */
  readonly fits: (value: unknown) => boolean
}

function simpleVariable(schema: GraphQLSchema, { variable, type: written, defaultValue }: VariableDefinitionNode): SimpleVariable | undefined {
  const type = typeFromAST(schema, written as never) as GraphQLInputType | undefined
  const required = isNonNullType(type)
  const fits = fitsByType.get(required ? type.ofType : type)
  // Assigning to this name would change the prototype.
  if (variable.name.value === '__proto__') return undefined
  return fits && { name: variable.name.value, required, defaultValue: defaultValue && valueFromAST(defaultValue, type!), fits }
}

const fitsByType = new Map<unknown, (value: unknown) => boolean>([
  [GraphQLString, isText],
  [GraphQLID, isText],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
  [GraphQLInt, (value) => typeof value === 'number' && (value | 0) === value],
  [GraphQLFloat, (value) => typeof value === 'number' && Number.isFinite(value)],
])

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

/** The arguments of a field as its resolver gets them: literals are read once, variables in every run. */
export function argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): (variables: Values) => Values {
  const given = new Map((node.arguments ?? []).map((argument) => [argument.name.value, argument]))
  if (![...given.values()].some(({ value }) => usesVariables(value))) {
    const values = getArgumentValues(field, node)
    return () => values
  }
  const puts = field.args.map((argument) => putOf(field, node, argument, given.get(argument.name)))
  return (variables) => {
    const values: Values = {}
    for (const put of puts) if (!put(values, variables)) return getArgumentValues(field, node, variables)
    return values
  }
}

/** Puts one argument into the values; false where GraphQL.js has to. */
type Put = (values: Values, variables: Values) => boolean

function putOf(field: GraphQLField<unknown, unknown>, node: FieldNode, argument: GraphQLArgument, given: ArgumentNode | undefined): Put {
  const { name, defaultValue, type } = argument
  if (given?.value.kind === Kind.VARIABLE) return putVariable(given.value.name.value, argument)
  if (given && usesVariables(given.value)) return putLiteral(literalValue(given.value, type), name)
  const fixed = getArgumentValues({ ...field, args: [{ name, defaultValue, type } as GraphQLArgument] }, node)
  if (!Object.hasOwn(fixed, name)) return () => true
  return (values) => {
    values[name] = fixed[name]
    return true
  }
}

/** Variables are coerced by now, and validation has checked that they fit the argument. */
function putVariable(variable: string, { name, defaultValue, type }: GraphQLArgument): Put {
  const required = isNonNullType(type)
  return (values, variables) => {
    const value = Object.hasOwn(variables, variable) ? variables[variable] : defaultValue
    if (value === undefined) return !required
    if (value === null && required) return false
    values[name] = value
    return true
  }
}

function putLiteral(literal: LiteralValue, name: string): Put {
  return (values, variables) => {
    const value = literal(variables)
    if (value === undefined) return false
    values[name] = value
    return true
  }
}
