// What a check finds, in a sentence that a person can act on. Looking for it and repairing it is done
// in the files beside this one.

import type { Field, ObjectType } from '../../model/model.ts'

export interface Finding {
  readonly kind: 'dangling' | 'drifted' | 'miscounted' | 'misplaced' | 'oversized'
  /** `Type.field`, or the type alone where it is about a whole document. */
  readonly at: string
  /** Whose document it is, where tenants share the store. */
  readonly tenant?: string
  /** The document's id. */
  readonly id: string
  /** What is wrong, and what repair does about it. */
  readonly sentence: string
  /** Whether repair can mend it, or has done so. */
  readonly repair: 'possible' | 'done' | 'impossible'
}

/** `Post.writer of p1`, or `Quote.by in Post p1` where the field is not the document's own. */
export function placeOf(field: Field, holder: ObjectType, id: string): string {
  return field.owner === holder.name ? `${field.coordinate} of ${id}` : `${field.coordinate} in ${holder.name} ${id}`
}

/** The first few of several, so that a sentence stays a sentence. */
export function few(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
