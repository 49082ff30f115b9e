// What is said about a handful of measurements. Rounds of two servers were run side by side, so they
// are compared round by round: what slowed the machine down in one slowed both.

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

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** Of the middle four fifths. */
export function trimmedMean(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return mean(sorted.slice(Math.floor(sorted.length / 10), Math.ceil(sorted.length * 0.9)))
}

/** How many times the other, in each round. */
export function ratio(numbers: readonly number[], others: readonly number[]): Spread {
  return spread(numbers.map((number, round) => number / others[round]!))
}

/**
 * The median, and between which two of the numbers the true one lies with 95 %: whatever their distribution, each number is
 * above it as likely as below, so how many are is a matter of tossing coins.
 */
export function medianWithin(numbers: readonly number[]): { readonly median: number; readonly low: number; readonly high: number } {
  const sorted = numbers.toSorted((one, other) => one - other)
  const { length } = sorted
  let [skipped, chance, term] = [0, 0, 0.5 ** length]
  // As many are left out at each end as can be by a chance of at most 2.5 %.
  while ((chance += term) <= 0.025) {
    skipped++
    term *= (length - skipped + 1) / skipped
  }
  return { median: median(numbers), low: sorted[Math.max(0, skipped - 1)]!, high: sorted[Math.min(length - 1, length - skipped)]! }
}
