// The round trips of one request, written down as they end, and how they fall into waves. A request
// that nobody looks at has none of this.

import type { Receipt } from '../store/store.ts'

export interface Call extends Receipt {
  /** The relations that it was made for, where anyone keeps track of them. */
  readonly for: readonly string[]
  /** The wave of the request that let the call go; `wave` counts within the call. */
  readonly gate: number
}

export class Calls {
  readonly startMs = performance.now()
  readonly calls: Call[] = []

  call(gate: number, receipt: Receipt, fields: readonly string[]): void {
    this.calls.push({ ...receipt, gate, for: fields })
  }
}

/** How many waves there were, and the wave of each call, counted from 1. A wave in which everything was known already made no round trip, so it is no wave. */
export function wavesOf(calls: readonly Call[]): { readonly count: number; readonly of: readonly number[] } {
  const times = [...new Set(calls.map(placeInTime))].toSorted((one, other) => one - other)
  const wave = new Map(times.map((time, index) => [time, index + 1]))
  return { count: times.length, of: calls.map((call) => wave.get(placeInTime(call))!) }
}

/** Waves within a call come between the wave that let it go and the next. A call has a few; no call has thousands. */
function placeInTime({ gate, wave }: Call): number {
  return gate * 10_000 + wave
}
