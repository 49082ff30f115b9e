// How old a snapshot may be. Only this file decides it: the choice between snapshot and lookup and the cache of plans
// both ask here. `feed/watermark.ts` measures freshness.

/** What the snapshots of this gateway's store are known to include. */
export interface Freshness {
  /** Max age of a snapshot. */
  readonly boundMs: number
  /** Every change before this moment is in every snapshot. */
  readonly watermark: number
}

/** What a reader demands of snapshots. */
export interface FreshnessDemand {
  /** Max age that is allowed; undefined allows any. */
  readonly maxStaleMs: number | undefined
  /** Snapshots must include every change up to this moment. */
  readonly seenMs: number
}

/** `TOO_OLD`: older than `maxStaleMs` allows. `UNSEEN`: without a change that the client made. */
export type Staleness = 'TOO_OLD' | 'UNSEEN'

/** Undefined when snapshots are young enough. */
export function staleness({ maxStaleMs, seenMs }: FreshnessDemand, { boundMs, watermark }: Freshness): Staleness | undefined {
  if (maxStaleMs !== undefined && boundMs > maxStaleMs) return 'TOO_OLD'
  return watermark < seenMs ? 'UNSEEN' : undefined
}
