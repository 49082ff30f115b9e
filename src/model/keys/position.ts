// The position of a document in an ordered list: all that a page needs to know of the page before it.

export type Scalar = string | number | boolean | null

/** The value that the list is ordered by, and the id, which breaks ties. */
export interface Position {
  readonly value: Scalar
  readonly id: string
}
