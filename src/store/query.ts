// The structured queries that every store understands. There is no query text above an adapter:
// paths come from the model and values are always bound, so nothing a client sends can become
// part of a statement.

import type { Partition } from '../model/keys/key.ts'
import type { Position, Scalar } from '../model/keys/position.ts'
import type { ComparisonOperator, Operand } from '../model/operators.ts'

export type { Position, Scalar }

/**
 * Property names from the document's top downwards. `'*'` stands for any element of a list:
 * `['tags', '*', 'id']` is true of a post when one of its tags has that id.
 */
export type Path = readonly string[]

/**
 * A property that is missing, or holds a list or an object, counts as null. Two values of different
 * types are never equal and neither is less than the other. With `'*'`, a comparison holds when it
 * holds for any element. Every condition is either true or false, so `not` is plain negation.
 */
export type Condition =
  | Comparison
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }

/** A condition about the value at one path. model/operators.ts says what each operator means. */
export type Comparison = {
  readonly [Op in ComparisonOperator]: { readonly op: Op; readonly path: Path } & (
    Operand<Op> extends readonly Scalar[] ? { readonly values: Operand<Op> } : { readonly value: Operand<Op> }
  )
}[ComparisonOperator]

/** The operand of a comparison, for a table with a function for each operator: TypeScript cannot tell that the two go together. */
export function operandOf(comparison: Comparison): never {
  return ('values' in comparison ? comparison.values : comparison.value) as never
}

/**
 * Ascending puts null first, then booleans, numbers, and strings by code point. Ties go by id, the
 * same way round: ids are unique among the documents of a type. The path has no `'*'`.
 */
export interface Order {
  readonly path: Path
  readonly descending: boolean
  /** Every document has a value there, so a store need not look for those without; it may leave them out. */
  readonly required?: boolean
}

export interface Selection {
  readonly container: string
  /** Only documents whose `type` property says so, in a container that several types share. */
  readonly type?: string
  /** Only documents of this tenant, in a container that several share. */
  readonly tenant?: string
  /** Only this partition; without it the query asks every one. */
  readonly partition?: Partition
  /** All that the conditions can find is in one of these; a store that can need not look elsewhere. */
  readonly among?: readonly Partition[]
  readonly where?: Condition
}

export interface Query extends Selection {
  readonly orderBy: Order
  /** The page begins behind this document. */
  readonly after?: Position
  readonly limit: number
}
