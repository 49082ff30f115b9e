// What Quire keeps in the store for itself: that the store has been filled, and the secret that signs
// cursors. Leases and dead letters are propagation's.

import { randomBytes } from 'node:crypto'
import { ownContainer, type Declaration } from './declaration.ts'
import type { Store, Write } from './store/store.ts'

/** Seeding is repeatable, and remembered only when it is complete: a start that was cut short begins again. */
export async function seedOnce(store: Store, declaration: Declaration, seed: (declaration: Declaration) => readonly Write[]): Promise<void> {
  const key = { partition: ['seeded'], id: 'seeded' }
  const [seeded] = await store.readMany(ownContainer, [key])
  if (seeded) return
  const writes = seed(declaration)
  for (let start = 0; start < writes.length; start += 1000) await store.write(writes.slice(start, start + 1000))
  await store.write([{ kind: 'put', container: ownContainer, key, body: { id: 'seeded' } }])
}

/** The same for every gateway on this store, and after every restart: cursors stay good. */
export async function keptSecret(store: Store): Promise<string> {
  const key = { partition: ['cursor-secret'], id: 'cursor-secret' }
  const body = { id: key.id, secret: randomBytes(32).toString('base64url') }
  try {
    await store.write([{ kind: 'put', container: ownContainer, key, body, only: 'if-absent' }])
    return body.secret
  } catch (error) {
    const [kept] = await store.readMany(ownContainer, [key])
    if (!kept) throw error
    return kept.body['secret'] as string
  }
}
