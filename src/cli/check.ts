// `quire check`: prints the findings of a check as it finds them. evolve/check/ decides what is wrong and repairs it.

import { checkAllTenants } from '../evolve/check/check-tenants.ts'
import type { CheckOptions } from '../evolve/check/check-store.ts'
import type { Finding } from '../evolve/check/finding.ts'
import { confirmSnapshots } from '../evolve/stored-snapshots.ts'
import type { CliCommand } from './command.ts'
import { runLongCommand } from './long-command.ts'
import { withStored } from './open-stored.ts'

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

/** Returns the exit code. */
export async function runCheck({ repair, json }: CheckCommand): Promise<number> {
  const seen = { documents: 0, found: 0, repaired: 0, repairable: 0 }
  return runLongCommand({ json, counts: 'documents' }, (run) => withStored(process.env, async ({ declaration, store }) => {
    const options: CheckOptions = {
      repair, signal: run.signal,
      onProgress({ round, documents, total }) {
        if (round === 1) seen.documents = documents
        run.progress(documents, total)
      },
    }
    for await (const finding of checkAllTenants(declaration, store, options)) {
      seen.found++
      if (finding.repair === 'done') seen.repaired++
      if (finding.repair === 'possible') seen.repairable++
      run.item(finding, lineOf(finding))
    }
    if (repair) await confirmSnapshots(declaration, store)
  }), (ended) => {
    const { documents, found, repaired } = seen
    const remaining = found - repaired
    return {
      totals: { documents, found, repaired, remaining },
      summary: ended ? summaryOf(seen, repair) : `Stopped. ${repair ? 'What was repaired stays repaired' : 'Nothing was changed'}; run the same command to start again. ${summaryOf(seen, repair)}`,
      exitCode: ended ? Number(remaining > 0) : 130,
    }
  })
}

function lineOf({ kind, tenant, sentence, repair }: Finding): string {
  return `${tenant === undefined ? '' : `tenant ${JSON.stringify(tenant)}: `}${kind}: ${sentence}${repair === 'done' ? ' Done.' : ''}`
}

function summaryOf({ documents, found, repaired, repairable }: { documents: number; found: number; repaired: number; repairable: number }, repair: boolean): string {
  const counted = `Checked ${documents} documents: ${found === 0 ? 'no' : found} ${found === 1 ? 'finding' : 'findings'}`
  if (found === 0) return `${counted}.`
  if (repair) return `${counted}, ${repaired} repaired.`
  if (repairable === 0) return `${counted}. Repair can fix none of them.`
  return `${counted}. "quire check --repair" fixes ${repairable === found ? (found === 1 ? 'it' : 'all of them') : repairable}.`
}
