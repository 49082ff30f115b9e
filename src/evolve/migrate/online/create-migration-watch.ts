// What a gateway has of migrations beside it: whether its documents are still the current ones, what it writes alongside while
// a migration runs, and its end once documents have been handed over.

import type { Clock } from '../../../clock.ts'
import type { Log } from '../../../observe/log/log.ts'
import type { Declaration } from '../../../relations/declaration.ts'
import type { MaybePromise } from '../../../store/maybe-promise.ts'
import type { Store } from '../../../store/store.ts'
import type { Alongside } from '../../../write/writer.ts'
import { createAlongside } from './alongside.ts'
import { MigrationGate } from './gate.ts'

export interface MigrationWatch {
  /** Throws if the documents of this gateway are not the current ones any more. For every operation. */
  readonly checkRead: () => MaybePromise<void>
  /** For the writer of a store, or of a tenant's view of it. */
  readonly alongside: (store: Store) => Alongside
  stop(): Promise<void>
}

/** `declared` has the places under which the gateway was opened. Once they are not the current ones, that is logged, and `onClosed` is called. */
export async function createMigrationWatch(declared: Declaration, store: Store, log: Log, onClosed: () => void, clock?: Clock): Promise<MigrationWatch> {
  const gate = await MigrationGate.open(store, declared.places.generation, () => {
    log.error({}, 'The documents have been migrated to a new schema, and this gateway serves the old one: it answers nothing any more. Stop it, and serve the new schema.')
    onClosed()
  }, clock)
  return { checkRead: () => gate.checkRead(), alongside: createAlongside(declared, gate), stop: () => gate.stop() }
}
