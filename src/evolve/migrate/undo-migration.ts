// What must hold before the file of a migration is undone: every container that it names exists, and no gateway runs. Afterwards the
// record of the migration must be gone: with it, `--finish` would delete the restored documents.

import { processClock } from '../../clock.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { ownContainer } from '../../store/own-container.ts'
import type { Store } from '../../store/store.ts'
import type { UndoEntry } from '../check/repair/undo-log.ts'
import { defaultSilenceMs, HeldRecord, readRecord } from './run/migration-record.ts'
import { MigrationRefusedError } from './run/migration-run.ts'
import { forgetStaged } from './run/staged-documents.ts'
import { countRunningGateways } from './run/running-gateways.ts'

/** Throws if the file cannot be undone. Otherwise returns what is to be done when all of it has been put back. */
export async function beginUndo({ layout }: Declaration, store: Store, file: string, taken: readonly UndoEntry[]): Promise<() => Promise<void>> {
  const missing = taken.find(({ container }) => !layout.some(({ name }) => name === container))
  if (missing) throw new MigrationRefusedError(`Nothing was changed: the file has documents of the container "${missing.container}", which this schema does not have. Pass the new schema with --schema.`)
  const record = await readRecord(store)
  if (!record && !taken.some(({ container }) => container === ownContainer)) return () => Promise.resolve()
  if (record && (record.phase === 'both' || record.phase === 'contract')) throw new MigrationRefusedError('Nothing was changed: documents have the forms of two schemas. Run "quire migrate --finish" first.')
  if (record?.places) throw new MigrationRefusedError('Nothing was changed: gateways have written to the copied documents since then. Migrate back with the old schema instead.')
  if (record?.phase === 'switch' && record.saved !== file) throw new MigrationRefusedError(`Nothing was changed: a migration is running, and the documents that it has replaced are in ${record.saved ??  'another file'}. Undo that one, or run "quire migrate --apply" until it is done.`)
  const serving = await countRunningGateways(store, processClock)
  if (serving > 0) throw new MigrationRefusedError(`Nothing was changed: ${serving === 1 ? 'a gateway runs' : `${serving} gateways run`} on this store, and would serve documents that no longer fit its schema. Stop ${serving === 1 ? 'it' : 'them'} first.`)
  const forget = async (): Promise<void> => {
    if (!record) return
    const { etag: _, ...begun } = record
    const held = await HeldRecord.take(store, begun, () => processClock.pause(defaultSilenceMs))
    await forgetStaged(store)
    await held.remove()
  }
  if (record?.phase !== 'done') return forget
  // Now, because what it would remove is needed again from the first document on.
  await forget()
  return () => Promise.resolve()
}
