// The gateways that run on a store, each as a document with the effects mode that it writes in. A gateway that was killed leaves its
// document behind, so whether one still runs is found out by asking: those that run answer by writing their document again.

import { randomUUID } from 'node:crypto'
import type { Key } from '../../model/keys/key.ts'
import { feedKey, feedPartition, ownContainer, ownPut } from '../../store/own-container.ts'
import type { Store, StoredDocument, Write } from '../../store/store.ts'
import type { EffectsMode } from '../../write/writer.ts'
import type { Clock } from '../clock.ts'
import { modePut, readMode } from './mode-document.ts'

/** How often a gateway looks whether it is asked, and how long the one that asks waits: longer than a mode is believed without a look. */
export const lookEveryMs = 1000
export const believedMs = 5 * lookEveryMs
const silenceMs = believedMs + lookEveryMs
const pollEveryMs = lookEveryMs / 10

/** More registrations than gateways that run on one store. */
const manyRegistered = 20

export function registrationKey(): Key {
  return feedKey(`gateway-${randomUUID()}`)
}

export function registration(key: Key, mode: EffectsMode, schema = '', answered = ''): Write {
  return ownPut(key, { type: 'gateway', mode, schema, answered })
}

export async function registeredIn(store: Store, mode: EffectsMode): Promise<StoredDocument[]> {
  const all = await store.query({ container: ownContainer, partition: feedPartition, type: 'gateway', orderBy: { path: ['id'], descending: false }, limit: 1000 })
  return all.filter(({ body }) => body['mode'] === mode)
}

/** How many gateways of a mode are registered, as soon as one of them has answered; 0 if none runs. */
export function countRunning(store: Store, mode: EffectsMode, clock: Clock): Promise<number> {
  return ask(store, mode, clock, (registered, answered) => (answered.length > 0 ? registered.length : undefined))
}

/** How many gateways run on a store that serve another schema. All of them are asked, so it takes a while if one was killed. */
export async function countOthers(store: Store, mode: EffectsMode, schema: string, clock: Clock): Promise<number> {
  const others = (all: readonly StoredDocument[]): number => all.filter(({ body }) => body['schema'] !== schema).length
  if (others(await registeredIn(store, mode)) === 0) return 0
  await ask(store, mode, clock, (registered, answered) => (registered.length === answered.length ? registered.length : undefined))
  return others(await registeredIn(store, mode))
}

/** Removes the registrations that killed gateways have left, where there are many. */
export async function removeSilent(store: Store, mode: EffectsMode, clock: Clock): Promise<void> {
  if ((await registeredIn(store, mode)).length > manyRegistered) await ask(store, mode, clock, () => undefined)
}

/** For a copy of a store on which none of them runs. */
export async function forgetGateways(store: Store): Promise<void> {
  const all = [...(await registeredIn(store, 'together')), ...(await registeredIn(store, 'feed'))]
  await store.write(all.map(({ key }) => ({ kind: 'delete', container: ownContainer, key })))
}

/** Asks all gateways of a mode, until `decide` knows enough or time is up. Then removes those that have not answered, and returns 0. */
async function ask(
  store: Store, mode: EffectsMode, clock: Clock, decide: (registered: readonly StoredDocument[], answered: readonly StoredDocument[]) => number | undefined,
): Promise<number> {
  const before = new Map((await registeredIn(store, mode)).map(({ key, etag }) => [key.id, etag]))
  if (before.size === 0) return 0
  await store.atomically(async () => [modePut({ mode, entered: true, ...(await readMode(store)), asked: randomUUID() })])
  for (const untilMs = clock.now() + silenceMs; ;) {
    const registered = await registeredIn(store, mode)
    const isSilent = ({ key, etag }: StoredDocument): boolean => before.get(key.id) === etag
    const decided = registered.length === 0 ? 0 : decide(registered, registered.filter((each) => !isSilent(each)))
    if (decided !== undefined) return decided
    if (clock.now() >= untilMs) {
      await store.write(registered.filter(isSilent).map(({ key, etag }) => ({ kind: 'delete', container: ownContainer, key, only: { ifMatch: etag } })))
      return 0
    }
    await new Promise<void>((resolve) => void clock.after(pollEveryMs, resolve))
  }
}
