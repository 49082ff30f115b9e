// What a check of a history finds.

import type { History } from './history.ts'
import type { Timelines } from './timeline.ts'

export interface Finding {
  readonly check: string
  readonly message: string
  /** When the client had the answer that should not have been given. */
  readonly atMs: number
}

/** Yields what is wrong, as a sentence and its moment. */
export type Check = (history: History, timelines: Timelines) => Iterable<Omit<Finding, 'check'>>

export function ms(time: number): string {
  return Number.isFinite(time) ? `${Math.round(time * 10) / 10} ms` : 'never'
}
