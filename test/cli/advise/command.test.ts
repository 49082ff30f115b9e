// `quire advise` as a command: from the recording of a real process to advice, mistakes in its arguments, and the
// example in the docs.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAdvise, type AdviseCliOptions } from '../../../src/cli/advise/advise.ts'
import type { ProvedAdvice } from '../../../src/cli/advise/prove-advice.ts'
import { adviceLines } from '../../../src/cli/advise/advice-text.ts'
import { readWorkload } from '../../../src/observe/workload/workload-file.ts'
import { exampleAdvice, exampleRecord, files, withExample } from './example.ts'

let folder: string
let env: NodeJS.ProcessEnv
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-advise-'))
  env = { QUIRE_STORE: `sqlite:${join(folder, 'library.db')}` }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('with the recording of a real process', () => {
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

  test('the recording is complete once the process has ended', async () => {
    const { made, relations, runs } = await readWorkload(recorded())
    expect([runs, made.operations]).toEqual([1, 2])
    expect(relations['Book.authors']).toMatchObject({ resolved: 5, covered: 5, rewritten: 3 })
  })

  test('prints JSON and writes a report to a file', async () => {
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

describe('mistakes are explained in one line', () => {
  test.each([
    ['a missing file', 'nowhere.json', undefined, /nowhere\.json.*QUIRE_RECORD=nowhere\.json/],
    ['a file that is not JSON', 'broken.json', '{"quire":"work', /broken\.json.*not JSON.*QUIRE_RECORD/],
    ['a file that is not a recording', 'else.json', '{"name":"quire"}', /else\.json.*QUIRE_RECORD/],
  ])('%s', async (_, name, content, message) => {
    if (content !== undefined) writeFileSync(join(folder, name), content)
    expect(await advise([content === undefined ? name : join(folder, name)])).toEqual({ code: 2, out: [], err: [expect.stringMatching(message)] })
  })

  test('a sample that is not a number', async () => {
    expect(await advise([files.record], { sample: 'all' })).toEqual({ code: 2, out: [], err: [expect.stringMatching(/^--sample is all.*1 to 20000/)] })
  })

  test('a missing store', async () => {
    const { code, err } = await advise([files.record], {}, { QUIRE_STORE: `sqlite:${join(folder, 'none.db')}` })
    expect({ code, err }).toEqual({ code: 2, err: [expect.stringMatching(/none\.db.*--store or QUIRE_STORE/)] })
  })

  test('a recording without operations', async () => {
    const file = join(folder, 'empty.json')
    const workload = JSON.parse(readFileSync(files.record, 'utf8')) as Record<string, unknown>
    writeFileSync(file, JSON.stringify({ ...workload, made: { operations: 0, roundTrips: 0, requestCharge: 0 }, operations: [], relations: {}, types: {} }))
    expect(await advise([file])).toEqual({ code: 0, out: [expect.stringContaining(file)], err: [] })
  })

  test('a gateway does not start if QUIRE_RECORD names another kind of file', async () => {
    const file = join(folder, 'taken.json')
    writeFileSync(file, 'mine')
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', 'start'], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env, PORT: '0', QUIRE_RECORD: file } })
    const [err, [code]] = await Promise.all([text(started.stderr), once(started, 'close')])
    expect({ code: code as unknown, err }).toEqual({ code: 2, err: expect.stringMatching(/taken\.json.*not JSON/) })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})

describe('the example in the docs', () => {
  test('its recording is what the sample gives today', async () => {
    const [kept, now] = await Promise.all([readWorkload(files.record), exampleRecord()])
    // Random partition suffixes differ in length, and so do the sizes of documents.
    const unmeasured = ({ types, ...rest }: typeof kept) => ({ ...rest, types: Object.fromEntries(Object.entries(types).map(([name, { bytes: _, ...type }]) => [name, type])) })
    expect(unmeasured(now)).toEqual(unmeasured(kept))
  })

  test('its text is what advise prints', async () => {
    const docs = readFileSync(files.docs, 'utf8')
    expect(withExample(docs, adviceLines(await exampleAdvice(await readWorkload(files.record))))).toBe(docs)
  })
})

function recorded(): string {
  return join(folder, 'recorded.json')
}

async function advise(paths: readonly string[], options: Partial<AdviseCliOptions> = {}, given: NodeJS.ProcessEnv = env): Promise<{ code: number; out: string[]; err: string[] }> {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runAdvise(paths, { sample: '200', json: false, ...options }, { env: given, print: (line) => out.push(line), printError: (line) => err.push(line), progress: () => undefined })
  return { code, out, err }
}
