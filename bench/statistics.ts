// Statistics of a few measurements. Two servers are compared round by round, because a slow moment of the machine affects both
// in the same round.

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spread(numbers: readonly number[]): Spread {
  return { median: median(numbers), min: Math.min(...numbers), max: Math.max(...numbers) }
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The number that this share of all numbers is below. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** The mean of the middle 80 %. */
export function trimmedMean(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return mean(sorted.slice(Math.floor(sorted.length / 10), Math.ceil(sorted.length * 0.9)))
}

/** The ratio in each round. */
export function ratio(numbers: readonly number[], others: readonly number[]): Spread {
  return spread(numbers.map((number, round) => number / others[round]!))
}

/**
 * The median with its 95 % confidence interval, for any distribution: each number is above the true median with probability
 * one half, so the count above it is binomial.
 */
export function medianWithin(numbers: readonly number[]): { readonly median: number; readonly low: number; readonly high: number } {
  const sorted = numbers.toSorted((one, other) => one - other)
  const { length } = sorted
  let [skipped, chance, term] = [0, 0, 0.5 ** length]
  // Skips numbers at each end as long as the tail probability is at most 2.5 %.
  while ((chance += term) <= 0.025) {
    skipped++
    term *= (length - skipped + 1) / skipped
  }
  return { median: median(numbers), low: sorted[Math.max(0, skipped - 1)]!, high: sorted[Math.min(length - 1, length - skipped)]! }
}
