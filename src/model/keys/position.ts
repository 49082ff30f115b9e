// The position of a document in an ordered list: all that a page needs to know of the page before it.

/**
 * A value that can be compared and ordered.
 *
 * @example
 * ```ts
 * const value: Scalar = 'Rex'
 * ```
 */
export type Scalar = string | number | boolean | null

/**
 * The value that the list is ordered by, and the id, which breaks ties. In an order of several values, `further` has those after the first.
 *
 * @example
 * ```ts
 * const after: Position = { value: 'Rex', id: 'b1' }
 * ```
 */
export interface Position {
  readonly value: Scalar
  readonly id: string
  readonly further?: readonly Scalar[]
}
