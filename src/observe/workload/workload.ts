// A recorded workload: which operations ran and what was written, in names of the schema and numbers. It holds no values of
// requests: no literals, no variables, no names chosen by clients.

export interface Workload {
  /** How many runs of a gateway it covers. */
  readonly runs: number
  /** When the first run began, and when the last one ended. */
  readonly startedAt: string
  readonly endedAt: string
  /** The recorded time of all runs, without the time between them. */
  readonly recordedMs: number
  /** The cost of all operations, also of those that are not listed. */
  readonly made: Made
  readonly operations: readonly RecordedOperation[]
  /** By `Type.field`, over all operations. */
  readonly relations: Readonly<Record<string, RecordedRelation>>
  /** By the name of the document type. */
  readonly types: Readonly<Record<string, RecordedType>>
  readonly leftOut: LeftOut
}

export interface Made {
  readonly operations: number
  readonly roundTrips: number
  readonly requestCharge: number
}

/** What was dropped for lack of room. */
export interface LeftOut {
  /** Runs of operations that are not listed. */
  readonly operations: number
  /** Changes that are not listed by their fields. */
  readonly changes: number
  /** How often there was no room for a name of the schema. */
  readonly names: number
}

/** Operations that differ only in values are recorded as one. */
export interface RecordedOperation {
  readonly times: number
  readonly places: readonly RecordedNode[]
}

/** One plan node of an operation. Its numbers are sums over all runs. */
export interface RecordedNode extends PlaceNumbers {
  /** `Type.field`. */
  readonly field: string
  /** The names of the arguments. */
  readonly given?: readonly string[]
  /** The request asked for a lookup, although the snapshot covers the selection. */
  readonly forced?: true
  readonly below?: readonly RecordedNode[]
}

export interface PlaceNumbers {
  /** In how many runs there was something to resolve. */
  readonly asked?: number
  /** How many rows were resolved. */
  readonly resolved?: number
  /** How many of them a snapshot answered. */
  readonly covered?: number
  /** How many distinct documents were read by key, or would have been without the snapshot. */
  readonly documents?: number
  /** In how many runs these were more than `aFew`, and how many documents in those runs: a few documents cost more each. */
  readonly many?: number
  readonly manyDocuments?: number
  /** How many documents queries found. */
  readonly rows?: number
}

export interface RecordedRelation {
  readonly resolved: number
  readonly covered: number
  readonly documents: number
  /** Selected fields that the snapshot lacks, each with the number of runs. */
  readonly beyond: Readonly<Record<string, number>>
  /** How many documents were rewritten only because the source of this field changed. */
  readonly rewritten: number
}

export interface RecordedType {
  readonly created: number
  readonly deleted: number
  /** By the names of the changed fields, sorted and separated by commas. */
  readonly updated: Readonly<Record<string, number>>
  /** How often a document was rewritten as an effect of another change. */
  readonly rewritten: number
  /** How many written documents were measured, and their total bytes. */
  readonly measured: number
  readonly bytes: number
  /** By how many entries each list has grown, and its longest length. */
  readonly lists: Readonly<Record<string, { readonly grown: number; readonly longest: number }>>
}

/** Up to this number of documents, point reads cost less than a query. */
export const aFew = 3

/** A workload file that cannot be read or written. The message is one line that says what to do. */
export class WorkloadError extends Error {
  override readonly name = 'WorkloadError'
}

export function hoursOf({ recordedMs }: Workload): number {
  return Math.max(recordedMs, 1) / 3_600_000
}

/** All nodes, parents first. Nodes are numbered in this order. */
export function allRecordedNodes(places: readonly RecordedNode[]): RecordedNode[] {
  return places.flatMap((place) => [place, ...allRecordedNodes(place.below ?? [])])
}
