// `quire import`: runs an import and prints which rows are refused as it meets them. What becomes of
// rows is for src/import to say.

import { dirname } from 'node:path'
import { importFiles } from '../evolve/import/import-files.ts'
import type { Refusal, Totals } from '../evolve/import/import-run.ts'
import { readMapping } from '../evolve/import/read-mapping.ts'
import { markFilled } from '../store/own-container.ts'
import { withStoredCopies } from '../evolve/stored-copies.ts'
import type { CliCommand } from './command.ts'
import { printError } from './print-error.ts'
import { checkTenant, readToFill, shareOf } from './open-stored.ts'
import { createProgressBar } from './progress-bar.ts'

export const command: CliCommand = {
  arguments: { '<mapping>': 'a JSON file that maps columns to fields' },
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
  $ quire import examples/import/sp500.json --from ~/data/sp500              imports`,
  run: ({ from, tenant, dryRun = false, strict = false, json = false }: Partial<ImportCommand>, mapping: string) =>
    runImport({ mapping, from, tenant, dryRun, strict, json }),
}

export interface ImportCommand {
  readonly mapping: string
  readonly from: string | undefined
  /** Whose the documents are to be, where tenants share the store. */
  readonly tenant: string | undefined
  readonly dryRun: boolean
  readonly strict: boolean
  readonly json: boolean
}

/** More lines than this nobody reads; programs get all of them. */
const mostLines = 100

/** Answers with the exit code. */
export async function runImport({ mapping: path, from, tenant, dryRun, strict, json }: ImportCommand): Promise<number> {
  const bar = createProgressBar(process.stderr, 'rows')
  const interrupted = new AbortController()
  // The first Ctrl-C ends it after the batch that is under way, a second one at once.
  process.once('SIGINT', () => interrupted.abort('interrupted'))
  const startMs = performance.now()
  let told = 0
  const print = (line: string) => {
    bar.clear()
    console.log(line)
  }
  const onRefusal = (refusal: Refusal) => {
    told++
    if (json) print(JSON.stringify(refusal))
    else if (told <= mostLines) print(lineOf(refusal))
    if (strict) interrupted.abort('refused')
  }
  let totals: Totals | undefined
  try {
    const { declaration, open } = await readToFill(process.env)
    checkTenant(declaration.tenants, tenant)
    const mapping = await readMapping(path, from ?? dirname(path), declaration.model)
    const store = await open()
    try {
      // Before anything else, so that no gateway adds its sample to half an import.
      if (!dryRun) {
        await markFilled(store)
        await withStoredCopies(declaration, store)
      }
      totals = await importFiles(declaration, shareOf(declaration, store, tenant), mapping, {
        dryRun, onRefusal, signal: interrupted.signal, onProgress: (done, total, what) => bar.update(done, total, what),
      })
    } finally {
      await store.close()
    }
  } catch (error) {
    bar.clear()
    if (!interrupted.signal.aborted) {
      return printError(error)
    }
  }
  if (json) print(JSON.stringify({ ...totals, ...(totals ? {} : { refused: told }), ended: totals !== undefined, dryRun }))
  else {
    if (told > mostLines) print(`… and ${told - mostLines} more.`)
    print(totals ? summaryOf(totals, dryRun, performance.now() - startMs) : 'Stopped. What is written stays; the same command goes on from there.')
  }
  if (!totals && interrupted.signal.reason !== 'refused') return 130
  return Number(told > 0)
}

function lineOf(refusal: Refusal): string {
  return `${'file' in refusal ? `${refusal.file} row ${refusal.row}` : `${refusal.type} ${refusal.id}`}: ${refusal.reason}.`
}

function summaryOf({ created, changed, unchanged, entries, lists, refused, skipped }: Totals, dryRun: boolean, elapsedMs: number): string {
  const documents = `${created} documents created, ${changed} changed, ${unchanged} as they were`
  const inLists = entries > 0 ? `, ${entries} entries in ${lists} lists` : ''
  const left = [...(skipped > 0 ? [`${skipped} rows skipped`] : []), ...(refused > 0 ? [`${refused} refused`] : [])]
  return `${dryRun ? 'This would be done' : 'Done'}: ${[documents + inLists, ...left].join(', ')} (${(elapsedMs / 1000).toFixed(1)} s).`
}
