// How much a gateway takes on: numbers only, with what they are where nobody says otherwise.

export interface LoadLimits {
  /** How long an operation may take. */
  readonly deadlineMs: number
  /** How many operations may be under way at once. */
  readonly operations: number
  /** How many subscriptions may be open at once. */
  readonly subscriptions: number
  /** How much request charge each caller may cause in a minute; undefined where nobody counts. */
  readonly chargePerMinute: number | undefined
  /** How many proxies stand in front and say in X-Forwarded-For who called them; 0 where that header is anybody's. */
  readonly proxies: number
}

export const defaultLoadLimits: LoadLimits = { deadlineMs: 30_000, operations: 250, subscriptions: 1000, chargePerMinute: undefined, proxies: 0 }
