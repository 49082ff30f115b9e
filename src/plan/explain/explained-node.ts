// The nodes of an explained operation: the fields that find documents, and the reads that each of them makes.

import type { FieldNode } from 'graphql'
import type { PlannedRead, Range } from '../../read/planned-reads.ts'
import type { Choice } from '../snapshot-or-lookup.ts'

export interface ExplainedNode {
  /** `Type.field`. */
  readonly field: string
  /** The field as the operation writes it. */
  readonly written: readonly FieldNode[]
  /** Its path from the node above, by response keys. */
  readonly path: string
  /** Undefined for a root field, where there is nothing to choose. */
  readonly choice: Choice | undefined
  /** For how many rows it is resolved. */
  readonly holders: Range
  /** How many rows it returns. */
  readonly rows: Range
  readonly reads: readonly ExplainedRead[]
  readonly children: readonly ExplainedNode[]
}

export interface ExplainedRead {
  readonly field: string
  readonly asked: PlannedRead
  /** How many rows need it. */
  readonly holders: Range
  /** The read that must be answered first; undefined at a root. */
  readonly after: ExplainedRead | undefined
  /** How often each row needs it; in a batch it is read once. */
  readonly repeated: number
  /** Whether some rows need not read and go on at once. */
  readonly optional: boolean
}

/** All reads of nodes and of their children. */
export function readsOf(nodes: readonly ExplainedNode[]): ExplainedRead[] {
  return nodes.flatMap(({ reads, children }) => [...reads, ...readsOf(children)])
}
