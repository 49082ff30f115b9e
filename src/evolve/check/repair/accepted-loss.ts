// What a repair may remove. A reference to a missing document is not proven wrong by the store: its target may be in a
// container that the schema no longer names. So nothing is removed unless the user accepts the loss.

/** Nothing; whatever is removed of few; or everything in the fields with these coordinates, however much that is. */
export type AcceptLoss = boolean | readonly string[]

/** Whether values of a field may be removed. */
export function acceptsLoss(accepted: AcceptLoss, coordinate: string): boolean {
  return typeof accepted === 'boolean' ? accepted : accepted.includes(coordinate)
}

/** Whether they may be even if that empties most of the field. */
export function acceptsAnyLoss(accepted: AcceptLoss, coordinate: string): boolean {
  return typeof accepted !== 'boolean' && accepted.includes(coordinate)
}
