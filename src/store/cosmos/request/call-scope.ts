// What one call of the store sends: for whom its requests are counted, how long they may take, how
// many there may be. The SDK has no place to carry that from a call to the requests it causes, so it
// travels beside it, in async context.

import { AsyncLocalStorage } from 'node:async_hooks'
import { StoreUnavailableError, type Meter, type Receipt } from '../../store.ts'

/** A line of requests that follow each other. Lines that leave together are forks of one. */
export class Sending {
  readonly signal: AbortSignal
  /** Whether a request was sent that may have been carried out although its answer was an error. */
  unsure = false
  readonly #call: Pick<Receipt, 'operation' | 'container'>
  readonly #meter: Meter | undefined
  readonly #allowed: { requests: number }
  readonly #deadlineMs: number
  #keys: number
  #wave: number

  constructor(call: Pick<Receipt, 'operation' | 'container' | 'keys'>, meter: Meter | undefined, limits: Limits, from?: Sending) {
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

  /** A line of its own that leaves at the same time, for that many of the keys. */
  fork(keys = this.#keys, wavesLater = 0): Sending {
    const { operation, container } = this.#call
    const forked = new Sending({ operation, container, keys }, this.#meter, { deadlineMs: this.#deadlineMs, requests: 0 }, this)
    forked.#wave += wavesLater
    return forked
  }

  /** Runs with its requests counted here, and ends when the time is over, whatever the SDK is waiting for. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const onAbort = (): void => late.reject(this.tooLate())
    this.signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([current.run(this, work), late.promise])
    } finally {
      this.signal.removeEventListener('abort', onAbort)
    }
  }

  /** Before a request: there may be only so many for one call, whatever goes round in circles. */
  spend(): void {
    if (this.signal.aborted) throw this.tooLate()
    if (this.#allowed.requests-- <= 0) throw new StoreUnavailableError('Cosmos DB was asked too often for one call: the container keeps changing its partitions. Try again.')
  }

  /** After a request, whatever became of it. What follows in this line is a wave later. */
  told({ startMs, requestCharge, documents }: Pick<Receipt, 'startMs' | 'requestCharge' | 'documents'>): void {
    this.#meter?.({ ...this.#call, keys: this.#keys, documents, wave: this.#wave, startMs, durationMs: performance.now() - startMs, requestCharge })
    this.#wave++
    // Keys that are asked for again are not more keys.
    this.#keys = 0
  }

  /** Lines that were forked from this one have come to their end. */
  join(forks: readonly Sending[]): void {
    this.#wave = Math.max(this.#wave, ...forks.map((fork) => fork.#wave))
    this.unsure ||= forks.some(({ unsure }) => unsure)
  }

  tooLate(): StoreUnavailableError {
    return new StoreUnavailableError(`Cosmos DB did not answer in ${this.#deadlineMs} ms.`)
  }
}

export interface Limits {
  readonly deadlineMs: number
  /** How many requests one call may cause. */
  readonly requests: number
}

const current = new AsyncLocalStorage<Sending>()

/** The line that the running code belongs to; none while containers are set up. */
export function currentSending(): Sending | undefined {
  return current.getStore()
}
