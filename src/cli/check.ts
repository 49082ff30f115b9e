// `quire check`: runs a check and prints what it finds as it finds it. What is wrong, and how it is
// repaired, is for src/check to say.

import { checkAllTenants } from '../evolve/check/check-tenants.ts'
import type { Progress } from '../evolve/check/check-store.ts'
import type { Finding } from '../evolve/check/finding.ts'
import { confirmCopies } from '../evolve/stored-copies.ts'
import type { CliCommand } from './command.ts'
import { printError } from './print-error.ts'
import { openStored } from './open-stored.ts'
import { createProgressBar } from './progress-bar.ts'

export const command: CliCommand = {
  settings: ['schema', 'store'],
  options: {
    '--repair': 'repair what can be repaired',
    '--json': 'print one JSON object per finding, and one with the totals at the end',
  },
  help: `
Finds references to missing documents, snapshots and lists that differ from their source, wrong counts, misplaced
entries, and documents that are nearly too large. Where tenants share the store it checks them one by one.
You can stop it at any time, also during a repair, and run it next to a gateway.
Where snapshots follow through the change feed, one that the feed has not reached yet counts as different.

Exits with 0 when nothing is wrong (any more), with 1 when something is, with 2 when it cannot run, with 130 when
you stop it.

Example:
  $ quire check                           reports what is wrong, and what a repair would do
  $ quire check --repair                  repairs it
  $ quire check --store sqlite:other.db   checks another store`,
  run: ({ repair = false, json = false }: Partial<CheckCommand>) => runCheck({ repair, json }),
}

export interface CheckCommand {
  readonly repair: boolean
  readonly json: boolean
}

/** More lines than this nobody reads; programs get all of them. */
const mostLines = 100

/** Answers with the exit code. */
export async function runCheck({ repair, json }: CheckCommand): Promise<number> {
  const bar = createProgressBar(process.stderr, 'documents')
  const interrupted = new AbortController()
  // The first Ctrl-C ends it after the chunk that is under way, a second one at once.
  process.once('SIGINT', () => interrupted.abort())
  const seen = { documents: 0, found: 0, repaired: 0, repairable: 0 }
  const onProgress = ({ round, documents, total }: Progress) => {
    if (round === 1) seen.documents = documents
    bar.update(documents, total)
  }
  const print = (line: string) => {
    bar.clear()
    console.log(line)
  }
  try {
    const { declaration, store } = await openStored(process.env)
    try {
      for await (const finding of checkAllTenants(declaration, store, { repair, onProgress, signal: interrupted.signal })) {
        seen.found++
        if (finding.repair === 'done') seen.repaired++
        if (finding.repair === 'possible') seen.repairable++
        if (json) print(JSON.stringify(finding))
        else if (seen.found <= mostLines) print(lineOf(finding))
      }
      if (repair) await confirmCopies(declaration, store)
    } finally {
      await store.close()
    }
  } catch (error) {
    bar.clear()
    if (!interrupted.signal.aborted) {
      return printError(error)
    }
  }
  const remaining = seen.found - seen.repaired
  const ended = !interrupted.signal.aborted
  if (json) print(JSON.stringify({ documents: seen.documents, found: seen.found, repaired: seen.repaired, remaining, ended }))
  else {
    if (seen.found > mostLines) print(`… and ${seen.found - mostLines} more.`)
    print(ended ? summaryOf(seen, repair) : `Stopped. ${repair ? 'What is mended stays' : 'Nothing was changed'}; the same command begins again. ${summaryOf(seen, repair)}`)
  }
  return ended ? Number(remaining > 0) : 130
}

function lineOf({ kind, tenant, sentence, repair }: Finding): string {
  return `${tenant === undefined ? '' : `tenant ${JSON.stringify(tenant)}: `}${kind}: ${sentence}${repair === 'done' ? ' Done.' : ''}`
}

function summaryOf({ documents, found, repaired, repairable }: { documents: number; found: number; repaired: number; repairable: number }, repair: boolean): string {
  if (found === 0) return `Checked ${documents} documents: all is as it is declared.`
  const counted = `Checked ${documents} documents: ${found} ${found === 1 ? 'finding' : 'findings'}`
  if (repair) return `${counted}, ${repaired} repaired.`
  return `${counted}. ${repairable > 0 ? `"quire check --repair" mends ${repairable === found ? (found === 1 ? 'it' : 'all of them') : repairable}.` : 'Repair can mend none.'}`
}
