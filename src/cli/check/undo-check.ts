// `quire check --undo FILE`: puts back what a repair took out, and says what it could not put back.

import { resolve } from 'node:path'
import type { CheckCommand } from './check.ts'
import { runLongCommand } from '../command/long-command.ts'
import { withStored } from '../command/open-stored.ts'
import { beginUndo } from '../../evolve/migrate/undo-migration.ts'
import { undoRepair } from '../../evolve/check/repair/undo-repair.ts'
import { readUndoFile } from './undo-file.ts'

/** Returns the exit code: 1 if something has changed since and stays. */
export async function runUndo(file: string, { json }: Pick<CheckCommand, 'json'>): Promise<number> {
  const seen = { restored: 0, before: 0, changed: 0 }
  return runLongCommand({ json, counts: 'documents' }, (run) => withStored(process.env, async ({ declaration, store }) => {
    const taken = readUndoFile(file)
    const end = await beginUndo(declaration, store, resolve(file), taken)
    for await (const { taken: { tenant, container, id }, outcome } of undoRepair(store, taken)) {
      seen[outcome]++
      run.progress(seen.restored + seen.before + seen.changed, taken.length)
      if (outcome === 'changed') run.item({ tenant, container, id, outcome }, `${tenant === undefined ? '' : `tenant ${JSON.stringify(tenant)}: `}${id} in ${container} has changed since the repair and stays as it is.`)
      run.signal.throwIfAborted()
    }
    if (seen.changed === 0) await end()
  }), (ended) => ({
    totals: seen,
    summary: `${ended ? '' : 'Stopped. Run the same command to continue. '}Restored ${seen.restored} documents${seen.before > 0 ? `, ${seen.before} were as before` : ''}${seen.changed > 0 ? `, ${seen.changed} have changed since` : ''}.`,
    exitCode: ended ? Number(seen.changed > 0) : 130,
  }))
}
