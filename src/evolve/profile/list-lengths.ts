// The lengths of lists, or the bytes of documents: the longest, and how many are how long. Lengths from 100 on are rounded to two digits, so that memory stays bounded.

export class ListLengths {
  readonly #counts = new Map<number, number>()
  #count = 0
  #max = 0

  add(length: number): void {
    const rounded = length < 100 ? length : Number(length.toPrecision(2))
    this.#counts.set(rounded, (this.#counts.get(rounded) ?? 0) + 1)
    this.#count++
    this.#max = Math.max(this.#max, length)
  }

  get max(): number {
    return this.#max
  }

  /** Whether all lists have the same length. */
  get isConstant(): boolean {
    return this.#counts.size < 2
  }

  /** The length that this part of the lists does not exceed: `percentile(0.5)` is the median. */
  percentile(part: number): number {
    let seen = 0
    for (const [length, count] of [...this.#counts].toSorted(([one], [other]) => one - other)) {
      seen += count
      if (seen >= part * this.#count) return length
    }
    return 0
  }
}
