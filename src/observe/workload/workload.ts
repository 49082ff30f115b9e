// A recorded workload: what was asked and what was written, in names and numbers. There is no value of
// any request in it: neither a literal nor a variable, nor a name that a client has made up.

export interface Workload {
  /** How many runs of a gateway it is made of. */
  readonly runs: number
  /** When the first run began, and until when the last one was recorded. */
  readonly startedAt: string
  readonly endedAt: string
  /** How long was recorded, all runs together; between runs nothing is. */
  readonly recordedMs: number
  /** What all operations took, those that are not listed too. */
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

/** What there was no room for. */
export interface LeftOut {
  /** How often an operation was run that is not listed. */
  readonly operations: number
  /** How many changes are not told apart by what they changed. */
  readonly changes: number
  /** How often a name of the schema found no room. */
  readonly names: number
}

/** Operations that differ in nothing but values are one. */
export interface RecordedOperation {
  readonly times: number
  readonly places: readonly RecordedPlace[]
}

/** One field of an operation at one place. Its numbers are sums over all times. */
export interface RecordedPlace extends PlaceNumbers {
  /** `Type.field`. */
  readonly field: string
  /** The names of the arguments that were given. */
  readonly given?: readonly string[]
  /** The request would not have the copy, though it has everything that was asked for. */
  readonly forced?: true
  readonly below?: readonly RecordedPlace[]
}

export interface PlaceNumbers {
  /** In how many operations there was something to resolve. */
  readonly asked?: number
  /** For how many holders. */
  readonly resolved?: number
  /** For how many of them a copy answered. */
  readonly covered?: number
  /** How many different documents were read by key for it, or would have been without the copy. */
  readonly documents?: number
  /** In how many operations these were more than a few, and how many they were in those: few are dearer, each. */
  readonly many?: number
  readonly manyDocuments?: number
  /** How many documents queries found for it. */
  readonly rows?: number
}

export interface RecordedRelation {
  readonly resolved: number
  readonly covered: number
  readonly documents: number
  /** Which fields were asked for that are not copied, and in how many operations. */
  readonly beyond: Readonly<Record<string, number>>
  /** How many documents were written only because what they keep in this field had changed elsewhere. */
  readonly rewritten: number
}

export interface RecordedType {
  readonly created: number
  readonly deleted: number
  /** By the fields that changed, in order, with commas between them. */
  readonly updated: Readonly<Record<string, number>>
  /** How often a document was written only because something had changed elsewhere. */
  readonly rewritten: number
  /** How many documents were measured when they were written, and their bytes together. */
  readonly measured: number
  readonly bytes: number
  /** How much lists have grown, and how long the longest has been. */
  readonly lists: Readonly<Record<string, { readonly grown: number; readonly longest: number }>>
}

/** Up to so many documents are read one by one for less than by a query. */
export const aFew = 3

/** A record that cannot be read or written. The message is one line that says what to do. */
export class WorkloadError extends Error {
  override readonly name = 'WorkloadError'
}

export function hoursOf({ recordedMs }: Workload): number {
  return Math.max(recordedMs, 1) / 3_600_000
}

/** Every place, parents before what is below them: the order by which places are numbered. */
export function allPlaces(places: readonly RecordedPlace[]): RecordedPlace[] {
  return places.flatMap((place) => [place, ...allPlaces(place.below ?? [])])
}
