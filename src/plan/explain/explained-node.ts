// The places of an operation at which something is found, and the questions that each of them asks.

import type { FieldNode } from 'graphql'
import type { Choice } from '../choice.ts'
import type { PlannedRead, Range } from '../../read/planned-reads.ts'

export interface Place {
  /** `Type.field`. */
  readonly field: string
  /** As the operation writes it. */
  readonly written: readonly FieldNode[]
  /** The way there from the place above, as the operation writes it. */
  readonly path: string
  /** Absent at a root, where there is nothing to choose. */
  readonly choice: Choice | undefined
  /** How many holders it is found for. */
  readonly holders: Range
  /** How many rows come of it. */
  readonly rows: Range
  readonly questions: readonly Question[]
  readonly below: readonly Place[]
}

export interface Question {
  readonly field: string
  readonly asked: PlannedRead
  /** How many holders ask it. */
  readonly holders: Range
  /** The question whose answer has to be in before this one can be asked; none at a root. */
  readonly after: Question | undefined
  /** How often each of them does; gathered, it is asked once. */
  readonly repeated: number
  /** Whether some holders need not ask and go on at once. */
  readonly optional: boolean
}

/** All questions of a place and of those below it. */
export function questionsOf(places: readonly Place[]): Question[] {
  return places.flatMap(({ questions, below }) => [...questions, ...questionsOf(below)])
}
