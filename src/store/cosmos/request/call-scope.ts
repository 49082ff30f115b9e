// The scope of one store call: where its requests are counted, how long they may take, and how many there may be. The SDK
// offers no way to pass that from a call to its requests, so it travels in async context.

import { AsyncLocalStorage } from 'node:async_hooks'
import { StoreUnavailableError } from '../../store-errors.ts'
import type { Meter, Receipt } from '../../store.ts'

/** A sequence of requests. Sequences that run at the same time are forks of one scope. */
export class CallScope {
  readonly signal: AbortSignal
  /** Whether the service may have carried out a request although its response was lost or an error. */
  maybeApplied = false
  readonly #call: Pick<Receipt, 'operation' | 'container'>
  readonly #meter: Meter | undefined
  readonly #allowed: { requests: number }
  readonly #deadlineMs: number
  #keys: number
  #wave: number

  constructor(call: Pick<Receipt, 'operation' | 'container' | 'keys'>, meter: Meter | undefined, limits: CallLimits, from?: CallScope) {
    this.#call = call
    this.#keys = call.keys
    this.#meter = meter
    this.#deadlineMs = limits.deadlineMs
    this.signal = from?.signal ?? AbortSignal.timeout(limits.deadlineMs)
    this.#allowed = from ? from.#allowed : { requests: limits.requests }
    this.#wave = from ? from.#wave : 0
  }

  get keys(): number {
    return this.#keys
  }

  /** A concurrent sequence, for so many of the keys. */
  fork(keys = this.#keys, wavesLater = 0): CallScope {
    const { operation, container } = this.#call
    const forked = new CallScope({ operation, container, keys }, this.#meter, { deadlineMs: this.#deadlineMs, requests: 0 }, this)
    forked.#wave += wavesLater
    return forked
  }

  /** Runs the work with its requests counted here. Fails at the deadline, whatever it is waiting for: a request, a token, the SDK. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const timeout = Promise.withResolvers<never>()
    const onAbort = (): void => timeout.reject(this.timeoutError())
    this.signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([current.run(this, work), timeout.promise])
    } finally {
      this.signal.removeEventListener('abort', onAbort)
    }
  }

  /** Called before a request. The number of requests per call is limited, so that no retry loop runs for ever. */
  beforeRequest(): void {
    if (this.signal.aborted) throw this.timeoutError()
    if (this.#allowed.requests-- <= 0) throw new StoreUnavailableError('Cosmos DB needed too many requests for one call: the partitions of the container keep changing. Try again.')
  }

  /** Called after a request, successful or not. The next request of this sequence is one wave later. */
  afterRequest({ startMs, requestCharge, documents }: Pick<Receipt, 'startMs' | 'requestCharge' | 'documents'>): void {
    this.#meter?.({ ...this.#call, keys: this.#keys, documents, wave: this.#wave, startMs, durationMs: performance.now() - startMs, requestCharge })
    this.#wave++
    // Keys that are requested again are not counted twice.
    this.#keys = 0
  }

  /** Continues after forks of this scope have ended. */
  join(forks: readonly CallScope[]): void {
    this.#wave = Math.max(this.#wave, ...forks.map((fork) => fork.#wave))
    this.maybeApplied ||= forks.some(({ maybeApplied }) => maybeApplied)
  }

  timeoutError(): StoreUnavailableError {
    return new StoreUnavailableError(`Cosmos DB did not answer in ${this.#deadlineMs} ms.`)
  }
}

/**
 * How long one call of the store may take, and how many requests it may send, retries included.
 *
 * @example
 * ```ts
 * const limits: Partial<CallLimits> = { deadlineMs: 5000 }
 * ```
 */
export interface CallLimits {
  readonly deadlineMs: number
  /** The maximum number of requests for one call. */
  readonly requests: number
}

const current = new AsyncLocalStorage<CallScope>()

/** The scope that the running code belongs to; none while containers are set up. */
export function currentScope(): CallScope | undefined {
  return current.getStore()
}
