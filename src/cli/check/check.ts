// `quire check`: prints the findings of a check as it finds them. evolve/check/ decides what is wrong and repairs it.

import { ConfigError } from '../../errors.ts'
import { checkAllTenants } from '../../evolve/check/check-tenants.ts'
import type { CheckOptions } from '../../evolve/check/check-store.ts'
import type { Finding } from '../../evolve/check/finding.ts'
import { compareDeclaration } from '../../evolve/declared/stored-declaration.ts'
import { lineOf, MigrationNeededError } from '../../evolve/declared/migration-errors.ts'
import { confirmAll } from '../../evolve/confirm-all.ts'
import { allFields } from '../../model/model.ts'
import { didYouMean } from '../../model/sdl/suggest-name.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { CliCommand } from '../command/command.ts'
import { runLongCommand } from '../command/long-command.ts'
import { refuseAnyMigration } from '../../store/migration/migration-phase.ts'
import { withStored } from '../command/open-stored.ts'
import { runProfile } from './profile.ts'
import { runUndo } from './undo-check.ts'
import { undoFileNow, UndoFile } from './undo-file.ts'

export const command: CliCommand = {
  settings: ['schema', 'store'],
  options: {
    '--repair': 'repair what can be repaired without losing anything',
    '--accept-loss [fields]': 'let the repair remove references to missing documents; of the fields Type.field,Type.field however many there are',
    '--save <file>': 'keep what the repair takes out in this file; default a file in the current folder, named after the time',
    '--profile': 'print what the documents look like, property by property, instead of judging them',
    '--sample <number>': 'with --profile: how many documents of each container to read; default all',
    '--undo <file>': 'put back what a repair took out, from the file that it wrote',
    '--json': 'print one JSON object per finding, and one with the totals at the end',
  },
  help: `
Finds required values that are missing, values that their type refuses, lists longer than their max, references to missing
documents, snapshots and lists that differ from their source, wrong counts, misplaced entries, and documents that are nearly
too large. Where tenants share the store it checks them one by one. You can stop it at any time, also during a repair, and
run it next to a gateway.

A repair first looks whether the schema is that of the documents. If a container is empty, or more than 1 % of the references
of a field dangle, it writes nothing and says why. Everything that it takes out goes to a file first.
Where snapshots follow through the change feed, one that the feed has not reached yet counts as different.

Exits with 0 when nothing is wrong (any more), with 1 when something is, with 2 when it cannot run, with 130 when
you stop it.

Example:
  $ quire check                           reports what is wrong, and what a repair would do
  $ quire check --repair                  repairs it
  $ quire check --repair --accept-loss    also removes references to missing documents
  $ quire check --undo FILE               puts back what a repair took out
  $ quire check --profile                 shows sizes of documents, and types, values, lengths, ids and copies of every property
  $ quire check --store sqlite:other.db   checks another store`,
  run: ({ repair = false, json = false, profile = false, ...given }: Partial<CheckCommand> & { readonly undo?: string; readonly profile?: boolean; readonly sample?: string }) => {
    if (profile) return runProfile({ ...given, json })
    return given.undo === undefined ? runCheck({ ...given, repair, json }) : runUndo(given.undo, { json })
  },
}

export interface CheckCommand {
  readonly repair: boolean
  readonly json: boolean
  /** The fields of which anything may be removed, as `Type.field,Type.field`; true for a few of any field. */
  readonly acceptLoss?: string | boolean
  readonly save?: string
}

