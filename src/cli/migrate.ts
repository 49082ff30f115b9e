// `quire migrate`: prints what a schema needs of the stored documents, does it with --apply, and removes what is left with --finish.
// evolve/migrate/ decides and does; migrate/answers.ts reads what the command line and migrate.ts say, migrate/questions.ts asks.

import { resolve } from 'node:path'
import { readConfig } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { applyMigration, finishMigration, type ApplyOptions } from '../evolve/migrate/apply-migration.ts'
import { planMigration, type MigrationStep } from '../evolve/migrate/plan-migration.ts'
import { readRecord } from '../evolve/migrate/run/migration-record.ts'
import { hundredths } from '../store/cost-model.ts'
import type { CliCommand } from './command/command.ts'
import { undoFileNow, UndoFile } from './check/undo-file.ts'
import { runLongCommand } from './command/long-command.ts'
import { readAnswers } from './migrate/answers.ts'
import { askForAnswers } from './migrate/questions.ts'
import { stepLines } from './migrate/step-lines.ts'
import { withStoredToMigrate } from './command/open-stored.ts'

export const command: CliCommand = {
  settings: ['schema', 'store'],
  options: {
    '--apply': 'do what the plan says; gateways can go on',
    '--online': 'go on beside gateways although none is found, such as those that only read on Cosmos DB',
    '--finish': 'remove old documents that an applied migration has left',
    '--renamed <fields...>': 'fields that have another name now, as Type.old=new',
    '--dropped <fields...>': 'fields that are really gone, as Type.field',
    '--default <values...>': 'values for documents that lack a required field, as Type.field=VALUE',
    '--ru-per-second <number>': 'take at most this many request units in a second; default as many as there are',
    '--save <file>': 'keep what documents had before in this file; default a file in the current folder, named after the time',
    '--json': 'print one JSON object per step, and one with the totals at the end',
  },
  help: `
Compares the schema with the one that the stored documents were written under, and prints a line for each step that the
documents need, with what it costs and a document before and after. Nothing is changed without --apply. With it, documents
are prepared beside the old ones first: whatever is unclear, does not fit or would be lost stops everything before anything
is changed. Gateways of the old schema go on meanwhile; those of the new one begin when it is done. You can stop or kill it
at any time and run it again; with the old schema, --apply ends a migration that has not handed over yet. Documents that
have moved elsewhere stay where they were until --finish. A terminal is asked what the schemas cannot tell.

Exits with 0 when there is nothing to do (any more), with 1 when there is, with 2 when it cannot run, with 130 when you
stop it.

Example:
  $ quire migrate                                             prints the plan
  $ quire migrate --apply --renamed Post.headline=title     moves the values of a renamed field
  $ quire migrate --apply --default Post.words=0               fills in a new required field
  $ quire migrate --finish                                    removes what is not needed any more`,
  run: (given: Partial<MigrateCommand>) => runMigrate(given),
}

export interface MigrateCommand {
  readonly apply: boolean
  readonly online: boolean
  readonly finish: boolean
  readonly json: boolean
  readonly renamed: readonly string[]
  readonly dropped: readonly string[]
  readonly default: readonly string[]
  readonly ruPerSecond: string
  readonly save: string
}

