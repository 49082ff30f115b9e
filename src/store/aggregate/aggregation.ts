// What a store is asked for when documents are counted, summed and compared by group, what it answers, and what that means in plain
// TypeScript: the memory store folds documents with it, and Cosmos DB the groups of its partitions.

import type { Body } from '../../model/json/json.ts'
import { compareScalars } from '../../model/keys/compare-scalars.ts'
import { scalarAt } from '../conditions.ts'
import type { Path, Scalar } from '../query.ts'

/**
 * The groups that documents fall into, and what is measured of each.
 *
 * @example
 * ```ts
 * const aggregation: Aggregation = { groupBy: [['wing']], measures: [{ path: ['weight'], of: 'number' }], maxGroups: 100 }
 * ```
 */
export interface Aggregation {
  /** Documents with equal values at these paths, which have no `'*'`, are one group; without any, all documents are one. */
  readonly groupBy: readonly Path[]
  readonly measures: readonly Measure[]
  /** With more groups than this, the answer is `'too many'`. */
  readonly maxGroups: number
}

/**
 * A value of documents. Values of another type count as missing.
 *
 * @example
 * ```ts
 * const measure: Measure = { path: ['weight'], of: 'number' }
 * ```
 */
export interface Measure {
  readonly path: Path
  readonly of: 'number' | 'string'
}

/**
 * Documents with equal keys. Without `groupBy`, there is one group, even if it has no documents.
 *
 * @example
 * ```ts
 * const group: Group = { keys: ['north'], count: 2, measured: [{ count: 2, sum: 30, min: 10, max: 20 }] }
 * ```
 */
export interface Group {
  readonly keys: readonly Scalar[]
  readonly count: number
  /** In the order of the measures. */
  readonly measured: readonly Measured[]
}

/**
 * The values of one measure in a group.
 *
 * @example
 * ```ts
 * const average = ({ sum, count }: Measured): number | null => (count === 0 ? null : sum / count)
 * ```
 */
export interface Measured {
  readonly count: number
  /** 0 for texts. The last digits depend on the order in which the store has added the values. */
  readonly sum: number
  /** Null if no document has a value. */
  readonly min: number | string | null
  readonly max: number | string | null
}

/**
 * The groups of documents, in no particular order; or that there are more than were allowed.
 *
 * @example
 * ```ts
 * const countIn = (answer: Aggregated): number | undefined => (answer === 'too many' ? undefined : answer.reduce((sum, { count }) => sum + count, 0))
 * ```
 */
export type Aggregated = readonly Group[] | 'too many'

/** Documents, or groups of some of them, become groups one by one. */
export class Grouping {
  readonly #aggregation: Aggregation
  readonly #compare: typeof compareScalars
  readonly #groups = new Map<string, MutableGroup>()

  /** `compare` is the order of texts, where a store has another one. */
  constructor(aggregation: Aggregation, compare = compareScalars) {
    this.#aggregation = aggregation
    this.#compare = compare
    if (aggregation.groupBy.length === 0) this.#groupOf([])
  }

  /** Whether more need not be added, since there are too many groups. */
  get isFull(): boolean {
    return this.#groups.size > this.#aggregation.maxGroups
  }

  addDocument(body: Body): void {
    const { groupBy, measures } = this.#aggregation
    const group = this.#groupOf(groupBy.map((path) => scalarAt(path, body)))
    group.count++
    for (let at = 0; at < measures.length; at++) {
      const { path, of } = measures[at]!
      const value = scalarAt(path, body)
      if (typeof value === of) this.#measure(group.measured[at]!, 1, of === 'number' ? (value as number) : 0, value as string, value as string)
    }
  }

  addGroup({ keys, count, measured }: Group): void {
    const group = this.#groupOf(keys)
    group.count += count
    for (const [at, { count: values, sum, min, max }] of measured.entries()) if (min !== null && max !== null) this.#measure(group.measured[at]!, values, sum, min, max)
  }

  all(): Aggregated {
    if (this.isFull) return 'too many'
    return [...this.#groups.values()].map(({ keys, count, measured }) => ({ keys, count, measured: measured.map((one) => ({ count: one.count, sum: Number.isFinite(one.sum) ? one.sum + one.lost : one.sum, min: one.min, max: one.max })) }))
  }

  #groupOf(keys: readonly Scalar[]): MutableGroup {
    const name = JSON.stringify(keys)
    let group = this.#groups.get(name)
    if (!group) this.#groups.set(name, (group = { keys, count: 0, measured: this.#aggregation.measures.map(() => ({ count: 0, sum: 0, lost: 0, min: null, max: null })) }))
    return group
  }

  #measure(measured: MutableMeasured, count: number, sum: number, min: number | string, max: number | string): void {
    measured.count += count
    const next = measured.sum + sum
    // What the addition has lost of the smaller of the two, so that many small values do not lose more and more.
    measured.lost += Math.abs(measured.sum) >= Math.abs(sum) ? measured.sum - next + sum : sum - next + measured.sum
    measured.sum = next
    if (measured.min === null || this.#compare(min, measured.min) < 0) measured.min = min
    if (measured.max === null || this.#compare(max, measured.max) > 0) measured.max = max
  }
}

/** All documents of some groups as one. */
export function merged(groups: readonly Group[], aggregation: Aggregation): Group {
  const whole = new Grouping({ ...aggregation, groupBy: [] })
  for (const group of groups) whole.addGroup({ ...group, keys: [] })
  return (whole.all() as readonly Group[])[0]!
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

type MutableMeasured = Mutable<Measured> & { lost: number }

interface MutableGroup extends Omit<Mutable<Group>, 'measured'> {
  readonly measured: readonly MutableMeasured[]
}
