// What Quire keeps in the store for itself: that the store has been filled, and the secret that signs
// cursors. Leases and dead letters are propagation's.

import { randomBytes } from 'node:crypto'
import { ownContainer, ownKey, ownPut } from './own-container.ts'
import { writeAll } from './write-all.ts'
import type { Store, Write } from './store.ts'

/** Says that a store has something in it, so that no gateway fills it with anything else. */
export async function markFilled(store: Store): Promise<void> {
  await store.write([ownPut(ownKey('seeded'), {})])
}

/** Seeding is repeatable, and remembered only when it is complete: a start that was cut short begins again. */
export async function seedOnce(store: Store, seed: () => readonly Write[]): Promise<void> {
  const key = ownKey('seeded')
  const [seeded] = await store.readMany(ownContainer, [key])
  if (seeded) return
  await writeAll(store, seed())
  await markFilled(store)
}

/** The same for every gateway on this store, and after every restart: cursors stay good. */
export async function readCursorSecret(store: Store): Promise<string> {
  const key = ownKey('cursor-secret')
  const secret = randomBytes(32).toString('base64url')
  try {
    await store.write([ownPut(key, { secret }, 'if-absent')])
    return secret
  } catch (error) {
    const [kept] = await store.readMany(ownContainer, [key])
    if (!kept) throw error
    return kept.body['secret'] as string
  }
}
