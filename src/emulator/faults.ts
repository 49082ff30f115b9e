// What goes wrong on purpose: a seeded sequence of failures for document requests. The same seed and the
// same order of requests give the same failures.

import type { LoggedRequest } from './log.ts'

/**
 * A request that may fail.
 *
 * @example
 * ```ts
 * emulator.faults.only = ({ container }: FaultRequest) => container === 'orders'
 * ```
 */
export type FaultRequest = Pick<LoggedRequest, 'method' | 'path' | 'operation' | 'container' | 'rangeId'>

/**
 * What goes wrong on purpose, in requests for documents.
 *
 * @example
 * ```ts
 * Object.assign(emulator.faults, { throttle: 0.3, unavailable: 0.1 } satisfies Partial<Faults>)
 * ```
 */
export interface Faults {
  /** Setting it restarts the sequence. */
  seed: number
  /** The rates of each failure, 0..1; together at most 1. */
  throttle: number
  retryWith: number
  timeout: number
  gone: number
  unavailable: number
  /** Which share of 408, 410 and 503 on writes comes after the write was applied. */
  lostAnswers: number
  /** Answers some requests instead of the server. */
  answer: ((request: FaultRequest) => ScriptedAnswer | undefined) | undefined
  /**
   * How many more pages of the change feed are empty although they are no end of it: 200 without documents, and a new etag to go on from. Only 304
   * is the end (azure-cosmos-dotnet-v3#755).
   */
  emptyFeedPages: number
  /** Whether the master key may do no more than an identity of Entra ID, which the SDK does not let speak over http. */
  asIdentity: boolean
  /** How long every document request takes at least. */
  latencyMs: number
  /** Limits failures to some requests; the others do not advance the sequence. */
  only: ((request: FaultRequest) => boolean) | undefined
}

/**
 * What a request is answered with instead of its own answer. A 404 with a substatus is not a missing document: 1002 comes from a replica that is behind
 * the session, 1003 from a container that is gone (azure-cosmos-dotnet-v3, CosmosReadManyItemsTests, where every 404 of a query is a failure).
 *
 * @example
 * ```ts
 * const answer: ScriptedAnswer = { status: 404, subStatus: 1002 }
 * emulator.faults.answer = ({ operation }) => (operation === 'read' ? answer : undefined)
 * ```
 */
export interface ScriptedAnswer {
  readonly status: number
  readonly subStatus?: number
}

export interface Fault extends ScriptedAnswer {
  readonly retryAfterMs: number
  /** Whether a write happens although the client is told that it failed. */
  readonly isAnswerLost: boolean
}

export class SeededFaults implements Faults {
  throttle = 0
  retryWith = 0
  timeout = 0
  gone = 0
  unavailable = 0
  lostAnswers = 0.5
  latencyMs = 0
  emptyFeedPages = 0
  asIdentity = false
  only: Faults['only'] = undefined
  answer: Faults['answer'] = undefined
  private given = 1
  private state = 1

  get seed(): number {
    return this.given
  }

  set seed(seed: number) {
    this.given = seed
    this.state = seed >>> 0
  }

  next(request: FaultRequest): Fault | undefined {
    const scripted = this.answer?.(request)
    if (scripted) return { ...scripted, retryAfterMs: 1, isAnswerLost: false }
    if (this.only !== undefined && !this.only(request)) return undefined
    // Always three numbers a request, so that changing one rate does not shift the others' sequence.
    const [roll, lost, wait] = [this.random(), this.random(), this.random()]
    const status = this.statusFor(roll)
    if (status === undefined) return undefined
    const canBeLost = status === 408 || status === 410 || status === 503
    return { status, retryAfterMs: 1 + Math.floor(wait * 5), isAnswerLost: canBeLost && lost < this.lostAnswers }
  }

  private statusFor(roll: number): number | undefined {
    let bound = 0
    const rates = [[429, this.throttle], [449, this.retryWith], [408, this.timeout], [410, this.gone], [503, this.unavailable]] as const
    for (const [status, rate] of rates) {
      bound += rate
      if (roll < bound) return status
    }
    return undefined
  }

  /** mulberry32 */
  private random(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
