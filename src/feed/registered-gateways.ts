// The gateways that run on a store, each as a document with the effects mode that it writes in. A gateway that was killed leaves its
// document behind, so whether one still runs is found out by asking: those that run answer by writing their document again.

import type { Key } from '../model/keys/key.ts'
import { feedKey, feedPartition, ownContainer, ownPut } from '../store/own-container.ts'
import type { Store, StoredDocument, Write } from '../store/store.ts'
import type { EffectsMode } from '../write/writer.ts'
import type { Clock } from './clock.ts'

/** How often a gateway looks whether it is asked, and how long the one that asks waits: longer than a mode is believed without a look. */
export const lookEveryMs = 1000
export const believedMs = 5 * lookEveryMs
const silenceMs = believedMs + lookEveryMs
const pollEveryMs = lookEveryMs / 10

export function registrationKey(id: string): Key {
  return feedKey(`gateway-${id}`)
}

export function registration(key: Key, mode: EffectsMode, answered = ''): Write {
  return ownPut(key, { type: 'gateway', mode, answered })
}

export async function registeredIn(store: Store, mode: EffectsMode): Promise<StoredDocument[]> {
  const all = await store.query({ container: ownContainer, partition: feedPartition, type: 'gateway', orderBy: { path: ['id'], descending: false }, limit: 1000 })
  return all.filter(({ body }) => body['mode'] === mode)
}

/** After `ask`, returns how many gateways of a mode run, as soon as one has answered. Removes those that do not. */
export async function countRunning(store: Store, mode: EffectsMode, clock: Clock, ask: () => Promise<void>): Promise<number> {
  const before = new Map((await registeredIn(store, mode)).map(({ key, etag }) => [key.id, etag]))
  if (before.size === 0) return 0
  await ask()
  for (const untilMs = clock.now() + silenceMs; ;) {
    const registered = await registeredIn(store, mode)
    const running = registered.filter(({ key, etag }) => before.get(key.id) !== etag)
    if (running.length > 0) return registered.length
    if (registered.length === 0) return 0
    if (clock.now() >= untilMs) {
      await store.write(registered.map(({ key, etag }) => ({ kind: 'delete', container: ownContainer, key, only: { ifMatch: etag } })))
      return 0
    }
    await new Promise<void>((resolve) => void clock.after(pollEveryMs, resolve))
  }
}
