// The effects mode of a store that can be written in both: whether snapshots change together with their source, or later through the
// change feed. It belongs to the store, because a gateway that writes together calls every snapshot current, and a gateway that
// leaves effects to the feed makes that untrue. A gateway in another mode than the store drains the feed and changes the mode, or
// refuses to start while others run.

import { refuseWhileMigrating } from '../../store/migration/migration-phase.ts'
import { SetupError, StoreUnavailableError } from '../../store/store-errors.ts'
import type { Store, Write } from '../../store/store.ts'
import type { EffectsMode } from '../../write/writer.ts'
import { processClock } from '../clock.ts'
import { GatewayMode, type GatewayModeOptions } from './gateway-mode.ts'
import { readLeases } from '../lease-document.ts'
import { modePut, readMode, type ModeDocument } from './mode-document.ts'
import { countRunning, registeredIn, registration, registrationKey, removeSilent } from './registered-gateways.ts'

export interface EffectsModeOptions extends GatewayModeOptions {
  /** Carries everything in the feed to its snapshots. Throws if that is impossible. */
  readonly drain: () => Promise<void>
}

export async function enterEffectsMode(store: Store, mode: EffectsMode, options: EffectsModeOptions): Promise<GatewayMode> {
  // The timers of a gateway keep no process alive, and a process that has yet to begin has nothing else.
  const alive = setInterval(() => undefined, 1000)
  try {
    return await enter(store, mode, options)
  } finally {
    clearInterval(alive)
  }
}

async function enter(store: Store, mode: EffectsMode, options: EffectsModeOptions): Promise<GatewayMode> {
  const key = registrationKey()
  const { clock = processClock } = options
  for (;;) {
    const joined = await joins(store, mode, registration(key, mode, options.schema), options.schema).catch(async (error: unknown) => {
      // A store that cannot be written can still be read. The gateway registers itself as soon as it can, and is certain of nothing before.
      if (error instanceof StoreUnavailableError && (await isInMode(store, mode, await readMode(store)))) return 'unregistered'
      throw error
    })
    if (joined === true) void removeSilent(store, mode, clock).catch(() => undefined)
    if (joined !== false) return new GatewayMode(store, mode, key, joined === true, options)
    await change(store, mode, options)
  }
}

/** Registers the gateway if the store is in its mode. */
async function joins(store: Store, mode: EffectsMode, registered: Write, schema: string | undefined): Promise<boolean> {
  let joined = false
  await store.atomically(async () => {
    await refuseWhileMigrating(store, schema)
    const found = await readMode(store)
    joined = await isInMode(store, mode, found)
    return joined ? [registered, ...(found ? [] : [modePut({ mode, entered: true })])] : []
  })
  return joined
}

/** A store without the document is new, or of a version that did not record the mode; leases are a trace of the feed. */
async function isInMode(store: Store, mode: EffectsMode, found: ModeDocument | undefined): Promise<boolean> {
  if (found) return found.mode === mode && found.entered
  return mode === 'feed' || (await readLeases(store)).every(({ lease }) => lease === undefined)
}

/** Returns when the mode was changed, or has changed meanwhile. */
async function change(store: Store, mode: EffectsMode, { drain, clock = processClock }: EffectsModeOptions): Promise<void> {
  const other = mode === 'feed' ? 'together' : 'feed'
  const running = await countRunning(store, other, clock)
  if (running > 0) {
    const gateways = running === 1 ? 'another gateway runs' : `${running} other gateways run`
    throw new SetupError(`Cannot start with effects "${mode}": ${gateways} on this store with "${other}", and answers would be staler than they claim. Start this one with QUIRE_EFFECTS=${other}, or stop the others first.`)
  }
  let changed = false
  await store.atomically(async () => {
    changed = (await registeredIn(store, other)).length === 0 && !(await isInMode(store, mode, await readMode(store)))
    return changed ? [modePut({ mode, entered: mode === 'feed' })] : []
  })
  if (!changed || mode === 'feed') return
  // From here on nothing is written that would need the feed.
  await drain()
  await store.atomically(async () => ((await readMode(store))?.mode === mode ? [modePut({ mode, entered: true })] : []))
}
