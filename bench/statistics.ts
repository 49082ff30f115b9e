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

/** How many times the other, in each round. */
export function ratio(numbers: readonly number[], others: readonly number[]): Spread {
  return spread(numbers.map((number, round) => number / others[round]!))
}
