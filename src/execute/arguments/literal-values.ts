// Values of literals with variables in them, such as `{ year: { gt: $year } }`. Everything that does not depend on a variable is
// read once; each run puts the variables in. GraphQL.js reads such a literal again for every request.

import {
  isInputObjectType, isListType, isNonNullType, Kind, valueFromAST, visit, type GraphQLInputObjectType, type GraphQLInputType, type ObjectValueNode, type ValueNode,
} from 'graphql'

type Variables = Readonly<Record<string, unknown>>

/** The value; `undefined` where GraphQL.js has to say what is wrong. */
export type LiteralValue = (variables: Variables) => unknown

export function literalValue(literal: ValueNode, type: GraphQLInputType): LiteralValue {
  if (!usesVariables(literal)) {
    const fixed = valueFromAST(literal, type)
    return () => fixed
  }
  if (isNonNullType(type)) {
    const value = literalValue(literal, type.ofType)
    return (variables) => value(variables) ?? undefined
  }
  // Variables are coerced by now, and validation has checked that they fit.
  if (literal.kind === Kind.VARIABLE) {
    const name = literal.name.value
    return (variables) => (Object.hasOwn(variables, name) ? variables[name] : undefined)
  }
  if (isListType(type)) return listValue(literal, type.ofType)
  if (isInputObjectType(type) && !type.isOneOf && literal.kind === Kind.OBJECT) return objectValue(literal, type)
  return () => undefined
}

/** A single value is a list of one. A variable that is not given is null in a list. */
function listValue(literal: ValueNode, element: GraphQLInputType): LiteralValue {
  const literals = literal.kind === Kind.LIST ? literal.values : [literal]
  const elements = literals.map((each) => ({ value: literalValue(each, element), canBeNull: each.kind === Kind.VARIABLE && !isNonNullType(element) }))
  return (variables) => {
    const values: unknown[] = []
    for (const { value, canBeNull } of elements) {
      const one = value(variables)
      if (one === undefined && !canBeNull) return undefined
      values.push(one ?? null)
    }
    return values
  }
}

function objectValue(literal: ObjectValueNode, type: GraphQLInputObjectType): LiteralValue {
  const given = new Map(literal.fields.map((field) => [field.name.value, field.value]))
  const fields = Object.values(type.getFields()).map(({ name, type: fieldType, defaultValue }) => {
    const written = given.get(name)
    return {
      name, defaultValue,
      required: isNonNullType(fieldType),
      variable: written?.kind === Kind.VARIABLE ? written.name.value : undefined,
      value: written && literalValue(written, fieldType),
    }
  })
  return (variables) => {
    // GraphQL.js makes objects without a prototype.
    const object = Object.create(null) as Record<string, unknown>
    for (const { name, defaultValue, required, variable, value } of fields) {
      const isMissing = value === undefined || (variable !== undefined && (!Object.hasOwn(variables, variable) || variables[variable] === undefined))
      if (!isMissing) {
        const one = value(variables)
        if (one === undefined) return undefined
        object[name] = one
      } else if (defaultValue !== undefined) object[name] = defaultValue
      else if (required) return undefined
    }
    return object
  }
}

export function usesVariables(literal: ValueNode): boolean {
  let uses = false
  visit(literal, { [Kind.VARIABLE]: () => void (uses = true) })
  return uses
}
