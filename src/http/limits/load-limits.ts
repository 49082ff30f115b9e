// How much work a gateway accepts, as a table: to add a load limit, add a line here, the line that enforces it, and a row
// in docs/settings.md. `config.ts` reads the settings from this table.

/**
 * How much work a gateway accepts.
 *
 * @example
 * ```ts
 * const load: Partial<LoadLimits> = { deadlineMs: 5000, proxies: 1 }
 * ```
 */
export interface LoadLimits {
  /** How long an operation may take. */
  readonly deadlineMs: number
  /** Max operations under way at once. */
  readonly operations: number
  /** Max open subscriptions. */
  readonly subscriptions: number
  /** Max open subscriptions of one caller: a viewer, or an address without one. */
  readonly subscriptionsPerCaller: number
  /** Max RU per caller and minute; undefined for no limit. */
  readonly chargePerMinute: number | undefined
  /** How many proxies in front of the gateway append to X-Forwarded-For; with 0 the header is ignored. */
  readonly proxies: number
}

interface LoadLimitFacts<T> {
  readonly default: T
  /** The name in a config file, and in the environment. */
  readonly setting: string
  readonly variable: string
  readonly unit: string
  readonly min: number
}

export const loadLimitTable: { readonly [name in keyof LoadLimits]: LoadLimitFacts<LoadLimits[name]> } = {
  deadlineMs: { default: 30_000, setting: 'deadlineMs', variable: 'QUIRE_DEADLINE_MS', unit: 'milliseconds', min: 1 },
  operations: { default: 250, setting: 'mostOperations', variable: 'QUIRE_MOST_OPERATIONS', unit: 'operations', min: 1 },
  subscriptions: { default: 1000, setting: 'mostSubscriptions', variable: 'QUIRE_MOST_SUBSCRIPTIONS', unit: 'subscriptions', min: 0 },
  subscriptionsPerCaller: { default: 100, setting: 'mostSubscriptionsPerCaller', variable: 'QUIRE_MOST_SUBSCRIPTIONS_PER_CALLER', unit: 'subscriptions', min: 0 },
  chargePerMinute: { default: undefined, setting: 'chargePerMinute', variable: 'QUIRE_CHARGE_PER_MINUTE', unit: 'RU', min: 0 },
  proxies: { default: 0, setting: 'proxies', variable: 'QUIRE_PROXIES', unit: 'proxies', min: 0 },
}

export const defaultLoadLimits = loadLimitsOf((limit) => limit.default)

/** A value for each load limit. */
export function loadLimitsOf(valueOf: (facts: LoadLimitFacts<number | undefined>) => number | undefined): LoadLimits {
  return Object.fromEntries(Object.entries(loadLimitTable).map(([name, facts]) => [name, valueOf(facts)])) as unknown as LoadLimits
}
