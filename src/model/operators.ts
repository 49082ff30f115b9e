// Every filter operator, in two tables: the comparisons that stores make, with their meaning in plain
// TypeScript and where they lead in a sorted list, and the operators that clients write, each of which is one of those comparisons. The SDL,
// the translation of filters, the memory store and the random tests read these tables. SQLite, PostgreSQL and
// Cosmos DB each translate every comparison in a table of their own (store/sqlite/sql/conditions-sql.ts,
// store/postgres/sql/conditions-sql.ts and store/cosmos/query/sql.ts), which the compiler keeps complete.

import { compareScalars, isSameType } from './keys/compare-scalars.ts'
import { above, below, fromAndWith, only, prefixed, upToAndWith, type Interval } from './keys/intervals.ts'
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
  eq: { operand: 'scalar', holds: (found, value) => orderOf(found, value) === 0 },
  lt: { operand: 'scalar', holds: (found, value) => orderOf(found, value) < 0 },
  lte: { operand: 'scalar', holds: (found, value) => orderOf(found, value) <= 0 },
  gt: { operand: 'scalar', holds: (found, value) => orderOf(found, value) > 0 },
  gte: { operand: 'scalar', holds: (found, value) => orderOf(found, value) >= 0 },
  in: { operand: 'scalars', holds: (found, values) => values.includes(found) },
  startsWith: { operand: 'text', holds: ofText((found, start) => found.startsWith(start)) },
  endsWith: { operand: 'text', holds: ofText((found, end) => found.endsWith(end)) },
  contains: { operand: 'text', holds: ofText((found, part) => found.includes(part)) },
  // The same of texts without regard to case.
  ieq: { operand: 'text', holds: ofText((found, value) => foldCase(found) === foldCase(value)) },
  istartsWith: { operand: 'text', holds: ofText((found, start) => foldCase(found).startsWith(foldCase(start))) },
  iendsWith: { operand: 'text', holds: ofText((found, end) => foldCase(found).endsWith(foldCase(end))) },
  icontains: { operand: 'text', holds: ofText((found, part) => foldCase(found).includes(foldCase(part))) },
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

/**
 * Where a comparison holds in a list that is sorted by the compared value: all entries between two points meet it, and no others do.
 * Undefined where they may lie apart from each other, as of every comparison that the table leaves out.
 */
export function intervalsOf<Op extends ComparisonOperator>(op: Op, operand: Operand<Op>): readonly Interval[] | undefined {
  return intervals[op]?.(operand)
}

const intervals: { readonly [Op in ComparisonOperator]?: (operand: Operand<Op>) => readonly Interval[] | undefined } = {
  eq: (value) => [only(value)],
  in: (values) => [...new Set(values)].map(only),
  lt: (value) => [below(value)],
  lte: (value) => [upToAndWith(value)],
  gt: (value) => [above(value)],
  gte: (value) => [fromAndWith(value)],
  startsWith: prefixed,
}

/**
 * The text by which texts are compared without regard to case: in lower case, whatever the language of the machine, and with one
 * form of the Greek letter that has another at the end of a word.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** One operator of a filter input such as `StringFilter`. */
export interface FilterOperator {
  readonly description: string
  /** Which scalars have it. */
  readonly on: (scalar: string) => boolean
  /** The GraphQL type of its argument, in the filter of a scalar. */
  readonly argument: (scalar: string) => string
  /** The comparison that it asks for; `negated` where the comparison must not hold. */
  readonly means: (argument: unknown) => { readonly op: ComparisonOperator; readonly operand: unknown; readonly negated?: boolean }
  /** Whether `null` is an operand. To every other operator, null is the same as leaving it out. */
  readonly takesNull?: boolean
}

/** The operators of one value by the name that clients write, in the order of the SDL. */
const valueOperators: FilterOperators = {
  eq: { description: 'Equal to this.', on: anyScalar, argument: theScalar, means: compared('eq'), takesNull: true },
  ne: { description: 'Different from this. Documents without a value match, too.', on: anyScalar, argument: theScalar, means: (operand) => ({ op: 'eq', operand, negated: true }), takesNull: true },
  in: { description: 'Equal to one of these.', on: anyScalar, argument: listOfScalars, means: compared('in') },
  isNull: { description: 'True matches documents without a value, false those with one.', on: anyScalar, argument: () => 'Boolean', means: (isNull) => ({ op: 'eq', operand: null, negated: isNull === false }) },
  lt: { description: 'Less than this.', on: isOrdered, argument: theScalar, means: compared('lt') },
  lte: { description: 'Less than or equal to this.', on: isOrdered, argument: theScalar, means: compared('lte') },
  gt: { description: 'Greater than this.', on: isOrdered, argument: theScalar, means: compared('gt') },
  gte: { description: 'Greater than or equal to this.', on: isOrdered, argument: theScalar, means: compared('gte') },
  startsWith: { description: 'Starts with this.', on: isText, argument: textPart, means: compared('startsWith') },
  endsWith: { description: 'Ends with this.', on: isText, argument: textPart, means: compared('endsWith') },
  contains: { description: 'Contains this.', on: isText, argument: textPart, means: compared('contains') },
  ieq: { description: 'Equal to this, in upper or lower case.', on: isText, argument: theScalar, means: compared('ieq') },
  istartsWith: { description: 'Starts with this, in upper or lower case.', on: isText, argument: textPart, means: compared('istartsWith') },
  iendsWith: { description: 'Ends with this, in upper or lower case.', on: isText, argument: textPart, means: compared('iendsWith') },
  icontains: { description: 'Contains this, in upper or lower case.', on: isText, argument: textPart, means: compared('icontains') },
}

/** Those of a list of ids, or of other values. */
const listOperators: FilterOperators = {
  contains: { description: 'The list contains this.', on: anyScalar, argument: theScalar, means: compared('eq') },
  containsAny: { description: 'The list contains at least one of these.', on: anyScalar, argument: listOfScalars, means: compared('in') },
}

type FilterOperators = Readonly<Record<string, FilterOperator>>

/** The operators for one value, or for a list of values. */
export function filterOperators(many: boolean): FilterOperators {
  return many ? listOperators : valueOperators
}

function anyScalar(): boolean {
  return true
}

function isOrdered(scalar: string): boolean {
  return scalarCalled(scalar)?.ordered === true
}

function isText(scalar: string): boolean {
  return scalarCalled(scalar)?.text === true
}

function theScalar(scalar: string): string {
  return scalar
}

/** A part of an address is no address. */
function textPart(): string {
  return 'String'
}

function listOfScalars(scalar: string): string {
  return `[${scalar}!]`
}

function compared(op: ComparisonOperator): FilterOperator['means'] {
  return (operand) => ({ op, operand })
}

/** NaN for values of different types, which is neither less nor greater nor equal. */
function orderOf(found: Scalar, value: Scalar): number {
  return isSameType(found, value) ? compareScalars(found, value) : NaN
}

function ofText(isMet: (found: string, operand: string) => boolean): (found: Scalar, operand: string) => boolean {
  return (found, operand) => typeof found === 'string' && isMet(found, operand)
}
