// Fields that some stored documents do not have yet, because they were declared after the documents were written. Their values are
// looked up meanwhile; what needs them in every document, such as an order, is refused.

import type { Field } from './model.ts'

const pending = new WeakSet<Field>()

/** Until another declaration is read. */
export function markPending(field: Field): void {
  pending.add(field)
}

export function isPending(field: Field): boolean {
  return pending.has(field)
}
