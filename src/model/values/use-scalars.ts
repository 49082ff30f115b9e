// Makes the known scalars of a schema read and show values as known-scalars.ts says. Inputs, arguments and filters then have values as they
// are stored, and nothing after them converts anything.

import {
  getNamedType, GraphQLError, isInputObjectType, isIntrospectionType, isObjectType, isScalarType, Kind, valueFromAST, valueFromASTUntyped,
  type GraphQLArgument, type GraphQLInputField, type GraphQLScalarType, type GraphQLSchema, type ValueNode,
} from 'graphql'
import { knownScalars, type KnownScalar } from './known-scalars.ts'

/** The same schema. */
export function useScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    const known = isScalarType(type) && Object.hasOwn(knownScalars, type.name) ? knownScalars[type.name] : undefined
    if (known) use(type as GraphQLScalarType, known)
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type)) readDefaults(Object.values(type.getFields()))
    if (isObjectType(type) && !isIntrospectionType(type)) for (const { args } of Object.values(type.getFields())) readDefaults(args)
  }
  return schema
}

/** Defaults were read when the schema was built, before its scalars could read anything. */
function readDefaults(inputs: readonly (GraphQLInputField | GraphQLArgument)[]): void {
  for (const input of inputs) if (input.astNode?.defaultValue && Object.hasOwn(knownScalars, getNamedType(input.type).name)) input.defaultValue = valueFromAST(input.astNode.defaultValue, input.type)
}

function use(type: GraphQLScalarType, { store, show }: KnownScalar): void {
  const read = (given: unknown): unknown => {
    try {
      return store(given)
    } catch (error) {
      throw new GraphQLError(`${type.name} cannot be ${shownValue(given)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  type.parseValue = read
  // A number in a document has all its digits only as it is written.
  type.parseLiteral = (node: ValueNode, variables) => read(node.kind === Kind.INT || node.kind === Kind.FLOAT ? (type.name === 'JSON' ? Number(node.value) : node.value) : valueFromASTUntyped(node, variables))
  type.serialize = (stored) => {
    try {
      return show(stored)
    } catch (error) {
      throw new GraphQLError(`${type.name} cannot represent its value: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function shownValue(given: unknown): string {
  const text = JSON.stringify(given, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? String(given)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
