// What `quire check` reports. The files beside this one find and repair it.

import type { Field, ObjectType } from '../../model/model.ts'

export interface Finding {
  /**
   * `dangling`: a reference to a missing document. `drifted`: a snapshot or list that differs from its source.
   * `miscounted`: a wrong count. `misplaced`: an entry in the wrong bucket, or a document in the wrong partition. `missing`: no value
   * where one is required. `invalid`: a value that its type refuses. `violated`: a value that does not meet its `@constraint`. `overfull`: a list longer than its max. `oversized`: a document
   * near the size limit. `duplicate`: a value that must be unique, in two documents. `reservation`: a unique value that is reserved for no document, or for one
   * that does not have it. `migration`: the documents were written under another declaration.
   */
  readonly kind: 'dangling' | 'drifted' | 'miscounted' | 'misplaced' | 'missing' | 'invalid' | 'violated' | 'overfull' | 'oversized' | 'duplicate' | 'reservation' | 'migration'
  /** `Type.field`, or the type alone for a finding about a whole document. */
  readonly at: string
  /** Where tenants share the store. */
  readonly tenant?: string
  /** The document's id. */
  readonly id: string
  /** What is wrong, and what a repair does. */
  readonly sentence: string
  /** Whether a repair can fix it, or has. `lossy`: only a repair that may remove what it cannot prove wrong. */
  readonly repair: 'possible' | 'lossy' | 'done' | 'impossible'
}

/** `Post.writer of p1`, or `Quote.by in Post p1` for a field of a contained object. */
export function placeOf(field: Field, type: ObjectType, id: string): string {
  return field.owner === type.name ? `${field.coordinate} of ${id}` : `${field.coordinate} in ${type.name} ${id}`
}

/** The first three names, so that the sentence stays short. */
export function few(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
