// Seeded random choices: the same seed gives the same choices, whatever runs concurrently.

export class Random {
  #state: number

  /** Different arguments give independent sequences. */
  constructor(...seeds: readonly (number | string)[]) {
    let state = 0x9e3779b9
    for (const character of seeds.join(' ')) state = Math.imul(state ^ character.codePointAt(0)!, 0x85ebca6b) ^ (state >>> 13)
    this.#state = state
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** From 0 to the bound, without the bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('Cannot pick from an empty list.')
    return list[this.below(list.length)]!
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)))
  }
}
