// `quire import`: prints rejected rows as it meets them. evolve/import/ turns the other rows into documents.

import { dirname } from 'node:path'
import { isExport, readExport } from '../evolve/import/exported/read-export.ts'
import { importFiles } from '../evolve/import/import-files.ts'
import type { Rejection, Totals } from '../evolve/import/import-run.ts'
import { readMapping } from '../evolve/import/mapping/read-mapping.ts'
import type { CliCommand } from './command/command.ts'
import { runLongCommand } from './command/long-command.ts'
import { readToFill } from './command/open-stored.ts'

export const command: CliCommand = {
  arguments: { '<mapping>': 'a JSON file that maps columns to fields, or a folder that "quire export" made' },
  settings: ['schema', 'store'],
  options: {
    '--from <folder>': 'where the files of the mapping are (default: the folder of the mapping)',
    '--tenant <name>': 'the tenant that gets the documents, where tenants share the store',
    '--dry-run': 'check everything and write nothing',
    '--strict': 'stop at the first rejected row',
    '--json': 'print one JSON object per rejected row, and one with the totals at the end',
  },
  help: `
Updates documents that exist, so importing twice changes nothing the second time. Snapshots, lists and counts are
computed for all documents, and a rejected row does not stop the others. You can stop it at any time: run again, it
reaches the same result. Rows are numbered as in a spreadsheet; the header is row 1. docs/import.md explains mappings.

Exits with 0 when every row was imported, with 1 when some were rejected, with 2 when it cannot run, with 130 when
you stop it.

Example:
  $ quire import examples/import/sp500.json --from ~/data/sp500 --dry-run    reports what it would do
  $ quire import examples/import/sp500.json --from ~/data/sp500              imports
  $ quire import backup --store sqlite:copy.db                               reads an export back`,
  run: ({ from, tenant, dryRun = false, strict = false, json = false }: Partial<ImportCommand>, mapping: string) =>
    runImport({ mapping, from, tenant, dryRun, strict, json }),
}

export interface ImportCommand {
  readonly mapping: string
  readonly from: string | undefined
  /** The tenant that owns the documents, where tenants share the store. */
  readonly tenant: string | undefined
  readonly dryRun: boolean
  readonly strict: boolean
  readonly json: boolean
}

/** Returns the exit code. */
export async function runImport({ mapping: path, from, tenant, dryRun, strict, json }: ImportCommand): Promise<number> {
  const startMs = performance.now()
  let refused = 0
  let totals: Totals | undefined
  return runLongCommand({ json, counts: 'rows' }, async (run) => {
    const onRejection = (rejection: Rejection): void => {
      refused++
      run.item(rejection, lineOf(rejection))
      if (strict) run.stop()
    }
    const { declaration, fill } = await readToFill(process.env, tenant)
    const mappingFor = (placed: typeof declaration) => (isExport(path) ? readExport(path, placed) : readMapping(path, from ?? dirname(path), placed.model))
    const mapping = await mappingFor(declaration)
    await fill(async (store, placed) => {
      totals = await importFiles(placed, store, placed === declaration ? mapping : await mappingFor(placed), { dryRun, onRejection, signal: run.signal, onProgress: (done, total, what) => run.progress(done, total, what) })
    }, { dryRun })
  }, (ended) => ({
    totals: { ...(totals ?? { refused }), dryRun },
    summary: totals ? summaryOf(totals, dryRun, performance.now() - startMs) : 'Stopped. What was written stays; run the same command to continue.',
    exitCode: ended || (strict && refused > 0) ? Number(refused > 0) : 130,
  }))
}

function lineOf(rejection: Rejection): string {
  return `${'file' in rejection ? `${rejection.file} row ${rejection.row}` : `${rejection.type} ${rejection.id}`}: ${rejection.reason}.`
}

function summaryOf({ created, changed, unchanged, entries, lists, refused, skipped }: Totals, dryRun: boolean, elapsedMs: number): string {
  const documents = `${created} documents created, ${changed} changed, ${unchanged} unchanged`
  const inLists = entries > 0 ? `, ${entries} entries in ${lists} lists` : ''
  const notImported = [...(skipped > 0 ? [`${skipped} rows skipped`] : []), ...(refused > 0 ? [`${refused} rejected`] : [])]
  return `${dryRun ? 'Dry run, nothing written' : 'Done'}: ${[documents + inLists, ...notImported].join(', ')} (${(elapsedMs / 1000).toFixed(1)} s).`
}
