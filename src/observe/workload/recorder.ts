// Records the workload of a gateway in memory, after operations end and writes commit; nothing waits for it. `record-to-file.ts`
// stores it.

import type { Declaration } from '../../relations/declaration.ts'
import type { ReadLog } from '../../read/read-log.ts'
import type { Plan } from '../../plan/plan.ts'
import { queryCharge, writeCharge } from '../../store/cost-model.ts'
import type { Body } from '../../model/json/json.ts'
import type { Entry } from '../../relations/maintenance.ts'
import { recordChanges } from './recorded-changes.ts'
import { recordedOperation } from './recorded-operation.ts'
import { bounds, Tally } from './tally.ts'
import { allRecordedNodes, type Workload } from './workload.ts'

/** Max ways from the root of an operation to its fields, through interfaces and unions. */
const maxPaths = 5000

/**
 * Records the operations and writes of a gateway for `quire advise`. `recordToFile` makes one.
 *
 * @example
 * ```ts
 * const record: Recorder = await recordToFile('workload.json')
 * ```
 */
export class Recorder {
  #tally = new Tally()
  #startMs = Date.now()

  /** An operation has ended. @internal */
  operation(declaration: Declaration, plan: Plan, readLog: ReadLog, naive = false): void {
    const { calls } = readLog
    this.#tally.addCost({ operations: 1, roundTrips: calls.length, requestCharge: calls.reduce((sum, { requestCharge }) => sum + requestCharge, 0) })
    // Nodes that types share would be recorded for each way that leads to them.
    if (plan.paths > maxPaths) {
      this.#tally.leftOut.operations++
      return
    }
    try {
      const { places, relations } = recordedOperation(declaration, plan, readLog, naive)
      for (const [field, numbers] of relations) this.#tally.relation(field, numbers)
      if (allRecordedNodes(places).length > bounds.places) this.#tally.leftOut.operations++
      else this.#tally.operation({ times: 1, places })
    } catch {
      // An operation that cannot be recorded must not fail.
      this.#tally.leftOut.operations++
    }
  }

  /** A mutation has been written: its own changes first, then their effects. @internal */
  written(declaration: Declaration, entries: readonly Entry[], own: number): void {
    try {
      recordChanges(this.#tally, declaration, entries, own)
    } catch {
      // A derive function may throw here. The write has succeeded already.
      this.#tally.leftOut.changes++
    }
  }

  /** Effects were written later, through the change feed. Their cost is counted here, since no operation has counted it. @internal */
  propagated(declaration: Declaration, entries: readonly Entry[]): void {
    const sizes = entries.flatMap(({ before, after }) => (before && after ? [[bytesOf(before), bytesOf(after)] as const] : []))
    if (sizes.length === 0) return
    const requestCharge = sizes.reduce((sum, [was, is]) => sum + writeCharge(is, was), queryCharge(sizes.map(([was]) => was)))
    this.#tally.addCost({ operations: 0, roundTrips: 1 + sizes.length, requestCharge })
    this.written(declaration, entries, 0)
  }

  /** Everything recorded so far. @internal */
  workload(): Workload {
    const now = Date.now()
    return this.#tally.workload({ runs: 1, startedAt: new Date(this.#startMs).toISOString(), endedAt: new Date(now).toISOString(), recordedMs: now - this.#startMs })
  }

  /** The same, and starts a new record. @internal */
  take(): Workload {
    const taken = this.workload()
    this.#tally = new Tally()
    this.#startMs = Date.now()
    return taken
  }

  /** Called when the gateway is disposed. */
  stop(): Promise<void> {
    return Promise.resolve()
  }
}

function bytesOf(body: Body): number {
  return Buffer.byteLength(JSON.stringify(body))
}
