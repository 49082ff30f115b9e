// What an attack may leave behind: changed documents, additions to prototypes, memory that is not released, and secrets in
// the store.

import { checkStore } from '../../src/evolve/check/check-store.ts'
import { openStored } from '../../src/cli/command/open-stored.ts'
import { ownContainer, ownKey } from '../../src/store/own-container.ts'
import type { Inside } from './inside.ts'
import type { Secret } from '../secret-search.ts'

const megabyte = 1024 * 1024

/** Heap growth allowed when the same requests are repeated: caches know them already, so more than noise would be a leak. */
export const maxHeapBytes = 8 * megabyte
/** The same for resident memory, which also grows by fragmentation. */
export const maxResidentBytes = 24 * megabyte
/** Growth allowed over the whole attack, without what caches report: compiled code, hidden classes, counters, fragmentation. */
export const maxHeapBesidesCachesBytes = 32 * megabyte
export const maxResidentBesidesCachesBytes = 64 * megabyte

/** A gateway before an attack, after it, and after its last part was repeated. */
export interface Insides {
  readonly before: Seen
  readonly once: Seen
  readonly twice: Seen
}

export interface Seen extends Inside {
  /** Bytes that all caches report together. */
  readonly cacheBytes: number
}

/** Every cache is bounded and reports its size; nothing else may grow. */
export function insideProblems({ before, once, twice }: Insides): string[] {
  const added = twice.prototypes.filter((name) => !before.prototypes.includes(name))
  return [
    ...(added.length > 0 ? [`prototypes have something new: ${added.join(', ')}`] : []),
    ...beyond('the heap grows when the same is sent once more', twice.heapBytes - once.heapBytes, maxHeapBytes),
    ...beyond('resident memory grows when the same is sent once more', twice.residentBytes - once.residentBytes, maxResidentBytes),
    ...beyond('the heap does not come back to what it was', besidesCaches(twice) - besidesCaches(before), maxHeapBesidesCachesBytes),
    ...beyond('resident memory does not come back to what it was', twice.residentBytes - twice.cacheBytes - (before.residentBytes - before.cacheBytes), maxResidentBesidesCachesBytes),
  ]
}

function beyond(what: string, bytes: number, most: number): string[] {
  return bytes > most ? [`${what}: ${Math.ceil(bytes / megabyte)} MB more, where ${most / megabyte} may be`] : []
}

export function besidesCaches({ heapBytes, cacheBytes }: Seen): number {
  return heapBytes - cacheBytes
}

/** Read from a gateway's metrics. */
export function cacheBytesIn(metrics: string): number {
  return [...metrics.matchAll(/^quire_cache_bytes\{[^}]*\} (\S+)$/gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
}

export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [
    ...[...before].flatMap(([name, text]) => (after.get(name) === text ? [] : [`${name} is ${after.has(name) ? 'not as it was' : 'gone'}`])),
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) => `${name} is new`),
  ].slice(0, 10)
}

/** The one secret that a gateway creates itself. A store in memory cannot be read from here. */
export async function cursorSecret(env: Record<string, string>): Promise<Secret[]> {
  if (env['QUIRE_STORE'] === 'memory') return []
  const { store } = await openStored(env)
  const [kept] = await store.readMany(ownContainer, [ownKey('cursor-secret')])
  await store.close()
  return kept ? [{ name: 'secret of the cursors', text: kept.body['secret'] as string }] : []
}

/** Findings of `quire check`. */
export async function checked(env: Record<string, string>): Promise<string[]> {
  if (env['QUIRE_STORE'] === 'memory') return []
  const { declaration, store } = await openStored(env)
  try {
    return await Array.fromAsync(checkStore(declaration, store), ({ sentence }) => `check: ${sentence}`)
  } finally {
    await store.close()
  }
}
