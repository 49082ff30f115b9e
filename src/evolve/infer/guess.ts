// What a guessed schema is made of, before it is text. Every guess has the place that it was made for, so that it can be taken back there.

import type { Path } from '../../store/query.ts'
import type { TypeProfile } from '../profile/type-profile.ts'
import type { GuessedFunction } from './derived.ts'

export interface GuessedField {
  readonly name: string
  /** Where it was found. */
  readonly place: string
  /** With its directives: `[Maker!]! @reference(at: "makers")`. */
  readonly text: (coordinateAt: CoordinateAt) => string
  readonly evidence: readonly string[]
  /** The property of the object that it shows; undefined for what is not stored there. */
  readonly property?: string
  readonly isList?: boolean
  readonly derived?: GuessedFunction
}

/** The field that was found at a place, as `Type.field`; undefined if there is none. */
export type CoordinateAt = (place: string) => string | undefined

export interface GuessedType {
  readonly name: string
  /** `@document(…)`, or `@shape(…)`. */
  readonly directives: string
  readonly evidence: readonly string[]
  readonly fields: readonly GuessedField[]
  /** What is stored and cannot be a field, a sentence each. */
  readonly leftOut: readonly string[]
}

/** The name of a place: a property of the documents of one type. */
export function placeOf({ container, type }: TypeProfile, path: Path): string {
  return JSON.stringify([container.name, type ?? null, ...path])
}

/** How often the guess of a place, or of a type, was taken back because the schema with it was refused. */
export type TakenBack = ReadonlyMap<string, number>
