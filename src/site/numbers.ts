// What this gateway has done since it started, as numbers. Every answer is counted; round trips and
// charges only of those that carry an account, because nobody keeps one for the others.

import type { Cost } from '../store/cost-model.ts'
import type { CostReport } from '../observe/cost-report.ts'

export type Totals = Pick<Cost, 'roundTrips' | 'requestCharge'>

/** What `/numbers` answers. */
export interface NumbersReport {
  readonly since: string
  readonly requests: number
  /** How many of them were answered with errors. */
  readonly failed: number
  /** How many of them carried an account. The rest of the figures is about those. */
  readonly traced: number
  readonly made: Totals
  readonly naive: Totals
  readonly saved: Totals
  readonly estimated: boolean
  /** How old copies can be at most, now. */
  readonly copies: { readonly boundMs: number }
  /** What is kept in memory to be quicker. */
  readonly caches: { readonly kilobytes: number }
}

export class Numbers {
  readonly #since = new Date()
  #requests = 0
  #failed = 0
  #traced = 0
  #made: Totals = { roundTrips: 0, requestCharge: 0 }
  #naive: Totals = { roundTrips: 0, requestCharge: 0 }
  #estimated = false

  count(failed: boolean, account?: CostReport): void {
    this.#requests++
    if (failed) this.#failed++
    if (!account) return
    this.#traced++
    this.#made = added(this.#made, account.made)
    this.#naive = added(this.#naive, account.naive)
    this.#estimated ||= account.estimated
  }

  report(boundMs: number, cachedBytes: number): NumbersReport {
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
      copies: { boundMs },
      caches: { kilobytes: Math.round(cachedBytes / 1024) },
    }
  }
}

/** Charges are hundredths: rounding every sum sheds floating-point dust before it gathers. */
function added(one: Totals, other: Totals): Totals {
  return { roundTrips: one.roundTrips + other.roundTrips, requestCharge: Math.round((one.requestCharge + other.requestCharge) * 100) / 100 }
}
