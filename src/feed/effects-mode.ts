// The effects mode of a store that can be written in both: whether snapshots change together with their source, or later through the
// change feed. It belongs to the store, because a gateway that writes together calls every snapshot current, and a gateway that
// leaves effects to the feed makes that untrue. A gateway in another mode than the store drains the feed and changes the mode, or
// refuses to start while others run.

import { randomUUID } from 'node:crypto'
import { whenReady, type MaybePromise } from '../store/maybe-promise.ts'
import { ownContainer, ownKey, ownPut } from '../store/own-container.ts'
import { SetupError, StoreUnavailableError } from '../store/store-errors.ts'
import type { Store, Write } from '../store/store.ts'
import type { EffectsMode } from '../write/writer.ts'
import { processClock, type Clock } from './clock.ts'
import { readLeases } from './leases.ts'
import { believedMs, countRunning, lookEveryMs, registeredIn, registration, registrationKey } from './registered-gateways.ts'

export interface EffectsModeOptions {
  /** Carries everything in the feed to its snapshots. Throws if that is impossible. */
  readonly drain: () => Promise<void>
  /** Another gateway has changed the mode. */
  readonly onLost?: () => void
  /** Called at every look at the mode. */
  readonly onLook?: () => Promise<void>
  readonly clock?: Clock
}

/** The part of a gateway in the mode of its store. */
export interface HeldMode {
  /** Whether the mode is certain: it was looked at lately, and no other gateway changes it without waiting longer than that. */
  readonly isCertain: boolean
  /** Throws once the store is in another mode. To be called in the transaction of every write. */
  check(): MaybePromise<void>
  leave(): Promise<void>
}

interface ModeDocument {
  readonly mode: EffectsMode
  /** False while a gateway drains the feed to enter the mode. */
  readonly entered: boolean
  /** Running gateways are to answer. */
  readonly asked?: string
}

const modeKey = ownKey('effects')

export async function enterEffectsMode(store: Store, mode: EffectsMode, options: EffectsModeOptions): Promise<HeldMode> {
  const key = registrationKey(randomUUID())
  while (!(await joins(store, mode, registration(key, mode)))) await change(store, mode, options)
  return hold(store, mode, key, options)
}

/** Registers the gateway if the store is in its mode. */
async function joins(store: Store, mode: EffectsMode, registered: Write): Promise<boolean> {
  let joined = false
  await store.atomically(async () => {
    const found = await readMode(store)
    // A store without the document is new, or of a version that did not record the mode; leases are a trace of the feed.
    joined = found ? found.mode === mode && found.entered : mode === 'feed' || !(await isFollowed(store))
    return joined ? [registered, ...(found ? [] : [modePut({ mode, entered: true })])] : []
  })
  return joined
}

/** Returns when the mode was changed, or has changed meanwhile. */
async function change(store: Store, mode: EffectsMode, { drain, clock = processClock }: EffectsModeOptions): Promise<void> {
  const other = mode === 'feed' ? 'together' : 'feed'
  const running = await countRunning(store, other, clock, () => ask(store, other))
  if (running > 0) {
    const gateways = running === 1 ? 'Another gateway runs' : `${running} other gateways run`
    throw new SetupError(`Cannot start with effects "${mode}": ${gateways} on this store with "${other}", and answers would be older than they say. Start this one with QUIRE_EFFECTS=${other}, or stop the others first.`)
  }
  let changed = false
  await store.atomically(async () => {
    const found = await readMode(store)
    changed = (await registeredIn(store, other)).length === 0 && !(found?.mode === mode && found.entered)
    return changed ? [modePut({ mode, entered: mode === 'feed' })] : []
  })
  if (!changed || mode === 'feed') return
  // From here on nothing is written that would need the feed.
  await drain()
  await store.atomically(async () => ((await readMode(store))?.mode === mode ? [modePut({ mode, entered: true })] : []))
}

function hold(store: Store, mode: EffectsMode, key: ReturnType<typeof registrationKey>, { onLost, onLook, clock = processClock }: EffectsModeOptions): HeldMode {
  let certainAtMs = clock.now()
  let answered: string | undefined
  let lost = false
  let cancel: () => void
  const believe = (found: ModeDocument | undefined, atMs: number): void => {
    if (found === undefined || found.mode === mode) certainAtMs = atMs
    else {
      if (!lost) onLost?.()
      lost = true
    }
  }
  const look = async (): Promise<void> => {
    const atMs = clock.now()
    const found = await readMode(store)
    believe(found, atMs)
    if (lost) return
    if (found?.asked !== undefined && found.asked !== answered) {
      await store.write([registration(key, mode, found.asked)])
      answered = found.asked
    }
    await onLook?.()
  }
  /** This process did nothing for a while. A store in this process can be asked at once. */
  const lookAtOnce = (atMs: number): void => {
    const found = readMode(store)
    if (!(found instanceof Promise)) believe(found, atMs)
  }
  let looking = Promise.resolve()
  let stopped = false
  const next = (): void => {
    if (stopped) return
    // A store that does not answer leaves the mode uncertain.
    cancel = clock.after(lookEveryMs, () => void (looking = look().catch(() => undefined).then(next)))
  }
  next()
  return {
    get isCertain() {
      const atMs = clock.now()
      if (!lost && atMs >= certainAtMs + believedMs) lookAtOnce(atMs)
      return !lost && atMs < certainAtMs + believedMs
    },
    check: () => whenReady(readMode(store), (found) => {
      if (found && found.mode !== mode) throw new StoreUnavailableError(`Nothing was written: this gateway writes with effects "${mode}", and the store has been changed to "${found.mode}". Restart the gateway with QUIRE_EFFECTS=${found.mode}.`)
    }),
    async leave() {
      stopped = true
      cancel()
      await looking
      await store.write([{ kind: 'delete', container: ownContainer, key }])
    },
  }
}

async function ask(store: Store, mode: EffectsMode): Promise<void> {
  await store.atomically(async () => [modePut({ mode, entered: true, ...(await readMode(store)), asked: randomUUID() })])
}

function readMode(store: Store): MaybePromise<ModeDocument | undefined> {
  return whenReady(store.readMany(ownContainer, [modeKey]), ([found]) => found?.body as unknown as ModeDocument | undefined)
}

function modePut(document: ModeDocument): Write {
  return ownPut(modeKey, { ...document })
}

async function isFollowed(store: Store): Promise<boolean> {
  return (await readLeases(store)).some(({ lease }) => lease !== undefined)
}
