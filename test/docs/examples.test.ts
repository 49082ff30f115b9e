// Every code block of the documentation does what the page says. examples/fences.ts has the convention for blocks.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Kind, parse, visit } from 'graphql'
import { afterAll, describe, expect, test } from 'vitest'
import { settledEnvironment } from '../../src/config/config-file.ts'
import { readConfig } from '../../src/config/config.ts'
import { problemsOf } from '../model/problems-of.ts'
import { inlineCode, pages, readFences, type Fence } from './examples/fences.ts'
import { hasOperations, openOperations } from './examples/operations.ts'
import { compilerConfigs, createProjects, fileOf, projectOf, removeProjects, schemaFolderOf } from './examples/projects.ts'
import { shownAnswer } from './examples/results.ts'
import { proseProblems, shellProblems } from './examples/shell.ts'
import { stepsOf } from './examples/steps.ts'

const fences = pages.flatMap(readFences)
const root = createProjects(fences)
afterAll(() => removeProjects(root))

const at = ({ page, line, language }: Fence): string => `${page}:${line} ${language}`
const tested = (...languages: string[]): [string, Fence][] => fences.filter(({ language, notRun, generated }) => languages.includes(language) && notRun === undefined && !generated).map((fence) => [at(fence), fence])

test('every block is one that a test knows, or says why it is not run', () => {
  const unknown = fences.filter(({ language, notRun, generated }) => !['graphql', 'json', 'csv', 'ts', 'js', 'sh'].includes(language) && notRun === undefined && !generated)
  expect(unknown.map(at)).toEqual([])
})

describe('not run', () => {
  test.each(fences.flatMap((fence) => (fence.notRun === undefined ? [] : [[at(fence), fence.notRun]])))('%s: %s', (_, reason) => {
    expect(reason.split(' ').length).toBeGreaterThan(2)
  })
})

describe('SDL can be built', () => {
  test.each(tested('graphql').filter(([, fence]) => !hasOperations(fence)))('%s', (_, { text }) => {
    expect(problemsOf(text, deriveAll(text))).toEqual([])
  })
})

describe.each(pages.filter((page) => stepsOf(fences.filter((fence) => fence.page === page)).length > 0))('operations of %s', (page) => {
  const own = fences.filter((fence) => fence.page === page)
  const operations = openOperations(schemaFolderOf(root, own))
  afterAll(() => operations.close())
  test.each(stepsOf(own).map((step) => [step.operation.line, step] as const))('line %i', async (_, step) => {
    const answer = await operations.run(step.operation, step)
    if (!step.result) return expect(answer.errors).toBeUndefined()
    const shown: unknown = JSON.parse(step.result.text)
    expect(shown).toEqual(shownAnswer(answer, shown))
  })
})

describe('JSON can be parsed, and settings are settings', () => {
  test.each(tested('json'))('%s', async (_, { text, words, file, page }) => {
    if (words.includes('documents')) return expect(() => text.trim().split(/^(?=\{)/m).forEach((document) => void JSON.parse(document))).not.toThrow()
    expect(typeof JSON.parse(text)).toBe('object')
    if (file === 'quire.config.json') readConfig(await settledEnvironment({ NODE_ENV: 'development' }, {}, projectOf(root, page)))
  })
})

test('TypeScript has no type errors, and JavaScript uses nothing that is not there', async () => {
  const checks = compilerConfigs(root).map((config) => promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config]).then(() => '', (error: { stdout: string }) => error.stdout))
  const errors = (await Promise.all(checks)).join('').split(/\n(?=\S)/).filter((error) => error !== '' && !/\.js\(.*error TS(?!2304|2305|2307|2353|18004)/.test(error))
  expect(errors).toEqual([])
})

describe('code that can run, runs', () => {
  test.each(tested('ts', 'js').filter(([, { file, words }]) => file?.endsWith('.test.ts') === true || words.includes('run')))('%s', async (_, fence) => {
    const file = fileOf(fence)!
    const run = promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', ...(file.endsWith('.test.ts') ? ['--test'] : []), file], { cwd: projectOf(root, fence.page), env: { PATH: process.env['PATH'] } })
    await expect(run.then(() => '', (error: { stdout: string; stderr: string }) => `${error.stdout}\n${error.stderr}`)).resolves.toBe('')
  })
})

describe('shell commands exist, with their options', () => {
  test.each(tested('sh'))('%s', async (_, { text, page }) => {
    expect(await shellProblems(text, projectOf(root, page))).toEqual([])
  })

  test.each(pages)('in the prose of %s', async (page) => {
    expect(await proseProblems(inlineCode(page))).toEqual([])
  })
})

/** A function for each `@derived` field. */
function deriveAll(sdl: string): Record<string, Record<string, () => null>> {
  const derive: Record<string, Record<string, () => null>> = {}
  visit(parse(sdl), {
    [Kind.OBJECT_TYPE_DEFINITION]({ name, fields = [] }) {
      for (const field of fields) if (field.directives?.some((directive) => directive.name.value === 'derived')) (derive[name.value] ??= {})[field.name.value] = () => null
    },
  })
  return derive
}

