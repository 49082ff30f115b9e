// The measurements of one operation on one store.

import type { Contender, Data } from '../contenders.ts'

export interface Comparison {
  readonly store: Data['store']
  readonly operation: string
  readonly title: string
  readonly query: string
  readonly rows: readonly Row[]
}

/** A server and one variant of the operation. */
export interface Row extends Pick<Contender, 'name' | 'title' | 'kind' | 'logs'> {
  /** This list and those below have one number per round. */
  readonly perSecond: readonly number[]
  readonly p50Ms: readonly number[]
  readonly p99Ms: readonly number[]
  readonly p999Ms: readonly number[]
  readonly longestMs: readonly number[]
  readonly serverCpuUs: readonly (number | undefined)[]
  readonly loadCpu: readonly number[]
}
