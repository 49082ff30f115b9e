// Digests that compare two stores field by field: the number of values, and the sum of their hashes. Stores with equal digests have the same
// values in the same documents, in whatever order and form they store them.

import { createHash } from 'node:crypto'
import type { Json } from '../../../model/json/json.ts'
import { isBody } from '../../../model/json/json.ts'

export interface Digest {
  readonly values: number
  readonly sum: number
}

/** Sums stay exact integers. */
const modulus = 2 ** 48

export class Digests {
  readonly #digests: Map<string, { values: number; sum: number }>

  constructor(kept: Readonly<Record<string, Digest>> = {}) {
    this.#digests = new Map(Object.entries(kept).map(([name, digest]) => [name, { ...digest }]))
  }

  /** Notes that there is such a name, although it may have no values. */
  begin(name: string): void {
    if (!this.#digests.has(name)) this.#digests.set(name, { values: 0, sum: 0 })
  }

  add(name: string, ...parts: readonly Json[]): void {
    this.begin(name)
    const digest = this.#digests.get(name)!
    digest.values++
    digest.sum = (digest.sum + hashOf(parts)) % modulus
  }

  /** Adds what another one has, or takes it away. */
  merge(others: Readonly<Record<string, Digest>>, sign: 1 | -1): void {
    for (const [name, { values, sum }] of Object.entries(others)) {
      this.begin(name)
      const digest = this.#digests.get(name)!
      digest.values += sign * values
      digest.sum = (digest.sum + sign * sum + modulus) % modulus
    }
  }

  get(name: string): Digest | undefined {
    return this.#digests.get(name)
  }

  toJSON(): Record<string, Digest> {
    return Object.fromEntries(this.#digests)
  }
}

export function sameDigest(one: Digest | undefined, other: Digest | undefined): boolean {
  return (one?.values ?? 0) === (other?.values ?? 0) && (one?.sum ?? 0) === (other?.sum ?? 0)
}

function hashOf(parts: readonly Json[]): number {
  return createHash('sha256').update(JSON.stringify(parts.map(ordered))).digest().readUIntBE(0, 6)
}

/** Stores may return properties in another order. */
function ordered(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(ordered)
  if (!isBody(value)) return value
  return Object.fromEntries(Object.keys(value).toSorted().map((name) => [name, ordered(value[name] ?? null)]))
}
