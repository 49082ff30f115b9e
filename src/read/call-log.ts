// The round trips of one request, logged as they end, and the waves they fall into. A request that nothing
// observes has no log.

import type { Receipt } from '../store/store.ts'

/**
 * A round trip of an operation.
 *
 * @example
 * ```ts
 * const slowest = (calls: readonly Call[]): Call | undefined => calls.toSorted((one, other) => other.durationMs - one.durationMs)[0]
 * ```
 */
export interface Call extends Receipt {
  /** The relations that it was made for, where a cost report is kept. */
  readonly for: readonly string[]
  /** The request's wave that sent the call. `wave` counts within the call. */
  readonly requestWave: number
}

export class CallLog {
  readonly calls: Call[] = []

  call(requestWave: number, receipt: Receipt, fields: readonly string[]): void {
    const { operation, container, keys, documents, wave, startMs, durationMs, requestCharge } = receipt
    this.calls.push({ operation, container, keys, documents, wave, startMs, durationMs, requestCharge, requestWave, for: fields })
  }
}

/** How many waves there were, and the wave of each call, counted from 1. A wave that made no round trip, because everything was known, does not count. */
export function wavesOf(calls: readonly Call[]): { readonly count: number; readonly of: readonly number[] } {
  const times = [...new Set(calls.map(timeOf))].toSorted((one, other) => one - other)
  const wave = new Map(times.map((time, index) => [time, index + 1]))
  return { count: times.length, of: calls.map((call) => wave.get(timeOf(call))!) }
}

/** How many waves there were, without telling which call was in which. */
export function waveCount(calls: readonly Call[]): number {
  return calls.length < 2 ? calls.length : new Set(calls.map(timeOf)).size
}

/** Waves within a call come between the wave that sent it and the next. A call has a few waves, never thousands. */
function timeOf({ requestWave, wave }: Call): number {
  return requestWave * 10_000 + wave
}
