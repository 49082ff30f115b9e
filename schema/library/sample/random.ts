// Chance that comes out the same every time. It decides what the sample looks like and nothing
// else; it is no source of secrets.

export interface Random {
  /** A whole number from 0 up to, and without, the limit. */
  below(limit: number): number
  /** A whole number from the first to the last, both included. */
  between(first: number, last: number): number
  /** Like below, but small numbers come up far more often than large ones. */
  skewedBelow(limit: number): number
  /** A number of cents from low to high, as a price. */
  price(low: number, high: number): number
  /** True once in so many times. */
  oneIn(times: number): boolean
  pick<T>(list: readonly T[]): T
  /** So many different elements of the list, in the order they were drawn. */
  pickSome<T>(list: readonly T[], count: number): T[]
}

/** Each part of the sample has a seed of its own, so that changing one part leaves the others as they are. */
export function createRandom(seed: number): Random {
  const next = mulberry32(seed)
  const random: Random = {
    below: (limit) => Math.floor(next() * limit),
    between: (first, last) => first + random.below(last - first + 1),
    skewedBelow: (limit) => Math.floor(next() * next() * limit),
    price: (low, high) => random.between(Math.round(low * 100), Math.round(high * 100)) / 100,
    oneIn: (times) => random.below(times) === 0,
    pick: (list) => list[random.below(list.length)]!,
    pickSome(list, count) {
      const rest = [...list]
      return Array.from({ length: count }, () => rest.splice(random.below(rest.length), 1)[0]!)
    },
  }
  return random
}

/** Draws again whenever the same text, or one that is taken already, comes up. */
export function distinct<T>(draw: () => T, textOf: (drawn: T) => string, taken: readonly string[]): () => T {
  const seen = new Set(taken)
  return () => {
    let drawn = draw()
    while (seen.has(textOf(drawn))) drawn = draw()
    seen.add(textOf(drawn))
    return drawn
  }
}

/** Tommy Ettinger's mulberry32: numbers from 0 up to 1, from one word of state. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
