// What is left of an attack when it is over: documents that are not as they were, prototypes with something new,
// memory that is not given back, and secrets where nobody should find them.

import { checkStore } from '../../src/check/check-store.ts'
import { openStored } from '../../src/cli/open-stored.ts'
import { ownContainer, ownKey } from '../../src/own-container.ts'
import type { Inside } from './inside.ts'
import type { Secret } from './secrets.ts'

/** More than this is not what caches have been allowed to keep. */
const mostGrowthBytes = 64 * 1024 * 1024
/** Fewer requests than this leave too little behind to tell. */
const fewRequests = 5000

/** Between the middle of an attack and its end nothing may grow: whatever is remembered has its bounds, and has reached them. */
export function insideProblems(before: Inside, middle: Inside, after: Inside, requests: number): string[] {
  const added = after.prototypes.filter((name) => !before.prototypes.includes(name))
  const growth = after.heapBytes - middle.heapBytes
  return [
    ...(added.length > 0 ? [`prototypes have something new: ${added.join(', ')}`] : []),
    ...(requests >= fewRequests && growth > mostGrowthBytes ? [`memory is not given back: ${Math.round(growth / 1024 / 1024)} MB more in the second half`] : []),
  ]
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
