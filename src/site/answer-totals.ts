// Totals since the gateway started. Every answer is counted; round trips and RU only of answers with a cost report, because
// others do not have the figures.

import type { Cost } from '../store/cost-model.ts'
import type { CostReport } from '../observe/cost-report.ts'
import type { StoredState } from '../observe/stored-state.ts'
import { provenBoundMs } from '../plan/freshness.ts'

export type Totals = Pick<Cost, 'roundTrips' | 'requestCharge'>

/** The answer of `/numbers`. */
export interface NumbersReport {
  readonly since: string
  readonly requests: number
  /** How many had errors. */
  readonly failed: number
  /** How many had a cost report. The figures below are of those. */
  readonly traced: number
  readonly made: Totals
  readonly naive: Totals
  readonly saved: Totals
  readonly estimated: boolean
  /** The max age of snapshots now; null while none can be proved. */
  readonly copies: { readonly boundMs: number | null }
  /** The memory of all caches. */
  readonly caches: { readonly kilobytes: number }
  /** Documents that are looked at for what they lack; null when every document has everything. */
  readonly catchUp: { readonly documents: number; readonly total: number } | null
  /** Why a newer schema is not served; none if there is no such schema. */
  readonly differences: readonly string[]
}

export class AnswerTotals {
  readonly #since = new Date()
  #requests = 0
  #failed = 0
  #traced = 0
  #made: Totals = { roundTrips: 0, requestCharge: 0 }
  #naive: Totals = { roundTrips: 0, requestCharge: 0 }
  #estimated = false

  count(failed: boolean, costReport?: CostReport): void {
    this.#requests++
    if (failed) this.#failed++
    if (!costReport) return
    this.#traced++
    this.#made = added(this.#made, costReport.made)
    this.#naive = added(this.#naive, costReport.naive)
    this.#estimated ||= costReport.estimated
  }

  report(boundMs: number, cachedBytes: number, stored?: StoredState): NumbersReport {
    const [made, naive] = [this.#made, this.#naive]
    return {
      since: this.#since.toISOString(),
      requests: this.#requests,
      failed: this.#failed,
      traced: this.#traced,
      made,
      naive,
      saved: added(naive, { roundTrips: -made.roundTrips, requestCharge: -made.requestCharge }),
      estimated: this.#estimated,
      copies: { boundMs: provenBoundMs(boundMs) },
      caches: { kilobytes: Math.round(cachedBytes / 1024) },
      catchUp: stored?.catchUp ?? null,
      differences: stored?.differences ?? [],
    }
  }
}

/** Charges have two decimals: rounding each sum keeps floating-point errors from adding up. */
function added(one: Totals, other: Totals): Totals {
  return { roundTrips: one.roundTrips + other.roundTrips, requestCharge: Math.round((one.requestCharge + other.requestCharge) * 100) / 100 }
}
