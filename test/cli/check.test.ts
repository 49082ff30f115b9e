// `quire check` as a process: what it prints, where, and what its exit code says.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { readSdl } from '../../src/model/sdl/read-sdl.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Write } from '../../src/store/store.ts'

const sdl = `
  type Cage @document(container: "cages") { id: ID! keeper: Keeper @reference(at: "keeperId") second: Keeper! @reference(at: "secondId") }
  type Keeper @document(container: "keepers") { id: ID! cages: CageConnection! @reverse(of: "Cage.keeper") countOfCages: Int! @counted(relation: "cages") }
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-check-'))
  writeFileSync(join(folder, 'zoo.graphql'), sdl)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Ran {
  readonly code: unknown
  readonly out: readonly string[]
  readonly err: readonly string[]
}

async function quire(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', ...args], {
    env: { ...process.env, QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(started.stdout), text(started.stderr), once(started, 'close')])
  return { code: code as unknown, out: linesOf(out), err: linesOf(err) }
}

/** Fills the store. */
async function keep(cages: readonly Body[], keepers: readonly Body[]): Promise<void> {
  const store = await openSqliteStore(join(folder, 'zoo.db'), readDeclaration(readSdl(sdl)).layout)
  await store.write([...cages.map((body) => putOf('cages', body)), ...keepers.map((body) => putOf('keepers', body))])
  await store.close()
}

function putOf(container: string, body: Body): Write {
  return { kind: 'put', container, key: { partition: [String(body['id'])], id: String(body['id']) }, body }
}

function linesOf(printed: string): string[] {
  return printed.split('\n').filter((line) => line !== '')
}

const miscounted = 'miscounted: Keeper.countOfCages of k says 3, and it is 1. Repair writes 1.'
const dangling = 'dangling: Cage.keeper of c points at Keeper gone, which does not exist. Repair empties it.'
const required = 'dangling: Cage.second of d points at Keeper gone, which does not exist. It may not be empty, so repair leaves it: restore gone, or point at another Keeper.'

describe('what it finds', () => {
  test('nothing: one line, nothing about progress, and 0', async () => {
    await keep([{ id: 'c', keeperId: 'k', secondId: 'k' }], [{ id: 'k', countOfCages: 1 }])
    expect(await quire(['check'])).toEqual({ code: 0, out: ['Checked 2 documents: all is as it is declared.'], err: [] })
  })

  test('something: a line each, what repair could do, and 1; then it is repaired, and 0', async () => {
    await keep([{ id: 'c', keeperId: 'gone', secondId: 'k' }, { id: 'd', keeperId: 'k', secondId: 'k' }], [{ id: 'k', countOfCages: 3 }])
    expect(await quire(['check'])).toEqual({
      code: 1, out: [dangling, miscounted, 'Checked 3 documents: 2 findings. "quire check --repair" mends all of them.'], err: [],
    })
    expect(await quire(['check', '--repair'])).toEqual({ code: 0, out: [`${dangling} Done.`, `${miscounted} Done.`, 'Checked 3 documents: 2 findings, 2 repaired.'], err: [] })
    expect(await quire(['check'])).toMatchObject({ code: 0 })
  })

  test('what cannot be repaired stays, and so does 1', async () => {
    await keep([{ id: 'd', secondId: 'gone' }, { id: 'e', keeperId: 'k', secondId: 'k' }], [{ id: 'k', countOfCages: 3 }])
    expect(await quire(['check'])).toMatchObject({ out: [required, miscounted, 'Checked 3 documents: 2 findings. "quire check --repair" mends 1.'] })
    expect(await quire(['check', '--repair'])).toMatchObject({ code: 1, out: [required, `${miscounted} Done.`, 'Checked 3 documents: 2 findings, 1 repaired.'] })
    expect(await quire(['check', '--repair'])).toMatchObject({ code: 1, out: [required, 'Checked 3 documents: 1 finding, 0 repaired.'] })
    expect(await quire(['check'])).toMatchObject({ code: 1, out: [required, 'Checked 3 documents: 1 finding. Repair can mend none.'] })
  })

  test('as JSON: one object per finding, and the totals', async () => {
    await keep([{ id: 'd', secondId: 'gone' }, { id: 'e', keeperId: 'k', secondId: 'k' }], [{ id: 'k', countOfCages: 3 }])
    const { code, out } = await quire(['check', '--json', '--repair'])
    expect(code).toBe(1)
    expect(out.map((line) => JSON.parse(line) as unknown)).toEqual([
      { kind: 'dangling', at: 'Cage.second', id: 'd', sentence: required.replace('dangling: ', ''), repair: 'impossible' },
      { kind: 'miscounted', at: 'Keeper.countOfCages', id: 'k', sentence: miscounted.replace('miscounted: ', ''), repair: 'done' },
      { documents: 3, found: 2, repaired: 1, remaining: 1, ended: true },
    ])
  })

  test('more than a hundred: the first hundred, and how many more; as JSON all of them', async () => {
    await keep([], Array.from({ length: 130 }, (_, number) => ({ id: `k${number}`, countOfCages: 1 })))
    const { out } = await quire(['check'])
    expect(out.slice(99)).toEqual([
      expect.stringContaining('miscounted: '), '… and 30 more.', 'Checked 130 documents: 130 findings. "quire check --repair" mends all of them.',
    ])
    expect((await quire(['check', '--json'])).out).toHaveLength(131)
  })

  test('of the shipped library: the sample that the first start wrote', async () => {
    const env = { QUIRE_SCHEMA: '', PORT: '0' }
    const started = spawn(process.execPath, ['bin/quire.js', 'start', '--development'], { env: { ...process.env, ...env, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}` }, stdio: ['ignore', 'pipe', 'ignore'] })
    await once(started.stdout, 'data')
    // Beside a gateway that is running.
    expect(await quire(['check'], env)).toMatchObject({ code: 0, err: [] })
    const closed = once(started, 'close')
    started.kill('SIGTERM')
    await closed
  })
})

