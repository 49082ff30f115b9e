// What clients saw of a store, each event with the interval from its invocation to its completion, on one clock. The simulation
// records virtual time and the scenario over real processes its own clock; the checks know neither gateways nor stores.
//
// A register is something that has one value at a time and that every write sets to a value never used before, so that a
// value tells which write it comes from. A set only grows.

export interface WriteEvent {
  readonly session: string
  readonly invokedMs: number
  /** Infinity as long as nobody knows whether it was made. */
  readonly completedMs: number
  /** `failed`: the client was told that nothing was written. `unknown`: it was not told anything. */
  readonly outcome: 'done' | 'failed' | 'unknown'
  readonly set?: { readonly register: string; readonly value: string }
  readonly add?: { readonly to: string; readonly member: string }
}

/** One value in an answer. */
export interface Observation {
  readonly register: string
  readonly value: string
  /** The same value, as another field of the document has it that every write sets together with it. */
  readonly twin?: string
  /** `document`, or which snapshot it comes from; undefined if the answer does not say. */
  readonly source: string | undefined
}

export interface ReadEvent {
  readonly session: string
  readonly invokedMs: number
  readonly completedMs: number
  readonly seen: readonly Observation[]
  /** What the reader asked of snapshots: their max age, and to include all writes of its session. */
  readonly maxStaleMs?: number | undefined
  readonly ownWrites?: boolean
  /** How old snapshots are at most, as the answer claims; null if it claims nothing. */
  readonly boundMs?: number | null | undefined
  /** Whether all of the answer is promised to show one moment. */
  readonly oneMoment?: boolean
}

/** A subscriber, from the moment that it was sure to be told of changes. */
export interface Subscription {
  readonly name: string
  readonly registers: readonly string[]
  readonly sinceMs: number
  readonly told: { readonly register: string; readonly value: string; readonly atMs: number }[]
}

/** What is stored after everything has come to rest. */
export interface FinalState {
  readonly registers: ReadonlyMap<string, string>
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>
}

export class History {
  readonly writes: WriteEvent[] = []
  readonly reads: ReadEvent[] = []
  readonly subscriptions: Subscription[] = []
  /** The values before the first write. */
  readonly initial: ReadonlyMap<string, string>
  final: FinalState | undefined

  constructor(initial: ReadonlyMap<string, string>) {
    this.initial = initial
  }
}
