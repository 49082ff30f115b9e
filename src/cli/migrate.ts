// `quire migrate`: prints what a schema needs of the stored documents, and does it with --apply. evolve/migrate/ decides and does.

import { ConfigError } from '../errors.ts'
import { applyMigration } from '../evolve/migrate/apply-migration.ts'
import { planMigration, type Answers, type MigrationStep } from '../evolve/migrate/plan-migration.ts'
import type { Json } from '../model/json/json.ts'
import type { CliCommand } from './command.ts'
import { undoFileNow, UndoFile } from './check/undo-file.ts'
import { runLongCommand } from './long-command.ts'
import { withStored } from './open-stored.ts'

export const command: CliCommand = {
  settings: ['schema', 'store'],
  options: {
    '--apply': 'do what the plan says; stop gateways that serve the old schema first',
    '--renamed <fields...>': 'fields that have another name now, as Type.old=new',
    '--dropped <fields...>': 'fields that are really gone, as Type.field',
    '--default <values...>': 'values for documents that lack a required field, as Type.field=VALUE',
    '--save <file>': 'keep what documents had before in this file; default a file in the current folder, named after the time',
    '--json': 'print one JSON object per step, and one with the totals at the end',
  },
  help: `
Compares the schema with the one that the stored documents were written under, and prints a line for each step that the
documents need. Nothing is changed without --apply. With it, a step that is unclear or not possible stops everything before
anything is written. You can stop it at any time and run it again; "quire check --undo FILE" puts documents back.

Exits with 0 when there is nothing to do (any more), with 1 when there is, with 2 when it cannot run, with 130 when you
stop it.

Example:
  $ quire migrate                                             prints the plan
  $ quire migrate --apply --renamed Post.headline=title     moves the values of a renamed field
  $ quire migrate --apply --default Post.words=0               fills in a new required field`,
  run: (given: Partial<MigrateCommand>) => runMigrate(given),
}

export interface MigrateCommand {
  readonly apply: boolean
  readonly json: boolean
  readonly renamed: readonly string[]
  readonly dropped: readonly string[]
  readonly default: readonly string[]
  readonly save: string
}

/** Returns the exit code. */
export async function runMigrate({ apply = false, json = false, renamed = [], dropped = [], default: defaults = [], save }: Partial<MigrateCommand>): Promise<number> {
  const undo = new UndoFile(save ?? undoFileNow(new Date()))
  let [steps, rewritten]: [readonly MigrationStep[], number] = [[], 0]
  return runLongCommand({ json, counts: 'documents' }, (run) => withStored(process.env, async ({ declaration, store, openWith }) => {
    const answers: Answers = {
      renamed: new Map(renamed.map((each) => pairOf('--renamed', each))),
      dropped: new Set(dropped),
      defaults: new Map(defaults.map((each) => pairOf('--default', each)).map(([at, text]) => [at, valueOf(text)])),
    }
    steps = await planMigration(declaration, store, answers, openWith)
    for (const { at, sentence, action: { does }, documents } of steps) run.item({ at, does, documents, sentence }, `${does}: ${sentence}${documents > 0 ? ` ${documents} documents.` : ''}`)
    if (!apply || steps.length === 0) return
    rewritten = await applyMigration(declaration, store, steps, { keep: (taken) => undo.keep(taken), onProgress: (done, total) => run.progress(done, total), signal: run.signal })
  }), (ended) => {
    undo.close()
    const kept = undo.isUsed ? ` What was there before is in ${undo.path}.` : ''
    const done = apply && ended
    return {
      totals: { steps: steps.length, rewritten, applied: done, ...(undo.isUsed ? { undo: undo.path } : {}) },
      summary: summaryOf(steps, rewritten, apply, ended) + kept,
      exitCode: !ended ? 130 : steps.length === 0 || done ? 0 : 1,
    }
  })
}

function summaryOf(steps: readonly MigrationStep[], rewritten: number, apply: boolean, ended: boolean): string {
  if (!ended) return 'Stopped; run the same command to go on.'
  if (steps.length === 0) return 'The stored documents fit the schema: nothing to do.'
  if (apply) return `Done: ${rewritten} documents rewritten. The stored documents fit the schema.`
  return `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}. ${steps.some(({ action }) => action.does === 'stop') ? 'Steps that begin with "stop" need an answer first.' : 'Stop the gateways, and run it again with --apply.'}`
}

function pairOf(option: string, given: string): [at: string, value: string] {
  const [, at, value] = /^(\w+\.\w+)=(.*)$/s.exec(given) ?? []
  if (at === undefined || value === undefined) throw new ConfigError(`${option} is ${JSON.stringify(given)}. Write Type.field=${option === '--renamed' ? 'new' : 'VALUE'}.`)
  return [at, value]
}

/** JSON, or plain text. */
function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
