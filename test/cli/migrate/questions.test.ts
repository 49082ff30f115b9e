// What a person is asked in a terminal, and what each answer means.

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { askForAnswers } from '../../../src/cli/migrate/questions.ts'
import { ConfigError } from '../../../src/errors.ts'
import type { Answers, MigrationStep } from '../../../src/evolve/migrate/plan-migration.ts'

const given: Answers = { renamed: new Map([['Book.year', 'published']]), dropped: new Set(), defaults: new Map() }

function step(at: string, candidates?: readonly string[]): MigrationStep {
  return { at, does: candidates ? 'stop' : 'rewrite', sentence: '', documents: 1, cost: { roundTrips: 0, requestCharge: 0 }, reversible: true, online: true, ...(candidates ? { candidates } : {}) }
}

/** Types these keys as soon as the question is there. */
function terminalThat(...keys: readonly string[]): { input: PassThrough; output: PassThrough; shown: () => string } {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let text = ''
  output.on('data', (chunk: Buffer) => {
    const isFirst = text === ''
    text += chunk.toString()
    if (isFirst) setImmediate(() => keys.forEach((key) => input.write(key)))
  })
  return { input, output, shown: () => text }
}

const [enter, down, cancel] = ['\r', '\u001B[B', '\u0003']

test('nothing is asked where nothing is open', async () => {
  expect(await askForAnswers(given, [step('Book.title')])).toBeUndefined()
})

test('a field became another one, and what was given before stays', async () => {
  const terminal = terminalThat(enter)
  const answers = await askForAnswers(given, [step('Book.title', ['headline', 'name']), step('Book.pages')], terminal)
  expect([...answers!.renamed]).toEqual([['Book.year', 'published'], ['Book.title', 'headline']])
  expect([...answers!.dropped]).toEqual([])
  expect(terminal.shown()).toContain('Book.title is not declared any more. What happened to it?')
  expect(terminal.shown()).toContain('It is headline now')
})

test('a field is gone', async () => {
  const answers = await askForAnswers(given, [step('Book.title', ['headline'])], terminalThat(down, enter))
  expect([[...answers!.renamed], [...answers!.dropped]]).toEqual([[['Book.year', 'published']], ['Book.title']])
})

test('a question that is cancelled changes nothing', async () => {
  await expect(askForAnswers(given, [step('Book.title', ['headline'])], terminalThat(cancel))).rejects.toThrow(new ConfigError('Stopped at a question: nothing was changed.'))
})
