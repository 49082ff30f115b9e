// The arguments of a field as its resolver gets them: what GraphQL.js makes of them, worked out once where they are
// written in the operation, and taken from the variables where an argument is one.

import { getArgumentValues, isNonNullType, Kind, visit, type ArgumentNode, type FieldNode, type GraphQLArgument, type GraphQLField } from 'graphql'

type Values = Record<string, unknown>
/** Puts an argument among the others; false where GraphQL.js has something to say about it. */
type Put = (values: Values, variables: Values) => boolean

export function argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): (variables: Values) => Values {
  const given = new Map((node.arguments ?? []).map((argument) => [argument.name.value, argument]))
  if (![...given.values()].some(usesVariables)) {
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

function putOf(field: GraphQLField<unknown, unknown>, node: FieldNode, argument: GraphQLArgument, given: ArgumentNode | undefined): Put {
  const { name, defaultValue, type } = argument
  if (given?.value.kind === Kind.VARIABLE) return fromVariable(given.value.name.value, argument)
  if (given && usesVariables(given)) return () => false
  const fixed = getArgumentValues({ ...field, args: [{ name, defaultValue, type } as GraphQLArgument] }, node)
  if (!Object.hasOwn(fixed, name)) return () => true
  return (values) => {
    values[name] = fixed[name]
    return true
  }
}

/** Variables have been coerced, and validation has seen to it that they fit. */
function fromVariable(variable: string, { name, defaultValue, type }: GraphQLArgument): Put {
  const required = isNonNullType(type)
  return (values, variables) => {
    const value = Object.hasOwn(variables, variable) ? variables[variable] : defaultValue
    if (value === undefined) return !required
    if (value === null && required) return false
    values[name] = value
    return true
  }
}

function usesVariables(argument: ArgumentNode): boolean {
  let uses = false
  visit(argument, { [Kind.VARIABLE]: () => void (uses = true) })
  return uses
}
