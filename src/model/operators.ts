// Every filter operator, in two tables: the comparisons that stores make, with their meaning in plain
// TypeScript, and the operators that clients write, each of which is one of those comparisons. The SDL,
// the translation of filters, the memory store and the random tests read these tables. SQLite and
// Cosmos DB each translate every comparison in a table of their own (store/sqlite/sql/conditions-sql.ts and
// store/cosmos/query/sql.ts), which the compiler keeps complete.

import { compareScalars, isSameType } from './keys/compare-scalars.ts'
import type { Scalar } from './keys/position.ts'
import { scalarCalled } from './scalars.ts'

/**
 * The kinds of operand that a comparison can have.
 *
 * @example
 * ```ts
 * const text: Operands['text'] = 'R'
 * ```
 */
export interface Operands {
  readonly scalar: Scalar
  readonly scalars: readonly Scalar[]
  readonly text: string
}

type ComparisonMeaning = {
  [Kind in keyof Operands]: { readonly operand: Kind; readonly holds: (found: Scalar, operand: Operands[Kind]) => boolean }
}[keyof Operands]

/** What a comparison means. A missing value counts as null, and values of different types are never equal, less or greater. */
export const comparisons = {
  eq: { operand: 'scalar', holds: sameTypeAnd((order) => order === 0) },
  lt: { operand: 'scalar', holds: sameTypeAnd((order) => order < 0) },
  lte: { operand: 'scalar', holds: sameTypeAnd((order) => order <= 0) },
  gt: { operand: 'scalar', holds: sameTypeAnd((order) => order > 0) },
  gte: { operand: 'scalar', holds: sameTypeAnd((order) => order >= 0) },
  in: { operand: 'scalars', holds: (found, values) => values.includes(found) },
  startsWith: { operand: 'text', holds: (found, start) => typeof found === 'string' && found.startsWith(start) },
} as const satisfies Record<string, ComparisonMeaning>

/**
 * The operators of comparisons.
 *
 * @example
 * ```ts
 * const op: ComparisonOperator = 'startsWith'
 * ```
 */
export type ComparisonOperator = keyof typeof comparisons

/**
 * The operand of an operator.
 *
 * @example
 * ```ts
 * const values: Operand<'in'> = ['north', 'south']
 * ```
 */
export type Operand<Op extends ComparisonOperator> = Operands[(typeof comparisons)[Op]['operand']]

/** One operator of a filter input such as `StringFilter`. */
export interface FilterOperator {
  readonly description: string
  /** Which filter inputs have it: those for one value of a scalar, or those for a list of values. */
  readonly on: (scalar: string, list: boolean) => boolean
  /** The GraphQL type of its argument, in the filter of a scalar. */
  readonly argument: (scalar: string) => string
  /** The comparison that it asks for; `negated` where the comparison must not hold. */
  readonly means: (argument: unknown) => { readonly op: ComparisonOperator; readonly operand: unknown; readonly negated?: boolean }
  /** Whether `null` is an operand. To every other operator, null is the same as leaving it out. */
  readonly takesNull?: boolean
}

/** The operators by the name that clients write, in the order of the SDL. */
export const filterOperators: Readonly<Record<string, FilterOperator>> = {
  eq: { description: 'Equal to this.', on: oneValue, argument: theScalar, means: compared('eq'), takesNull: true },
  in: { description: 'Equal to one of these.', on: oneValue, argument: listOfScalars, means: compared('in') },
  isNull: { description: 'True matches documents without a value, false those with one.', on: oneValue, argument: () => 'Boolean', means: (isNull) => ({ op: 'eq', operand: null, negated: isNull === false }) },
  lt: { description: 'Less than this.', on: orderedValue, argument: theScalar, means: compared('lt') },
  lte: { description: 'Less than or equal to this.', on: orderedValue, argument: theScalar, means: compared('lte') },
  gt: { description: 'Greater than this.', on: orderedValue, argument: theScalar, means: compared('gt') },
  gte: { description: 'Greater than or equal to this.', on: orderedValue, argument: theScalar, means: compared('gte') },
  startsWith: { description: 'Starts with this.', on: text, argument: theScalar, means: compared('startsWith') },
  contains: { description: 'The list contains this id.', on: listOfValues, argument: theScalar, means: compared('eq') },
  containsAny: { description: 'The list contains at least one of these ids.', on: listOfValues, argument: listOfScalars, means: compared('in') },
}

function oneValue(_scalar: string, list: boolean): boolean {
  return !list
}

function orderedValue(scalar: string, list: boolean): boolean {
  return !list && scalarCalled(scalar)?.ordered === true
}

function text(scalar: string, list: boolean): boolean {
  return !list && scalarCalled(scalar)?.text === true
}

function listOfValues(_scalar: string, list: boolean): boolean {
  return list
}

function theScalar(scalar: string): string {
  return scalar
}

function listOfScalars(scalar: string): string {
  return `[${scalar}!]`
}

function compared(op: ComparisonOperator): FilterOperator['means'] {
  return (operand) => ({ op, operand })
}

function sameTypeAnd(isMet: (order: number) => boolean): (found: Scalar, value: Scalar) => boolean {
  return (found, value) => isSameType(found, value) && isMet(compareScalars(found, value))
}
