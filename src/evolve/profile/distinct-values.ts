// The distinct values of a property, in bounded memory: all of them with their counts while they are few, and otherwise an estimate of
// how many there are, with a sample. The sample holds the values with the lowest hashes, so each distinct value has the same chance,
// however often it occurs.

import type { Scalar } from '../../store/query.ts'

/** More values are not counted one by one. */
const maxCounted = 32
const sampleSize = 256

export class DistinctValues {
  #added = 0
  #counts: Map<Scalar, number> | undefined = new Map()
  readonly #sample = new LowestHashes<Scalar>(sampleSize)

  add(value: Scalar): void {
    this.#added++
    if (this.#counts) {
      const count = this.#counts.get(value)
      if (count === undefined && this.#counts.size === maxCounted) this.#counts = undefined
      else this.#counts.set(value, (count ?? 0) + 1)
    }
    this.#sample.add(hashOf(String(value)), value)
  }

  /** Each value with how often it occurs; undefined if there are too many. */
  get counts(): ReadonlyMap<Scalar, number> | undefined {
    return this.#counts
  }

  /** How many there are; an estimate where there are more than the sample holds. */
  get size(): number {
    return this.#counts?.size ?? Math.min(this.#sample.distinct, this.#added)
  }

  get isEstimate(): boolean {
    return !this.#counts && this.#sample.isPart
  }

  sample(max: number): Scalar[] {
    return this.#sample.values(max)
  }
}

/** Keeps what has the lowest hashes: a sample that is the same in every run, and in whatever order things come. */
export class LowestHashes<T> {
  readonly #max: number
  readonly #kept = new Map<number, T>()
  #highest = 2 ** 32

  constructor(max: number) {
    this.#max = max
  }

  /** Whether it would be kept. */
  wants(hash: number): boolean {
    return hash < this.#highest && !this.#kept.has(hash)
  }

  add(hash: number, value: T): void {
    if (!this.wants(hash)) return
    this.#kept.set(hash, value)
    if (this.#kept.size >= 2 * this.#max) this.#prune()
  }

  /** How many distinct hashes there were: the lowest ones are as dense as all of them. */
  get distinct(): number {
    return !this.isPart ? this.#kept.size : Math.round((this.#kept.size / this.#highest) * 2 ** 32)
  }

  /** Whether there were more than are kept. */
  get isPart(): boolean {
    this.#prune()
    return this.#highest < 2 ** 32
  }

  values(max: number): T[] {
    this.#prune()
    return [...this.#kept].toSorted(([one], [other]) => one - other).slice(0, max).map(([, value]) => value)
  }

  #prune(): void {
    if (this.#kept.size <= this.#max) return
    const hashes = [...this.#kept.keys()].toSorted((one, other) => one - other)
    for (const hash of hashes.slice(this.#max)) this.#kept.delete(hash)
    this.#highest = hashes[this.#max - 1]! + 1
  }
}

/** FNV-1a, mixed at the end because short texts that differ in their last letter would have similar hashes. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
