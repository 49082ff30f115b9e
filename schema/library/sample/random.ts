// Random numbers that are the same in every run, for the sample and the seed only: they are not secure.

export interface Random {
  /** An integer from 0 up to, and without, the limit. */
  below(limit: number): number
  /** An integer from first to last, both included. */
  between(first: number, last: number): number
  /** Like `below`, with small numbers far more often than large ones. */
  skewedBelow(limit: number): number
  /** A price from low to high, in whole cents. */
  price(low: number, high: number): number
  /** True with a probability of one in so many. */
  oneIn(times: number): boolean
  pick<T>(list: readonly T[]): T
  /** So many different elements of the list, in random order. */
  pickSome<T>(list: readonly T[], count: number): T[]
}

/** Each part of the sample has its own seed number, so that a change in one part does not change the others. */
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

/** Draws again until the text is new. */
export function distinct<T>(draw: () => T, textOf: (drawn: T) => string, taken: readonly string[]): () => T {
  const seen = new Set(taken)
  return () => {
    let drawn = draw()
    while (seen.has(textOf(drawn))) drawn = draw()
    seen.add(textOf(drawn))
    return drawn
  }
}

/** Tommy Ettinger's mulberry32: numbers from 0 up to 1, from 32 bits of state. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
