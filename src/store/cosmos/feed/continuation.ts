// The continuation token of a feed range, as the SDK writes it: the ranges that it covers, and how far each has been read. A
// split of a physical partition makes two ranges of one. The SDK has no function that takes such a token apart.

export interface KeyRange {
  readonly minInclusive: string
  readonly maxExclusive: string
}

export interface Continuation {
  /** Of the container. */
  readonly rid: string
  readonly Continuation: readonly (KeyRange & { readonly continuationToken?: string })[]
}

/** One token for each range that a token covers. */
export function rangesIn(token: string): (KeyRange & { readonly token: string })[] {
  const { rid, Continuation: ranges } = JSON.parse(token) as Continuation
  return ranges.map((range) => ({ minInclusive: range.minInclusive, maxExclusive: range.maxExclusive, token: JSON.stringify({ rid, Continuation: [range] }) }))
}

/** The token for ranges of which nothing has been read. */
export function beginningOf(ranges: readonly KeyRange[], rid: string): string {
  return JSON.stringify({ rid, Continuation: ranges.map(({ minInclusive, maxExclusive }) => ({ minInclusive, maxExclusive, continuationToken: '' })) } satisfies Continuation)
}

/** The token as far as it concerns some of its ranges. */
export function tokenWithin(token: string, has: (range: KeyRange) => boolean): string {
  const { rid, Continuation: ranges } = JSON.parse(token) as Continuation
  return JSON.stringify({ rid, Continuation: ranges.filter(has) } satisfies Continuation)
}

/** Whether it is known of every range how far it has been read. */
export function isComplete(token: string): boolean {
  return (JSON.parse(token) as Continuation).Continuation.every(({ continuationToken }) => Boolean(continuationToken))
}

/**
 * Whether the SDK forgot how far it had read a range, which it does when one of several answers 410 without being split.
 * It would read that range from the beginning.
 */
export function hasLostRange(token: string): boolean {
  return (JSON.parse(token) as Continuation).Continuation.some(({ continuationToken }) => continuationToken === undefined)
}
