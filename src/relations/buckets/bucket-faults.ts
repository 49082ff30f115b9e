// The faults of a bucketed list in words, each to be read after the name of the list. bucket-audit.ts says where
// the entries should be.

import type { StorageOf } from '../../model/storages.ts'
import type { Body } from '../../model/json/json.ts'

/** The list as it was found. */
export interface FoundList {
  readonly inDocument: readonly Body[]
  readonly buckets: readonly {
    readonly id: string
    readonly entries: readonly Body[]
    /** Whether an entry with that number belongs in this bucket. */
    readonly holds: (number: number) => boolean
  }[]
}

/** At least one fault, for a list that is known to have one. `newest` is how many entries should be in the document. */
export function faultsOf({ recent, size }: StorageOf<'bucketed'>, found: FoundList, newest: number): string[] {
  const all = [...found.buckets.flatMap(({ entries }) => entries), ...found.inDocument]
  const faults = [
    ...repeated(all),
    ...numbering([...new Map(all.map((entry) => [identityOf(entry), entry])).values()]),
    ...inDocument(found, recent, newest),
    ...found.buckets.flatMap((bucket) => inBucket(bucket, size)),
  ]
  return faults.length > 0 ? faults : ['is not stored as it is declared']
}

/** The number of an entry, or -1 without one: such an entry counts as the oldest. */
export function numberOf({ number }: Body): number {
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : -1
}

/** Equal for copies of one entry. */
export function identityOf(entry: Body): string {
  return entry['id'] === undefined ? JSON.stringify(entry) : `id ${JSON.stringify(entry['id'])}`
}

function repeated(all: readonly Body[]): string[] {
  const same = Map.groupBy(all, identityOf).values().find((entries) => entries.length > 1)
  return same ? [`has entry ${String(same[0]!['id'] ?? numberOf(same[0]!))} ${same.length === 2 ? 'twice' : `${same.length} times`}`] : []
}

function numbering(distinct: readonly Body[]): string[] {
  const numbers = Map.groupBy(distinct.map(numberOf), (number) => number)
  const newest = [...numbers.keys()].reduce((most, number) => Math.max(most, number), -1)
  const clash = [...numbers].find(([number, entries]) => number >= 0 && entries.length > 1)
  const [from, missing] = firstGap(numbers, newest)
  return [
    ...(numbers.has(-1) ? ['has entries without a number'] : []),
    ...(clash ? [`has ${clash[1].length} entries with the number ${clash[0]}`] : []),
    ...(missing === 0 ? [] : [`lacks ${missing === 1 ? `number ${from}` : `the numbers ${from} to ${from + missing - 1}`}`]),
  ]
}

/** Where the first gap begins and how long it is. */
function firstGap(numbers: ReadonlyMap<number, unknown>, newest: number): [from: number, missing: number] {
  let from = 0
  while (from < newest && numbers.has(from)) from++
  const above = [...numbers.keys()].reduce((least, number) => (number > from ? Math.min(least, number) : least), newest)
  return from < newest ? [from, above - from] : [from, 0]
}

function inDocument({ inDocument: entries, buckets }: FoundList, recent: number, newest: number): string[] {
  const numbers = entries.map(numberOf)
  const oldest = numbers.reduce((least, number) => Math.min(least, number), Infinity)
  return [
    ...(entries.length === newest ? [] : [`has ${entries.length} entries in the document, where the newest ${recent} belong`]),
    ...(numbers.every((number, at) => at === 0 || number === numbers[at - 1]! - 1) ? [] : ['does not have its newest entries in order']),
    ...(buckets.some((bucket) => bucket.entries.some((entry) => numberOf(entry) > oldest)) ? ['has newer entries in buckets than in the document'] : []),
  ]
}

function inBucket({ id, entries, holds }: FoundList['buckets'][number], size: number): string[] {
  const numbers = entries.map(numberOf)
  const stray = numbers.find((number) => !holds(number))
  return [
    ...(entries.length === 0 ? [`has an empty bucket ${id}`] : []),
    ...(entries.length > size ? [`has ${entries.length} entries in bucket ${id}, which holds ${size}`] : []),
    ...(stray === undefined ? [] : [`has number ${stray} in bucket ${id}`]),
    ...(numbers.every((number, at) => at === 0 || number > numbers[at - 1]!) ? [] : [`does not have bucket ${id} in order`]),
  ]
}
