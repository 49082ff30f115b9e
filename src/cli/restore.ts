// `quire restore`: puts a backup in the place of an embedded store. The adapter of the store does it; nothing of the gateways that ran
// when the backup was made is kept.

import { readConfig } from '../config/config.ts'
import { forgetGateways } from '../feed/mode/registered-gateways.ts'
import { releaseLeases } from '../feed/leases.ts'
import { openStore } from '../store/open-store.ts'
import { beginHistory, ownLayout } from '../store/own-container.ts'
import type { CliCommand } from './command/command.ts'
import { runLongCommand } from './command/long-command.ts'
import { embedded } from './command/open-stored.ts'

export const command: CliCommand = {
  arguments: { '<file>': 'a file that "quire backup" wrote' },
  settings: ['store'],
  options: { '--replace': 'also over a store that has documents', '--json': 'print one JSON object at the end' },
  help: `
Stop the gateways first: it refuses a store that another process has open. The old store is kept beside the new one, and the line at
the end says where. The file of the backup stays as it is.

Exits with 0 when the store is restored, with 2 when it is not; then nothing has changed.

Example:
  $ quire restore backups/monday.db              into a store that is new or empty
  $ quire restore backups/monday.db --replace    over one that has documents`,
  run: ({ replace = false, json = false }: { readonly replace?: boolean; readonly json?: boolean }, file: string) => runRestore(file, { replace, json }),
}

/** Returns the exit code. */
export async function runRestore(file: string, { replace, json }: { readonly replace: boolean; readonly json: boolean }): Promise<number> {
  let kept: string | undefined
  return runLongCommand({ json, counts: 'pages' }, async (run) => {
    const { setting, backups } = embedded(readConfig(process.env), 'Restore', false)
    kept = await backups.restore(setting, file, {
      replace,
      onProgress: (done, total) => run.progress(done, total),
      async prepare(copy) {
        const store = await openStore(copy, [ownLayout])
        try {
          // They do not run on this copy.
          await forgetGateways(store)
          await releaseLeases(store)
          await beginHistory(store)
        } finally {
          await store.close()
        }
      },
    })
  }, () => ({
    totals: { file, ...(kept === undefined ? {} : { kept }) },
    summary: `Restored from ${file}.${kept === undefined ? '' : ` The old store is kept in ${kept}.`}`,
    exitCode: 0,
  }))
}
