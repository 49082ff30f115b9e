// All checks of a history, by name: to add one, add its file in checks/ and its line here.

import { dirtyReads } from './checks/dirty-reads.ts'
import { lostUpdates } from './checks/lost-updates.ts'
import { missedEvents } from './checks/missed-events.ts'
import { monotonicReads } from './checks/monotonic-reads.ts'
import { oneMoment } from './checks/one-moment.ts'
import { ownWrites } from './checks/own-writes.ts'
import { staleReads } from './checks/stale-reads.ts'
import { tornReads } from './checks/torn-reads.ts'
import type { Check, Finding } from './finding.ts'
import type { History } from './history.ts'
import { Timelines } from './timeline.ts'

export const checks = {
  'lost update': lostUpdates,
  'dirty read': dirtyReads,
  'torn read': tornReads,
  'stale read': staleReads,
  'own write not seen': ownWrites,
  'read went back': monotonicReads,
  'two moments': oneMoment,
  'missed event': missedEvents,
} satisfies Record<string, Check>

export type CheckName = keyof typeof checks

/** In the order in which clients met them. */
export function checkHistory(history: History): Finding[] {
  const timelines = new Timelines(history)
  const found = Object.entries(checks).flatMap(([check, run]) => [...run(history, timelines)].map((finding) => ({ check, ...finding })))
  return found.toSorted((one, other) => one.atMs - other.atMs)
}
