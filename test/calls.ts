// What a gateway asked its store for. A store of several parts may send more than one request for a
// call: a few documents of one container are read side by side, and documents without a value to be
// ordered by are asked for by themselves. Tests that run on every store compare what they have in common.

import { expect } from 'vitest'
import type { CostReport } from '../src/observe/cost-report.ts'

type StoreCall = CostReport['calls'][number]

/** The calls, with documents of one container that were read in one wave as one of them. */
export function storeCalls({ calls }: CostReport): StoreCall[] {
  const merged: StoreCall[] = []
  for (const call of calls) {
    const same = merged.findIndex(({ operation, container, wave }) => operation === 'read' && call.operation === 'read' && container === call.container && wave === call.wave)
    if (same < 0) merged.push(call)
    else merged[same] = { ...call, keys: merged[same]!.keys + call.keys, documents: merged[same]!.documents + call.documents }
  }
  return merged
}

/** One line per call: `wave operation container`, with the number of keys where there are any. */
export function expectReads(account: CostReport, reads: readonly string[]): void {
  const made = storeCalls(account).map(({ wave, operation, container, keys }) => `${wave} ${operation} ${container}${keys > 0 ? ` ${keys}` : ''}`)
  if (account.estimated) expect(made).toEqual(reads)
  else expect(new Set(made)).toEqual(new Set(reads))
}

/** What was said of the naive way is what it made: to the last round trip and wave, and to the hundredth where charges are not measured by someone else. */
export function expectCost(said: CostReport['naive'], { made, estimated }: CostReport): void {
  expect({ ...said, requestCharge: 0 }).toEqual({ ...made, requestCharge: 0 })
  if (estimated) expect(said.requestCharge).toBe(made.requestCharge)
  else expect(Math.abs(said.requestCharge - made.requestCharge)).toBeLessThanOrEqual(0.25 * made.requestCharge + 1)
}
