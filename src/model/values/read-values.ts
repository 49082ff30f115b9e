// Reads what the SDL says about the values of a field: `@constraint` and `@default`. Each problem names the field and says what to write.

import { getNamedType, getNullableType, isInputType, isLeafType, isListType, Kind, print, valueFromAST, type GraphQLField, type GraphQLInputType, type ValueNode } from 'graphql'
import type { Json } from '../json/json.ts'
import { compareScalars } from '../keys/compare-scalars.ts'
import type { Scalar } from '../keys/position.ts'
import { scalarCalled } from '../scalars.ts'
import { violationOf, itemsViolation, type Constraint } from './constraint.ts'
import { createPattern } from './pattern.ts'

/** What a new document has where its input gives nothing. */
export interface Default {
  /** As it is stored. */
  readonly value: Json
  /** As it is written in SDL. */
  readonly literal: string
}

export interface DeclaredValues {
  readonly constraint?: Constraint
  readonly default?: Default
}

export function readValues(coordinate: string, field: GraphQLField<unknown, unknown>, problems: string[]): DeclaredValues {
  const constraint = readConstraint(coordinate, field, problems)
  const given = readDefault(coordinate, field, constraint, problems)
  return { ...(constraint ? { constraint } : {}), ...(given ? { default: given } : {}) }
}

function readConstraint(coordinate: string, field: GraphQLField<unknown, unknown>, problems: string[]): Constraint | undefined {
  const written = argumentsOf(field, 'constraint')
  if (!written) return undefined
  const refuse = (problem: string): undefined => void problems.push(`${coordinate}: ${problem}`)
  const type = getNamedType(field.type)
  const isList = isListType(getNullableType(field.type))
  const words = [...written.keys()]
  const scalar = isLeafType(type) ? scalarCalled(type.name) : undefined
  const useless = words.filter((word) => (word === 'min' || word === 'max' ? scalar?.ordered !== true : word === 'minItems' ? !isList : scalar?.text !== true))
  if (words.length === 0) return refuse('@constraint says nothing. Give a bound, such as min: 0, or remove it.')
  if (useless.length > 0) return refuse(`@constraint(${useless[0]}:) needs ${useless[0] === 'minItems' ? 'a list' : useless[0] === 'min' || useless[0] === 'max' ? 'values that have an order' : 'texts'}, and the type is ${String(field.type)}. Remove it.`)
  const bound = (word: string): Scalar | undefined => {
    const node = written.get(word)
    const value = node && (valueFromAST(node, type as GraphQLInputType) as Scalar | undefined)
    if (node && (value === undefined || value === null)) refuse(`@constraint(${word}: ${print(node)}) is no ${type.name}. Give one.`)
    return value ?? undefined
  }
  const count = (word: string): number | undefined => {
    const node = written.get(word)
    const value = node?.kind === Kind.INT ? Number(node.value) : undefined
    if (value !== undefined && value < 0) refuse(`@constraint(${word}: ${value}) is less than 0. Give a number from 0.`)
    return value
  }
  const source = written.get('pattern')
  const pattern = source?.kind === Kind.STRING ? createPattern(source.value) : undefined
  if (typeof pattern === 'string') refuse(`@constraint(pattern: ${print(source!)}) ${pattern}.`)
  const read = { min: bound('min'), max: bound('max'), minLength: count('minLength'), maxLength: count('maxLength'), pattern: typeof pattern === 'string' ? undefined : pattern, minItems: count('minItems') }
  const crossed = read.min !== undefined && read.max !== undefined && compareScalars(read.min, read.max) > 0
  if (crossed || (read.minLength ?? 0) > (read.maxLength ?? Infinity)) return refuse('@constraint has a min that is more than its max. No value meets both.')
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

function readDefault(coordinate: string, field: GraphQLField<unknown, unknown>, constraint: Constraint | undefined, problems: string[]): Default | undefined {
  const node = argumentsOf(field, 'default')?.get('value')
  if (!node) return undefined
  const { type } = field
  if (!isInputType(type)) return void problems.push(`${coordinate}: @default needs a scalar, an enum or a list of them, and the type is ${String(type)}. Remove it, or put it on the fields inside.`)
  const value = valueFromAST(node, type) as Json | undefined
  if (value === undefined || value === null) return void problems.push(`${coordinate}: @default(value: ${print(node)}) is no ${String(getNullableType(type))}. Give one.`)
  const elements = Array.isArray(value) ? (value as readonly Json[]) : [value]
  const violation = constraint && (elements.map((each) => violationOf(constraint, each)).find((each) => each) ?? itemsViolation(constraint, value))
  if (violation) return void problems.push(`${coordinate}: its default ${violation.is}. ${violation.advice}`)
  return { value, literal: print(node) }
}

/** The arguments that the SDL gives a directive of a field, as they are written; undefined without the directive. */
function argumentsOf({ astNode }: GraphQLField<unknown, unknown>, directive: string): Map<string, ValueNode> | undefined {
  const node = astNode?.directives?.find(({ name }) => name.value === directive)
  return node && new Map(node.arguments?.filter(({ value }) => value.kind !== Kind.NULL).map(({ name, value }) => [name.value, value]))
}
