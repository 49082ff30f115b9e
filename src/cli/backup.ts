// `quire backup`: copies an embedded store into a file. The adapter of the store does it.

import { readConfig } from '../config/config.ts'
import type { CliCommand } from './command/command.ts'
import { runLongCommand } from './command/long-command.ts'
import { embedded } from './command/open-stored.ts'

export const command: CliCommand = {
  arguments: { '<file>': 'the file to write; it must not exist' },
  settings: ['store'],
  options: { '--json': 'print one JSON object at the end' },
  help: `
Gateways can serve and write meanwhile: the backup has all documents as they were at one moment, and everything that Quire keeps
with them. SQLite has checked it, and it is on the disk, before it gets its name. "quire restore" puts it back.

Exits with 0 when the backup is written, with 2 when it cannot be, with 130 when you stop it.

Example:
  $ quire backup backups/monday.db
  $ quire restore backups/monday.db --replace`,
  run: ({ json = false }: { readonly json?: boolean }, file: string) => runBackup(file, json),
}

/** Returns the exit code. */
export async function runBackup(file: string, json: boolean): Promise<number> {
  const startMs = performance.now()
  let bytes: number | undefined
  return runLongCommand({ json, counts: 'pages' }, async (run) => {
    const { setting, backups } = embedded(readConfig(process.env), 'Back up', true)
    bytes = await backups.backup(setting, file, { signal: run.signal, onProgress: (done, total) => run.progress(done, total) })
  }, () => ({
    totals: bytes === undefined ? {} : { file, bytes },
    summary: bytes === undefined ? 'Stopped. No backup was written.' : `Backed up to ${file}: ${bytes} bytes, checked (${((performance.now() - startMs) / 1000).toFixed(1)} s).`,
    exitCode: bytes === undefined ? 130 : 0,
  }))
}
