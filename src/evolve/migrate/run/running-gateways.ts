// Whether gateways run on a store. Where the store is atomic, each gateway registers itself in a document. On other stores, the leases of the
// change feed show it. A migration that begins to replace documents and a gateway that registers exclude each other.

import type { Clock } from '../../../clock.ts'
import { readLeases } from '../../../feed/lease-document.ts'
import { countOthers, countRunning, registeredIn } from '../../../feed/mode/registered-gateways.ts'
import type { Store } from '../../../store/store.ts'
import { MigrationRefusedError, type MigrationRun } from './migration-run.ts'

const modes = ['together', 'feed'] as const

/** Throws if a gateway of another schema runs. */
export async function refuseOtherSchemas(store: Store, schema: string, clock: Clock): Promise<void> {
  const others = (await keptAlive(() => Promise.all(modes.map((mode) => countOthers(store, mode, schema, clock))))).reduce((sum, count) => sum + count, 0)
  if (others > 0) throw new MigrationRefusedError(`Nothing was removed: ${others === 1 ? 'a gateway of the old schema runs' : `${others} gateways of the old schema run`} on this store. Stop ${others === 1 ? 'it' : 'them'} first.`)
}

/** Whether a gateway of another schema is registered. It may have been killed. */
export async function hasOtherSchemas(store: Store, schema: string): Promise<boolean> {
  const registered = (await Promise.all(modes.map((mode) => registeredIn(store, mode)))).flat()
  return registered.some(({ body }) => body['schema'] !== schema)
}

/** From here on, no gateway can start until the migration is done. */
export async function beginSwitch({ store, held }: Pick<MigrationRun, 'store' | 'held'>): Promise<void> {
  await held.save({ phase: 'switch', checkpoint: null })
  // A gateway that registered before the record was written is found now; a later one reads the record.
  const registered = store.supports.atomic === 'store' ? (await Promise.all(modes.map((mode) => registeredIn(store, mode)))).flat().length : 0
  if (registered === 0) return
  await held.save({ phase: 'prepare', checkpoint: null, digests: {} })
  throw new MigrationRefusedError('Nothing was changed: a gateway has started meanwhile. Stop it, and run the migration again.')
}

export async function countRunningGateways(store: Store, clock: Clock): Promise<number> {
  if (store.supports.atomic === 'store') return (await keptAlive(() => Promise.all(modes.map((mode) => countRunning(store, mode, clock))))).reduce((sum, count) => sum + count, 0)
  const { latest } = await store.now()
  return (await readLeases(store)).filter(({ lease }) => lease && lease.owner !== '' && lease.expiresAt > latest).length > 0 ? 1 : 0
}

/** The timers of the count do not keep the process alive, and a command has nothing else to wait for. */
async function keptAlive<T>(ask: () => Promise<T>): Promise<T> {
  const alive = setInterval(() => undefined, 1000)
  try {
    return await ask()
  } finally {
    clearInterval(alive)
  }
}
