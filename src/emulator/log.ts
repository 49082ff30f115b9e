// What the server remembers of each request, for tests that count requests, charges and waves.

import type { CosmosOperation } from './operation.ts'

/**
 * A request that the emulator has answered.
 *
 * @example
 * ```ts
 * const throttled = emulator.log.filter(({ status }: LoggedRequest) => status === 429)
 * ```
 */
export interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly operation: CosmosOperation
  readonly container?: string
  /** The physical partition that served it. */
  readonly rangeId?: string
  /** Documents addressed: 1 for a point request, a batch's operations, the values in a query's INs. */
  readonly keys?: number
  readonly status: number
  readonly subStatus?: number
  readonly charge: number
  /** Documents returned or written. */
  readonly documents: number
  /** Whether it changed anything, also when the client was told otherwise. */
  readonly applied: boolean
  /** A query filtered on a property that the indexing policy leaves out. */
  readonly scanned?: boolean
}
