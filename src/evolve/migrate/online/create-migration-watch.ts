// What a gateway does about online migrations: it checks that its documents are still the current ones, writes what a running
// migration needs besides, and ends once documents have been handed over to another schema.

import type { Clock } from '../../../clock.ts'
import type { Log } from '../../../observe/log/log.ts'
import type { Declaration } from '../../../relations/declaration.ts'
import type { MaybePromise } from '../../../store/maybe-promise.ts'
import type { Store } from '../../../store/store.ts'
import type { MigrationWrites } from '../../../write/writer.ts'
import { MigrationGate } from './migration-gate.ts'
import { createMigrationWrites } from './migration-writes.ts'

export interface MigrationWatch {
  /** Throws if the documents of this gateway are not the current ones any more. For every operation. */
  readonly checkRead: () => MaybePromise<void>
  /** For the writer of a store, or of a tenant's view of it. */
  readonly writes: (store: Store) => MigrationWrites
  stop(): Promise<void>
}

/** `declared` has the container locations with which the gateway was opened. Once they are not the current ones, that is logged, and `onClosed` is called. */
export async function createMigrationWatch(declared: Declaration, store: Store, log: Log, onClosed: () => void, clock?: Clock): Promise<MigrationWatch> {
  const gate = await MigrationGate.open(store, declared.locations.generation, () => {
    log.error({}, 'The documents have been migrated to a new schema, and this gateway serves the old one. It refuses all operations from now on. Stop it, and start a gateway with the new schema.')
    onClosed()
  }, clock)
  return { checkRead: () => gate.checkRead(), writes: createMigrationWrites(declared, gate), stop: () => gate.stop() }
}
