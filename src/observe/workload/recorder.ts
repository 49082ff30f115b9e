// Records what a gateway does, in memory. It is told of operations when they have ended and of writes
// when they are written, and nothing waits for it. Where the record is kept is for others to say.

import type { Declaration } from '../../relations/declaration.ts'
import type { ReadLog } from '../../read/read-log.ts'
import type { Plan } from '../../plan/plan.ts'
import { queryCharge, writeCharge } from '../../store/cost-model.ts'
import type { Body } from '../../model/json/json.ts'
import type { Entry } from '../../relations/maintenance.ts'
import { recordChanges } from './recorded-changes.ts'
import { recordedOperation } from './recorded-operation.ts'
import { bounds, Tally } from './tally.ts'
import { allPlaces, type Workload } from './workload.ts'

export class Recorder {
  #tally = new Tally()
  #startMs = Date.now()

  /** An operation has ended. */
  operation(declaration: Declaration, plan: Plan, readLog: ReadLog, naive = false): void {
    const { calls } = readLog
    this.#tally.madeMore({ operations: 1, roundTrips: calls.length, requestCharge: calls.reduce((sum, { requestCharge }) => sum + requestCharge, 0) })
    try {
      const { places, relations } = recordedOperation(declaration, plan, readLog, naive)
      for (const [field, numbers] of relations) this.#tally.relation(field, numbers)
      if (allPlaces(places).length > bounds.places) this.#tally.leftOut.operations++
      else this.#tally.operation({ times: 1, places })
    } catch {
      // No answer depends on what can be said of it.
      this.#tally.leftOut.operations++
    }
  }

  /** A piece of work has been written: its own changes first, then what followed from them. */
  written(declaration: Declaration, entries: readonly Entry[], own: number): void {
    try {
      recordChanges(this.#tally, declaration, entries, own)
    } catch {
      // It is written, whatever can be said of it: a function that derives a field may fail.
      this.#tally.leftOut.changes++
    }
  }

  /** What followed from a change has been written later, through the feed: nobody else has counted what that took. */
  propagated(declaration: Declaration, entries: readonly Entry[]): void {
    const sizes = entries.flatMap(({ before, after }) => (before && after ? [[bytesOf(before), bytesOf(after)] as const] : []))
    if (sizes.length === 0) return
    const requestCharge = sizes.reduce((sum, [was, is]) => sum + writeCharge(is, was), queryCharge(sizes.map(([was]) => was)))
    this.#tally.madeMore({ operations: 0, roundTrips: 1 + sizes.length, requestCharge })
    this.written(declaration, entries, 0)
  }

  /** All that has been recorded since it began. */
  workload(): Workload {
    const now = Date.now()
    return this.#tally.workload({ runs: 1, startedAt: new Date(this.#startMs).toISOString(), endedAt: new Date(now).toISOString(), recordedMs: now - this.#startMs })
  }

  /** The same, and begins anew. */
  take(): Workload {
    const taken = this.workload()
    this.#tally = new Tally()
    this.#startMs = Date.now()
    return taken
  }

  /** The gateway has ended. */
  stop(): Promise<void> {
    return Promise.resolve()
  }
}

function bytesOf(body: Body): number {
  return Buffer.byteLength(JSON.stringify(body))
}
