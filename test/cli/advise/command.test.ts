// `quire advise` as a command: from a recorded run of a real process to advice, what people type wrongly,
// and the example that the docs show.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAdvise, type AdviseCommand } from '../../../src/cli/advise/advise.ts'
import type { ProvedAdvice } from '../../../src/cli/advise/advise-run.ts'
import { adviceLines } from '../../../src/cli/advise/advise-text.ts'
import { readWorkload } from '../../../src/observe/workload/workload-file.ts'
import { exampleAdvice, exampleRecord, files, withExample } from './example.ts'

let folder: string
let env: NodeJS.ProcessEnv
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-advise-'))
  env = { QUIRE_STORE: `sqlite:${join(folder, 'library.db')}` }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('over what a process has recorded', () => {
  beforeAll(async () => {
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', 'start', '--development'], {
      stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env, PORT: '0', QUIRE_RECORD: recorded() },
    })
    const [line] = (await once(started.stdout, 'data')) as [Buffer]
    const address = /http:\S+/.exec(String(line))![0]
    for (const query of ['{ books(first: 5) { nodes { name authors { name } } } }', 'mutation { updateAuthor(input: { id: "a1", firstName: "Tom" }) { author { name } } }']) {
      const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
      expect(response.status).toBe(200)
      await response.text()
    }
    const ended = once(started, 'exit')
    started.kill('SIGTERM')
    await ended
  }, 30_000)

  test('the file is there once the process has ended', async () => {
    const { made, relations, runs } = await readWorkload(recorded())
    expect([runs, made.operations]).toEqual([1, 2])
    expect(relations['Book.authors']).toMatchObject({ resolved: 5, covered: 5, rewritten: 3 })
  })

  test('advice as JSON, with a report in a file', async () => {
    const { code, out } = await advise([recorded()], { json: true, html: join(folder, 'report.html') })
    const advice = JSON.parse(out.join('\n')) as ProvedAdvice
    expect(code).toBe(0)
    expect(advice.relations.map(({ field }) => field)).toContain('Book.authors')
    expect(advice.relations.find(({ field }) => field === 'Book.authors')!.proof!.agrees).toBe(true)
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/)
  })

  test('several files add up', async () => {
    const { out } = await advise([recorded(), recorded()])
    expect(out[0]).toMatch(/in 2 runs: 4 operations/)
  })

  test('from the command line', async () => {
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', 'advise', recorded(), '--sample', '50'], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
    const [out, err, [code]] = await Promise.all([text(started.stdout), text(started.stderr), once(started, 'close')])
    expect({ code: code as unknown, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^Book\.authors: /m)
  })
})

describe('what is wrong is said in one line', () => {
  test.each([
    ['no such file', 'nowhere.json', undefined, 'There is no nowhere.json. Record one with QUIRE_RECORD=nowhere.json quire start.'],
    ['not JSON', 'broken.json', '{"quire":"work', 'broken.json is no recorded workload: it is not JSON. Record one with QUIRE_RECORD=FILE quire start.'],
    ['something else', 'else.json', '{"name":"quire"}', 'else.json is no recorded workload. Record one with QUIRE_RECORD=FILE quire start.'],
  ])('%s', async (_, name, content, message) => {
    if (content !== undefined) writeFileSync(join(folder, name), content)
    expect(await advise([content === undefined ? name : join(folder, name)])).toEqual({ code: 2, out: [], err: [message] })
  })

  test('a sample that is no number', async () => {
    expect(await advise([files.record], { sample: 'all' })).toEqual({ code: 2, out: [], err: ['--sample is all. Give a whole number from 1 to 20000.'] })
  })

  test('a store that is not there', async () => {
    const { code, err } = await advise([files.record], {}, { QUIRE_STORE: `sqlite:${join(folder, 'none.db')}` })
    expect({ code, err }).toEqual({ code: 2, err: [expect.stringMatching(/^There is no store at .*none\.db\. Name the one you mean with --store or QUIRE_STORE/)] })
  })

  test('a record in which nothing happened', async () => {
    const file = join(folder, 'empty.json')
    const workload = JSON.parse(readFileSync(files.record, 'utf8')) as Record<string, unknown>
    writeFileSync(file, JSON.stringify({ ...workload, made: { operations: 0, roundTrips: 0, requestCharge: 0 }, operations: [], relations: {}, types: {} }))
    expect(await advise([file])).toEqual({ code: 0, out: [`Nothing is recorded in ${file} yet. Let the gateway serve its usual requests for a while.`], err: [] })
  })

  test('a gateway that is to record into something else does not start', async () => {
    const file = join(folder, 'taken.json')
    writeFileSync(file, 'mine')
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', 'start'], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env, PORT: '0', QUIRE_RECORD: file } })
    const [err, [code]] = await Promise.all([text(started.stderr), once(started, 'close')])
    expect({ code: code as unknown, err }).toEqual({ code: 2, err: 'taken.json is no recorded workload: it is not JSON. Record one with QUIRE_RECORD=FILE quire start.\n' })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})

describe('the example of the docs', () => {
  test('its record is what the sample still gives', async () => {
    const [kept, now] = await Promise.all([readWorkload(files.record), exampleRecord()])
    // Where a document lands is left to chance, and its key is a little longer or shorter.
    const unmeasured = ({ types, ...rest }: typeof kept) => ({ ...rest, types: Object.fromEntries(Object.entries(types).map(([name, { bytes: _, ...type }]) => [name, type])) })
    expect(unmeasured(now)).toEqual(unmeasured(kept))
  })

  test('its figures are what advise says', async () => {
    const docs = readFileSync(files.docs, 'utf8')
    expect(withExample(docs, adviceLines(await exampleAdvice(await readWorkload(files.record))))).toBe(docs)
  })
})

function recorded(): string {
  return join(folder, 'recorded.json')
}

async function advise(paths: readonly string[], options: Partial<AdviseCommand> = {}, given: NodeJS.ProcessEnv = env): Promise<{ code: number; out: string[]; err: string[] }> {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runAdvise(paths, { sample: '200', json: false, ...options }, { env: given, print: (line) => out.push(line), printError: (line) => err.push(line), progress: () => undefined })
  return { code, out, err }
}
