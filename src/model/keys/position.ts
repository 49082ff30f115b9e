// Where a document stands in an ordered list, which is all that a page has to remember of the one
// before it.

export type Scalar = string | number | boolean | null

/** The value a list is ordered by, and the id that settles ties. */
export interface Position {
  readonly value: Scalar
  readonly id: string
}
