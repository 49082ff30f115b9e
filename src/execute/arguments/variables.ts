// Variables and arguments without a walk through GraphQL.js, for the usual case: values that fit their types, and arguments that
// are literals or variables. Everything else, and every error, is left to GraphQL.js.

import {
  getArgumentValues, getVariableValues, isNonNullType, Kind, typeFromAST, valueFromAST,
  type ArgumentNode, type FieldNode, type GraphQLArgument, type GraphQLField, type GraphQLInputType, type GraphQLSchema, type VariableDefinitionNode,
} from 'graphql'
import { inputOf, unfit, type CoerceInput } from './input-values.ts'
import { literalValue, usesVariables, type LiteralValue } from './literal-values.ts'

type Values = Record<string, unknown>

/** Coerces the variables of one operation; undefined when they do not fit. */
export type CoerceVariables = (given: Values) => Values | undefined

export function variablesOf(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): CoerceVariables {
  if (definitions.length === 0) return (given) => given
  const fitting = fittingVariables(schema, definitions)
  return (given) => fitting?.(given) ?? getVariableValues(schema, definitions, given, { maxErrors: 1 }).coerced
}

/** Returns undefined for values that GraphQL.js has to coerce. */
export function fittingVariables(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): CoerceVariables | undefined {
  // Assigning to this name would change the prototype.
  if (definitions.some(({ variable }) => variable.name.value === '__proto__')) return undefined
  const read = definitions.map((definition) => variableOf(schema, definition))
  return (given) => {
    const coerced: Values = {}
    for (const { name, required, defaultValue, coerce } of read) {
      if (Object.hasOwn(given, name)) {
        const value = coerce(given[name])
        if (value === unfit) return undefined
        coerced[name] = value
      } else if (defaultValue !== undefined) coerced[name] = defaultValue
      else if (required) return undefined
    }
    return coerced
  }
}

interface Variable {
  readonly name: string
  readonly required: boolean
  readonly defaultValue: unknown
  readonly coerce: CoerceInput
}

/** Validation has checked that its type is one of inputs. */
function variableOf(schema: GraphQLSchema, { variable, type: written, defaultValue }: VariableDefinitionNode): Variable {
  const type = typeFromAST(schema, written as never) as GraphQLInputType
  return { name: variable.name.value, required: isNonNullType(type), defaultValue: defaultValue && valueFromAST(defaultValue, type), coerce: inputOf(type) }
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
