// The object whose fields are guessed, and fields that have no name yet.

import type { Path } from '../../store/query.ts'
import type { TypeProfile } from '../profile/type-profile.ts'
import type { ValueProfile } from '../profile/value-profile.ts'
import type { CoordinateAt, GuessedField } from './guess.ts'
import type { SchemaGuess } from './schema-guess.ts'

export interface Holder {
  readonly guess: SchemaGuess
  readonly type: TypeProfile
  /** The name of the GraphQL type that has the fields. */
  readonly owner: string
  readonly path: Path
  /** Whether these are the fields of a document. */
  readonly isDocument: boolean
}

/** A field without its name. `names` are those that it may have, the best first. */
export interface Unnamed extends Omit<GuessedField, 'name' | 'text'> {
  readonly names: readonly string[]
  readonly text: (name: string, coordinateAt: CoordinateAt) => string
  /** Names of pointers give way to those of plain properties. */
  readonly isPointer: boolean
}

/** A field whose place and property are known already. */
export type Wanted = Pick<Unnamed, 'text' | 'evidence' | 'isList'> & Partial<Pick<Unnamed, 'names' | 'isPointer'>>

/** With a sample, what all documents have is required only if there were many. */
export function isRequired({ guess, type, isDocument }: Holder, { values }: ValueProfile, holders: number): boolean {
  return values === holders && (guess.isComplete(type) || (isDocument ? values : type.documents) >= 1000)
}
