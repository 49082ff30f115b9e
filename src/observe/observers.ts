// Observers of operations: metrics, spans, the log, and those that a program brings. Each observer is told when an operation
// begins and, if it returned hooks, when it ends. Nothing is recorded for an operation without hooks.

import type { GraphQLError, OperationTypeNode } from 'graphql'
import type { CostReport } from './cost-report.ts'
import type { Call } from '../read/call-log.ts'
import type { RelationRows } from '../plan/plan.ts'
import type { Meter, Receipt } from '../store/store.ts'
import { requestState, type IncomingRequest } from '../auth/request-state.ts'

/**
 * Is told of operations, refusals and the change feed. Every method is optional.
 *
 * @example
 * ```ts
 * const slow: Observer = {
 *   begin: () => ({ end: ({ name, durationMs }) => { if (durationMs > 1000) console.warn(name, durationMs) } }),
 * }
 * const gateway = await createGateway({ typeDefs, store: openMemoryStore, observers: [slow] })
 * ```
 */
export interface Observer {
  /** An operation is about to run. Return hooks to learn how it ends. */
  begin?(operation: OperationStart): OperationHooks | undefined
  /** A request was answered with errors before its operation began. */
  refuse?(refusal: Refusal): void
  /** A round trip was made to read the change feed, not for an operation. */
  follow?(receipt: Receipt): void
  /** A batch of changes was propagated to snapshots, or failed. */
  propagate?(batch: PropagatedBatch): void
  /** Reading the change feed failed, `times` times in a row; it is retried. */
  feedFailed?(error: unknown, times: number): void
  /** Reading the change feed succeeded after failures. */
  feedRecovered?(): void
}

/**
 * An operation that begins.
 *
 * @example
 * ```ts
 * const nameOf = ({ name, type }: OperationStart): string => name ?? type
 * ```
 */
export interface OperationStart {
  readonly request: IncomingRequest
  readonly type: `${OperationTypeNode}`
  readonly name: string | undefined
  /** On the clock of `performance.now()`. */
  readonly startMs: number
}

/**
 * What an observer does while an operation runs, and when it ends.
 *
 * @example
 * ```ts
 * const hooks: OperationHooks = { end: ({ calls }) => console.log(calls.length) }
 * ```
 */
export interface OperationHooks {
  /** Wraps the run of the operation, for example in a tracing context. */
  readonly around?: <T>(run: () => T) => T
  /** Round trips are recorded only if some observer has this hook. */
  readonly end?: (ended: OperationEnd) => void
  /** False if `end` does not use the rows of each relation, which take time to count. */
  readonly rows?: false
}

/**
 * An operation that has ended.
 *
 * @example
 * ```ts
 * const chargeOf = ({ calls }: OperationEnd): number => calls.reduce((sum, { requestCharge }) => sum + requestCharge, 0)
 * ```
 */
export interface OperationEnd extends OperationStart {
  /** How many rows of each relation were resolved, and from where. @internal */
  readonly rows: () => Iterable<RelationRows>
  readonly calls: readonly Call[]
  readonly errors: readonly GraphQLError[]
  /** Whether the answer has data besides errors. */
  readonly answered: boolean
  readonly durationMs: number
  /** The cost report; only traced operations have one. */
  readonly costReport: CostReport | undefined
}

/**
 * A request that was rejected before an operation began.
 *
 * @example
 * ```ts
 * const codesOf = ({ errors }: Refusal): unknown[] => errors.map(({ extensions }) => extensions['code'])
 * ```
 */
export interface Refusal {
  readonly request: IncomingRequest
  readonly errors: readonly GraphQLError[]
}

/**
 * Changes of the feed whose effects have been written.
 *
 * @example
 * ```ts
 * const observer: Observer = { propagate: ({ changes, durationMs }: PropagatedBatch) => console.log(changes, durationMs) }
 * ```
 */
export interface PropagatedBatch {
  /** The name of the feed's part. */
  readonly part: string
  readonly changes: number
  /** How many of them failed each time and became dead letters. */
  readonly setAside: number
  readonly startMs: number
  readonly durationMs: number
  /** Why the batch was abandoned. */
  readonly error?: unknown
}

/** One operation as its observers see it. */
export interface Observed {
  readonly around: OperationHooks['around']
  /** Whether some observer is told how it ends. If not, nothing is recorded for it. */
  readonly isTold: boolean
  readonly countsRows: boolean
  end(how: HowItEnded): void
}

type HowItEnded = Omit<OperationEnd, keyof OperationStart | 'durationMs'>

/** From its beginning to its end: the one object that every observer is given, since each operation makes one. */
class ObservedOperation implements Observed, OperationEnd {
  readonly request: OperationStart['request']
  readonly type: OperationStart['type']
  readonly name: OperationStart['name']
  readonly startMs: number
  around: OperationHooks['around'] = undefined
  isTold = false
  countsRows = false
  rows: OperationEnd['rows'] = noRows
  calls: OperationEnd['calls'] = nothing
  errors: OperationEnd['errors'] = nothing
  answered = false
  durationMs = 0
  costReport: OperationEnd['costReport'] = undefined
  readonly #hooks: OperationHooks[] = []

  constructor({ request, type, name, startMs }: OperationStart) {
    this.request = request
    this.type = type
    this.name = name
    this.startMs = startMs
  }

  add(hooks: OperationHooks): void {
    const inner = this.around
    if (hooks.around) this.around = (run) => hooks.around!(inner ? () => inner(run) : run)
    if (!hooks.end) return
    this.#hooks.push(hooks)
    this.isTold = true
    this.countsRows ||= hooks.rows !== false
  }

  end({ rows, calls, errors, answered, costReport }: HowItEnded): void {
    this.rows = rows
    this.calls = calls
    this.errors = errors
    this.answered = answered
    this.costReport = costReport
    this.durationMs = performance.now() - this.startMs
    for (const hooks of this.#hooks) hooks.end!(this)
  }
}

const nothing: readonly never[] = []
const noRows = (): readonly never[] => nothing

export class Observers {
  readonly #all: readonly Observer[]
  readonly #ofOperations: readonly Observer[]

  constructor(all: readonly Observer[]) {
    this.#all = all
    this.#ofOperations = all.filter((observer) => 'begin' in observer)
  }

  /** Undefined if no observer has hooks for this operation. */
  begin(begun: OperationStart): Observed | undefined {
    requestState(begun.request).begun = true
    let observed: ObservedOperation | undefined
    for (const observer of this.#ofOperations) {
      const hooks = observer.begin?.(begun)
      if (hooks) (observed ??= new ObservedOperation(begun)).add(hooks)
    }
    return observed
  }

  /** Ignored if an operation of the request has begun: then its errors are reported when it ends. */
  refuse(refusal: Refusal): void {
    if (requestState(refusal.request).begun) return
    for (const observer of this.#all) observer.refuse?.(refusal)
  }

  /** Receives every round trip of reading the change feed; undefined if no observer counts them. */
  get meter(): Meter | undefined {
    const counting = this.#all.filter((observer) => 'follow' in observer)
    return counting.length === 0 ? undefined : (receipt) => counting.forEach((observer) => observer.follow!(receipt))
  }

  propagate(batch: PropagatedBatch): void {
    for (const observer of this.#all) observer.propagate?.(batch)
  }

  feedFailed(error: unknown, times: number): void {
    for (const observer of this.#all) observer.feedFailed?.(error, times)
  }

  feedRecovered(): void {
    for (const observer of this.#all) observer.feedRecovered?.()
  }
}