/** Returns the exit code. */
export async function runMigrate(given: Partial<MigrateCommand>): Promise<number> {
  const { apply = false, online = false, finish = false, json = false, save } = given
  let undo = new UndoFile(resolve(save ?? undoFileNow(new Date())))
  let steps: readonly MigrationStep[] = []
  let isServed = false
  let [rewritten, left, removed, requestCharge]: [number, number, number, number] = [0, 0, 0, 0]
  return runLongCommand({ json, counts: 'documents' }, (run) => withStoredToMigrate(process.env, async ({ declaration, store, openWith }, open) => {
    const begun = await readRecord(store)
    if (apply && begun?.saved !== undefined && begun.phase !== 'prepare') undo = goingOnWith(begun.saved, save)
    const options: ApplyOptions = { keep: (taken) => undo.keep(taken), savedIn: undo.path, onProgress: (done, total) => run.progress(done, total), signal: run.signal, online, ruPerSecond: numberOf(given.ruPerSecond) }
    if (finish) {
      const finished = await open((opened) => finishMigration(opened.declaration, opened.store, { ...options, openWith: opened.openWith }))
      removed = finished.removed
      for (const { container, key: { id } } of finished.changed) run.item({ container, id, kept: true }, `kept: ${container} ${id} has been written since the migration.`)
      return
    }
    let answers = await readAnswers(given, readConfig(process.env).schemaFolder)
    steps = await planMigration(declaration, store, answers, openWith)
    if (!json && process.stdin.isTTY && process.stdout.isTTY) {
      const more = await askForAnswers(answers, steps)
      if (more) steps = await planMigration(declaration, store, (answers = more), openWith)
    }
    for (const step of steps) run.item(step, stepLines(step))
    const phase = begun?.phase
    left = phase === 'done' ? 1 : 0
    isServed = phase === 'both' && steps.length === 0
    if (!apply) return
    const applied = await open((opened) => applyMigration(opened.declaration, opened.store, steps, answers, { ...options, openWith: opened.openWith }))
    if (steps.length > 0) ({ rewritten, left, isServed, requestCharge } = applied)
  }), (ended) => {
    undo.close()
    const kept = undo.isUsed ? ` What was there before is in ${undo.path}.` : ''
    const done = (apply || finish) && ended
    const leftText = isServed && !finish ? ' Every document has both forms: start gateways of the new schema, and run "quire migrate --finish" when none of the old one runs.' : done && !finish && left > 0 ? ' Old documents stay where they were; "quire migrate --finish" removes them.' : ''
    return {
      totals: { steps: steps.length, rewritten, removed, applied: done, ...(apply ? { requestCharge } : {}), expected: totalOf(steps), ...(undo.isUsed ? { undo: undo.path } : {}) },
      summary: (finish && ended ? `Done: ${removed} old documents removed, or freed of their old form.` : summaryOf(steps, rewritten, apply, ended, isServed)) + leftText + kept,
      exitCode: !ended ? 130 : steps.length === 0 || done ? 0 : 1,
    }
  })
}

/** One file undoes a migration, however often it was interrupted. */
function goingOnWith(saved: string, given: string | undefined): UndoFile {
  if (given !== undefined && resolve(given) !== saved) throw new ConfigError(`This migration saves replaced documents in ${saved}. Continue with that file: leave out --save.`)
  return new UndoFile(saved, true)
}

function totalOf(steps: readonly MigrationStep[]): MigrationStep['cost'] {
  return { roundTrips: steps.reduce((sum, { cost }) => sum + cost.roundTrips, 0), requestCharge: hundredths(steps.reduce((sum, { cost }) => sum + cost.requestCharge, 0)) }
}

function summaryOf(steps: readonly MigrationStep[], rewritten: number, apply: boolean, ended: boolean, isServed: boolean): string {
  if (!ended) return 'Stopped. Run the same command to continue.'
  if (steps.length === 0) return 'The stored documents fit the schema: nothing to do.'
  if (apply) return `Done: ${rewritten} documents rewritten.${isServed ? '' : ' The stored documents fit the schema.'}`
  const { roundTrips, requestCharge } = totalOf(steps)
  const cost = roundTrips > 0 ? ` About ${roundTrips} round trips and ${requestCharge} RU (estimated).` : ''
  return `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}.${cost} ${steps.some(({ does }) => does === 'stop') ? 'Steps that begin with "stop" need an answer first.' : 'Run it again with --apply. Gateways can go on.'}`
}

function numberOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const number = Number(given)
  if (!(number > 0)) throw new ConfigError(`--ru-per-second is ${JSON.stringify(given)}. Give a number above 0.`)
  return number
}