/** Returns the exit code. */
export async function runCheck({ repair, json, acceptLoss = false, save }: CheckCommand): Promise<number> {
  const seen = { documents: 0, found: 0, repaired: 0, repairable: 0, lossy: 0 }
  const undo = new UndoFile(save ?? undoFileNow(new Date()))
  let wrongSnapshots = 0
  return runLongCommand({ json, counts: 'documents' }, (run) => withStored(process.env, async ({ declaration, store, openWith }) => {
    const options: CheckOptions = {
      repair, signal: run.signal,
      acceptLoss: typeof acceptLoss === 'string' ? readFields(acceptLoss, declaration) : acceptLoss,
      keep: (taken) => undo.keep(taken),
      onProgress({ round, documents, total }) {
        if (round === 1) seen.documents = documents
        run.progress(documents, total)
      },
    }
    const { needed } = await compareDeclaration(declaration, store, openWith)
    if (repair) await refuseAnyMigration(store)
    // A repair would make the documents fit a schema that they were not written under, by taking out what it does not find.
    if (repair && needed.length > 0) throw new MigrationNeededError(needed.map(lineOf))
    for (const each of needed) {
      seen.found++
      const finding: Finding = { kind: 'migration', at: each.at, id: '', sentence: `${lineOf(each)} Run "quire migrate".`, repair: 'impossible' }
      run.item(finding, textOf(finding))
    }
    for await (const finding of checkAllTenants(declaration, store, options)) {
      seen.found++
      if (finding.repair === 'done') seen.repaired++
      if (finding.repair === 'possible') seen.repairable++
      if (finding.repair === 'lossy') seen.lossy++
      if (finding.repair !== 'done' && (finding.kind === 'dangling' || finding.kind === 'drifted' || finding.kind === 'miscounted')) wrongSnapshots++
      run.item(finding, textOf(finding))
    }
    // A document that could not be repaired may lack what is declared.
    if (repair && wrongSnapshots === 0) await confirmAll(declaration, store)
  }), (ended) => {
    undo.close()
    const { documents, found, repaired } = seen
    const remaining = found - repaired
    const kept = undo.isUsed ? ` What was there before is in ${undo.path}: "quire check --undo ${undo.path}" puts it back.` : ''
    return {
      totals: { documents, found, repaired, remaining, ...(undo.isUsed ? { undo: undo.path } : {}) },
      summary: `${ended ? '' : `Stopped. ${repair ? 'What was repaired stays repaired' : 'Nothing was changed'}; run the same command to start again. `}${summaryOf(seen, repair)}${kept}`,
      exitCode: ended ? Number(remaining > 0) : 130,
    }
  })
}

function textOf({ kind, tenant, sentence, repair }: Finding): string {
  return `${tenant === undefined ? '' : `tenant ${JSON.stringify(tenant)}: `}${kind}: ${sentence}${repair === 'done' ? ' Done.' : ''}`
}

/** The fields that --accept-loss names. */
function readFields(given: string, { model }: Declaration): string[] {
  const known = allFields(model).map(({ coordinate }) => coordinate)
  return given.split(',').map((each) => each.trim()).filter((each) => each !== '').map((each) => {
    if (known.includes(each)) return each
    throw new ConfigError(`--accept-loss names ${each}, which is no field of the schema.${didYouMean(each, known) || ' Name fields as Type.field.'}`)
  })
}

type Seen = Readonly<Record<'documents' | 'found' | 'repaired' | 'repairable' | 'lossy', number>>

function summaryOf({ documents, found, repaired, repairable, lossy }: Seen, repair: boolean): string {
  const counted = `Checked ${documents} documents: ${found === 0 ? 'no' : found} ${found === 1 ? 'finding' : 'findings'}`
  if (found === 0) return `${counted}.`
  const accepting = lossy === 0 ? '' : ` "quire check --repair --accept-loss" fixes ${lossy === found ? (found === 1 ? 'it' : 'all of them') : `${lossy}${repairable > 0 || repaired > 0 ? ' more' : ''}`}, by removing references to missing documents.`
  if (repair) return `${counted}, ${repaired} repaired.${accepting}`
  if (repairable === 0) return `${counted}.${accepting || ' Repair can fix none of them.'}`
  return `${counted}. "quire check --repair" fixes ${repairable === found ? (found === 1 ? 'it' : 'all of them') : repairable}.${accepting}`
}
