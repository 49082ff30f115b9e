// Whoever wants to know how operations went: metrics, spans, logs. Each operation is announced when it is
// about to run, and told about once, when it has ended. With no observer nothing is written down.

import type { GraphQLError, OperationTypeNode } from 'graphql'
import type { CostReport } from './cost-report.ts'
import type { Call } from '../read/call-log.ts'
import type { Plan } from '../plan/plan.ts'
import type { Meter, Receipt } from '../store/store.ts'
import { arrivalOf, type IncomingRequest } from '../auth/request-state.ts'

export interface Observer {
  /** An operation is about to run. Whoever wants more of it answers with what. */
  begin?(operation: Begun): Watch | undefined
  /** A request was answered with errors before any operation of it could begin. */
  refuse?(refusal: Refusal): void
  /** A round trip was made to follow the change feed, for no operation in particular. */
  follow?(receipt: Receipt): void
  /** Changes have been carried to the copies, or could not be. */
  propagate?(batch: PropagatedBatch): void
  /** The change feed could not be followed, so many times in a row; it is tried again. */
  stumble?(error: unknown, times: number): void
  /** It could be followed again. */
  recover?(): void
}

export interface Begun {
  readonly request: IncomingRequest
  readonly type: `${OperationTypeNode}`
  readonly name: string | undefined
  /** On the clock of `performance.now()`. */
  readonly startMs: number
}

export interface Watch {
  /** Runs the operation, for whoever has to be around it. */
  readonly around?: <T>(run: () => T) => T
  /** How it ended. Where nobody asks, its round trips are not written down. */
  readonly end?: (ended: Ended) => void
  /** False for whoever does not look at how many rows of each relation there were: to count them takes time. */
  readonly rows?: false
}

export interface Ended extends Begun {
  readonly plan: Plan
  readonly calls: readonly Call[]
  readonly errors: readonly GraphQLError[]
  /** Whether anything was answered beside errors. */
  readonly answered: boolean
  readonly durationMs: number
  /** Only of operations that are traced: the naive figures are known of no other. */
  readonly account: CostReport | undefined
}

export interface Refusal {
  readonly request: IncomingRequest
  readonly errors: readonly GraphQLError[]
}

export interface PropagatedBatch {
  /** The part of the change feed. */
  readonly part: string
  readonly changes: number
  /** How many of them failed every time and became dead letters. */
  readonly setAside: number
  readonly startMs: number
  readonly durationMs: number
  /** Why it was given up half-way. */
  readonly error?: unknown
}

/** One operation, as all who watch it see it. */
export interface Observed {
  readonly around?: NonNullable<Watch['around']>
  readonly end?: (how: Pick<Ended, 'plan' | 'calls' | 'errors' | 'answered' | 'account'>) => void
  /** Whether anyone wants the rows of each relation counted. */
  readonly rows: boolean
}

export class Observers {
  readonly #all: readonly Observer[]

  constructor(all: readonly Observer[]) {
    this.#all = all
  }

  /** Undefined when nobody wants to hear of this one. */
  begin(begun: Begun): Observed | undefined {
    arrivalOf(begun.request).begun = true
    const watches: Watch[] = []
    for (const observer of this.#all) {
      const watch = observer.begin?.(begun)
      if (watch) watches.push(watch)
    }
    if (watches.length === 0) return undefined
    const [around, told] = [watches.filter((watch) => watch.around), watches.filter((watch) => watch.end)]
    const end: Observed['end'] = (how) => {
      const ended: Ended = { ...begun, ...how, durationMs: performance.now() - begun.startMs }
      for (const watch of told) watch.end!(ended)
    }
    return {
      ...(around.length === 0 ? {} : { around: (run) => around.reduce((inner, watch) => () => watch.around!(inner), run)() }),
      ...(told.length === 0 ? {} : { end }),
      rows: told.some((watch) => watch.rows !== false),
    }
  }

  /** Errors of a request; of one whose operation has begun they have been told already. */
  refuse(refusal: Refusal): void {
    if (arrivalOf(refusal.request).begun) return
    for (const observer of this.#all) observer.refuse?.(refusal)
  }

  /** Told of every round trip that follows the change feed; undefined when nobody counts them. */
  get meter(): Meter | undefined {
    const counting = this.#all.filter((observer) => 'follow' in observer)
    return counting.length === 0 ? undefined : (receipt) => counting.forEach((observer) => observer.follow!(receipt))
  }

  propagate(batch: PropagatedBatch): void {
    for (const observer of this.#all) observer.propagate?.(batch)
  }

  stumble(error: unknown, times: number): void {
    for (const observer of this.#all) observer.stumble?.(error, times)
  }

  recover(): void {
    for (const observer of this.#all) observer.recover?.()
  }
}
