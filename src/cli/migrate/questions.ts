// Asks a person what two schemas cannot tell: whether a field was renamed, or dropped while another was added.

import type { Readable, Writable } from 'node:stream'
import { isCancel, select } from '@clack/prompts'
import { ConfigError } from '../../errors.ts'
import type { Answers, MigrationStep } from '../../evolve/migrate/plan-migration.ts'

/** The terminal, which tests replace. */
export interface Terminal {
  readonly input?: Readable
  readonly output?: Writable
}

/** The answers with those that were given; undefined if there was nothing to ask. */
export async function askForAnswers(answers: Answers, steps: readonly MigrationStep[], terminal: Terminal = {}): Promise<Answers | undefined> {
  const open = steps.filter(({ candidates }) => candidates !== undefined)
  if (open.length === 0) return undefined
  const [renamed, dropped] = [new Map(answers.renamed), new Set(answers.dropped)]
  for (const { at, candidates } of open) {
    const chosen = await select({
      ...terminal, message: `${at} is not declared any more. What happened to it?`,
      options: [...candidates!.map((name) => ({ value: name, label: `It is ${name} now`, hint: 'moves the values' })), { value: '', label: 'It is gone', hint: 'documents keep the property' }],
    })
    if (isCancel(chosen)) throw new ConfigError('Stopped at a question: nothing was changed.')
    if (chosen === '') dropped.add(at)
    else renamed.set(at, chosen)
  }
  return { ...answers, renamed, dropped }
}
