// What is left of an attack when it is over: documents that are not as they were, prototypes with something new,
// memory that is not given back, and secrets where nobody should find them.

import { checkStore } from '../../src/evolve/check/check-store.ts'
import { openStored } from '../../src/cli/open-stored.ts'
import { ownContainer, ownKey } from '../../src/store/own-container.ts'
import type { Inside } from './inside.ts'
import type { Secret } from '../secret-search.ts'

const megabyte = 1024 * 1024

/** What the same requests once more may leave behind in the heap: nothing is new to any cache, so all but noise would stay for good. */
export const mostHeapBytes = 8 * megabyte
/** The same of what the system has given to the process: whoever asks for memory and gives it back leaves gaps. */
export const mostResidentBytes = 24 * megabyte
/** What an attack may leave behind beside what caches say that they hold: compiled code, shapes, counters; and gaps. */
export const mostHeapBesidesCachesBytes = 32 * megabyte
export const mostResidentBesidesCachesBytes = 64 * megabyte

/** A gateway before an attack, after it, and after the last part of it once more. */
export interface Insides {
  readonly before: Seen
  readonly once: Seen
  readonly twice: Seen
}

export interface Seen extends Inside {
  /** What all caches together say that they hold. */
  readonly cacheBytes: number
}

/** Whatever is remembered has its bounds, and says how much it is. Nothing else may grow. */
export function insideProblems({ before, once, twice }: Insides): string[] {
  const added = twice.prototypes.filter((name) => !before.prototypes.includes(name))
  return [
    ...(added.length > 0 ? [`prototypes have something new: ${added.join(', ')}`] : []),
    ...beyond('the heap grows when the same is sent once more', twice.heapBytes - once.heapBytes, mostHeapBytes),
    ...beyond('resident memory grows when the same is sent once more', twice.residentBytes - once.residentBytes, mostResidentBytes),
    ...beyond('the heap does not come back to what it was', besidesCaches(twice) - besidesCaches(before), mostHeapBesidesCachesBytes),
    ...beyond('resident memory does not come back to what it was', twice.residentBytes - twice.cacheBytes - (before.residentBytes - before.cacheBytes), mostResidentBesidesCachesBytes),
  ]
}

function beyond(what: string, bytes: number, most: number): string[] {
  return bytes > most ? [`${what}: ${Math.ceil(bytes / megabyte)} MB more, where ${most / megabyte} may be`] : []
}

export function besidesCaches({ heapBytes, cacheBytes }: Seen): number {
  return heapBytes - cacheBytes
}

/** From the metrics of a gateway. */
export function cacheBytesIn(metrics: string): number {
  return [...metrics.matchAll(/^quire_cache_bytes\{[^}]*\} (\S+)$/gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
}

export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [
    ...[...before].flatMap(([name, text]) => (after.get(name) === text ? [] : [`${name} is ${after.has(name) ? 'not as it was' : 'gone'}`])),
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) => `${name} is new`),
  ].slice(0, 10)
}

/** The one secret that a gateway makes itself. A store in memory cannot be looked at from here. */
export async function cursorSecret(env: Record<string, string>): Promise<Secret[]> {
  if (env['QUIRE_STORE'] === 'memory') return []
  const { store } = await openStored(env)
  const [kept] = await store.readMany(ownContainer, [ownKey('cursor-secret')])
  await store.close()
  return kept ? [{ name: 'secret of the cursors', text: kept.body['secret'] as string }] : []
}

/** What `quire check` says of the stored documents. */
export async function checked(env: Record<string, string>): Promise<string[]> {
  if (env['QUIRE_STORE'] === 'memory') return []
  const { declaration, store } = await openStored(env)
  try {
    return await Array.fromAsync(checkStore(declaration, store), ({ sentence }) => `check: ${sentence}`)
  } finally {
    await store.close()
  }
}