describe('what it cannot do is said in a line, and 2', () => {
  test.each<[string, Record<string, string>, () => string]>([
    ['there is no store', {}, () => `There is no store at ${join(folder, 'zoo.db')}. Name the one you mean with --store or QUIRE_STORE, or make this one with "quire start".`],
    ['the store is empty by nature', { QUIRE_STORE: 'memory' }, () => 'The store is memory, which is empty whenever a command starts. Write sqlite:PATH.'],
    ['a setting is wrong', { PORT: 'x' }, () => 'PORT is "x". Give a number from 0 to 65535.'],
  ])('%s', async (_, env, line) => {
    expect(await quire(['check'], env)).toEqual({ code: 2, out: [], err: [line()] })
  })

  test('the store is no store', async () => {
    writeFileSync(join(folder, 'zoo.db'), 'This is not a database, and it is longer than the header of one.'.repeat(20))
    expect(await quire(['check'])).toEqual({ code: 2, out: [], err: [`${join(folder, 'zoo.db')} is not a SQLite database. Name another file as the store, or move this one away.`] })
  })

  test('the schema is wrong', async () => {
    writeFileSync(join(folder, 'zoo.graphql'), 'type Cage @document(container: "cages") { label: String! }')
    expect(await quire(['check'])).toEqual({ code: 2, out: [], err: ['The schema cannot be served:', '  - zoo.graphql:1:6: Cage is a document type, so it needs the field id: ID!.'] })
  })

  test('a command that does not exist, with a hint', async () => {
    expect(await quire(['chekc'])).toEqual({ code: 2, out: [], err: ["error: unknown command 'chekc'", '(Did you mean check?)', 'Run "quire --help" to see every command.'] })
  })

  test('an option that does not exist, with a hint', async () => {
    expect(await quire(['check', '--repiar'])).toEqual({ code: 2, out: [], err: ["error: unknown option '--repiar'", '(Did you mean --repair?)', 'Run "quire --help" to see every command.'] })
  })
})

test.each([[['--help'], 'check [options]'], [['check', '--help'], '$ quire check --repair'], [['start', '--help'], '$ PORT=8080 quire start']])('%j teaches', async (args, taught) => {
  const { code, out, err } = await quire(args)
  expect({ code, err }).toEqual({ code: 0, err: [] })
  expect(out.join('\n')).toContain(taught)
})

test('Ctrl-C ends it soon, and what was repaired stays repaired', async () => {
  await keep([], Array.from({ length: 20_000 }, (_, number) => ({ id: `k${number}`, countOfCages: 1, text: 'x'.repeat(500) })))
  const started = spawn(process.execPath, ['bin/quire.js', 'check', '--repair', '--json'], {
    env: { ...process.env, QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}` }, stdio: ['ignore', 'pipe', 'ignore'],
  })
  const out = text(started.stdout)
  started.stdout.once('data', () => started.kill('SIGINT'))
  const [code] = (await once(started, 'close')) as unknown[]
  const totals = JSON.parse(linesOf(await out).at(-1)!) as { repaired: number; ended: boolean }
  expect({ code, ended: totals.ended }).toEqual({ code: 130, ended: false })
  expect(totals.repaired).toBeGreaterThan(0)
  expect(totals.repaired).toBeLessThan(20_000)
  const { out: rest } = await quire(['check'])
  expect(rest.at(-1)).toBe(`Checked 20000 documents: ${20_000 - totals.repaired} findings. "quire check --repair" mends all of them.`)
})
