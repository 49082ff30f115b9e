// The store calls of an operation, in a form that tests can compare on every store. A partitioned store may need several
// requests for one call: it reads a few documents of one container side by side, and queries documents without a value for
// the order separately.

import { expect } from 'vitest'
import type { CostReport } from '../src/observe/cost-report.ts'

type StoreCall = CostReport['calls'][number]

/** The calls, with the point reads of one container in one wave merged into one. */
export function storeCalls({ calls }: CostReport): StoreCall[] {
  const merged: StoreCall[] = []
  for (const call of calls) {
    const same = merged.findIndex(({ operation, container, wave }) => operation === 'read' && call.operation === 'read' && container === call.container && wave === call.wave)
    if (same < 0) merged.push(call)
    else merged[same] = { ...call, keys: merged[same]!.keys + call.keys, documents: merged[same]!.documents + call.documents }
  }
  return merged
}

/** One line per call: `wave operation container`, with the number of keys where there are any. Calls of one wave run at the same time, in no order. */
export function expectReads(report: CostReport, reads: readonly string[]): void {
  const made = storeCalls(report).map(({ wave, operation, container, keys }) => `${wave} ${operation} ${container}${keys > 0 ? ` ${keys}` : ''}`)
  if (report.estimated) expect(made.toSorted()).toEqual(reads.toSorted())
  else expect(new Set(made)).toEqual(new Set(reads))
}

/** The predicted cost of the naive strategy is what a naive run cost: exact in round trips and waves, and in RU where Quire estimates them. */
export function expectCost(said: CostReport['naive'], { made, estimated }: CostReport): void {
  expect({ ...said, requestCharge: 0 }).toEqual({ ...made, requestCharge: 0 })
  if (estimated) expect(said.requestCharge).toBe(made.requestCharge)
  else expect(Math.abs(said.requestCharge - made.requestCharge)).toBeLessThanOrEqual(0.25 * made.requestCharge + 1)
}
