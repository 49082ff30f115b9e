// The SDK's continuation token of a whole container in a few hundred characters: the sequence number of each physical partition, by its id, where
// the SDK writes down the range of keys of each. Checkpoints are stored, and cursors travel, with every change.
//
// `ridOfContainer 0:a.b.c,70:d` has the numbers of the partitions 0, 1, 2 and 70, to the base of 36.

import type { PhysicalPartition } from '../read-many/physical-partitions.ts'
import type { Continuation } from './continuation.ts'

/** Undefined unless it has one number for each of the partitions. */
export function shortTokenOf(token: string, partitions: readonly PhysicalPartition[]): string | undefined {
  const { rid, Continuation: ranges } = JSON.parse(token) as Continuation
  const read = new Map<number, number>()
  for (const { minInclusive, maxExclusive, continuationToken = '' } of ranges) {
    const partition = partitions.find((each) => each.minInclusive === minInclusive && each.maxExclusive === maxExclusive)
    const number = Number(/^"(\d+)"$/.exec(continuationToken)?.[1] ?? Number.NaN)
    if (!partition || !/^(0|[1-9]\d{0,8})$/.test(partition.id) || !Number.isSafeInteger(number)) return undefined
    read.set(Number(partition.id), number)
  }
  if (read.size !== partitions.length || ranges.length !== partitions.length) return undefined
  return written(rid, read)
}

export function isShortToken(token: string): boolean {
  return !token.startsWith('{')
}

/**
 * The SDK's token. A partition that was split since is read on from its number in those that replaced it. One that others were merged into is read from
 * its beginning, since their numbers do not count there: what was read is told again. Undefined if some of the partitions are not known, unless
 * they may have been `merged`: then what the token has no number for is read from its beginning, too.
 */
export function sdkTokenOf(short: string, partitions: readonly PhysicalPartition[], { merged = false } = {}): string | undefined {
  const [rid, text] = short.split(' ') as [string, string]
  const numbers = new Map<PhysicalPartition, number | undefined>()
  for (const [id, number] of numbersIn(text)) {
    const now = partitions.filter((each) => each.id === id || each.parents?.includes(id))
    if (now.length === 0 && !merged) return undefined
    for (const partition of now) numbers.set(partition, numbers.has(partition) ? undefined : number)
  }
  if (merged) for (const partition of partitions) if (!numbers.has(partition)) numbers.set(partition, undefined)
  const ranges = [...numbers].map(([{ minInclusive, maxExclusive }, number]) => ({ minInclusive, maxExclusive, continuationToken: number === undefined ? '' : `"${number}"` }))
  return ranges.length === partitions.length ? JSON.stringify({ rid, Continuation: ranges } satisfies Continuation) : undefined
}

/** One token for all parts of a container; undefined if they are of several containers, or there is none. */
export function joinedTokens(tokens: readonly string[]): string | undefined {
  const rids = new Set(tokens.map((token) => token.split(' ')[0]!))
  if (rids.size !== 1) return undefined
  const read = new Map<number, number>()
  // Only after a merge can two parts have the same partition, and what was read is told again.
  for (const token of tokens) for (const [id, number] of numbersIn(token.split(' ')[1]!)) read.set(Number(id), Math.min(number, read.get(Number(id)) ?? number))
  return written([...rids][0]!, read)
}

/** The token of each part, of those that have partitions of it or of what replaced them; undefined if some of the partitions are not known. */
export function dividedToken(short: string, partitions: readonly PhysicalPartition[], partOf: (partition: PhysicalPartition) => string): ReadonlyMap<string, string> | undefined {
  const [rid, text] = short.split(' ') as [string, string]
  const parts = new Map<string, Map<number, number>>()
  for (const [id, number] of numbersIn(text)) {
    const now = partitions.filter((each) => each.id === id || each.parents?.includes(id))
    if (now.length === 0) return undefined
    for (const part of new Set(now.map(partOf))) parts.set(part, (parts.get(part) ?? new Map<number, number>()).set(Number(id), number))
  }
  return new Map([...parts].map(([part, read]) => [part, written(rid, read)]))
}

function written(rid: string, read: ReadonlyMap<number, number>): string {
  const ids = [...read.keys()].toSorted((one, other) => one - other)
  const numbers = ids.map((id, at) => `${at > 0 && ids[at - 1] === id - 1 ? '.' : `${at > 0 ? ',' : ''}${id}:`}${read.get(id)!.toString(36)}`)
  return `${rid} ${numbers.join('')}`
}

function numbersIn(text: string): [id: string, number: number][] {
  return text.split(',').flatMap((run) => {
    const [first, numbers] = run.split(':') as [string, string]
    return numbers.split('.').map((number, at): [string, number] => [String(Number(first) + at), Number.parseInt(number, 36)])
  })
}
