// `quire check` as a process: what it prints, where, and what its exit code says.

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
import { linesOf, quire as runQuire, startQuire, type Ran, type Surroundings } from './quire.ts'

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

function surroundings(env: Record<string, string> = {}): Surroundings {
  return { env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}`, ...env } }
}

function quire(args: readonly string[], env?: Record<string, string>): Promise<Ran> {
  return runQuire(args, surroundings(env))
}

/** Fills the store. */
async function keep(cages: readonly Body[], keepers: readonly Body[]): Promise<void> {
  const store = await openSqliteStore(join(folder, 'zoo.db'), readDeclaration(readSdl(sdl)).layout)
  await store.write([...cages.map((body) => putOf('cages', body)), ...keepers.map((body) => putOf('keepers', body))])
  await store.close()
}

/** Every document as it is stored, without its version. */
async function bodies(): Promise<Body[]> {
  const store = await openSqliteStore(join(folder, 'zoo.db'), readDeclaration(readSdl(sdl)).layout)
  const all = await Promise.all(['cages', 'keepers'].map(async (container) => store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 1000 })))
  await store.close()
  return all.flat().map(({ body: { _v, ...body } }) => body)
}

function putOf(container: string, body: Body): Write {
  return { kind: 'put', container, key: { partition: [String(body['id'])], id: String(body['id']) }, body }
}

// The lines are the product, so they are pinned here; other tests look for the facts in them.
const miscounted = 'miscounted: Keeper.countOfCages of k is 3, expected 1. Repair writes 1.'
const dangling = 'dangling: Cage.keeper of c references Keeper gone, which does not exist. Repair with --accept-loss sets it to null.'
const required = 'dangling: Cage.second of d references Keeper gone, which does not exist. Repair cannot remove it: the field is required. Restore Keeper gone, or reference another one.'

describe('findings', () => {
  test('none: one line, no progress bar, exit code 0', async () => {
    await keep([{ id: 'c', keeperId: 'k', secondId: 'k' }], [{ id: 'k', countOfCages: 1 }])
    expect(await quire(['check'])).toEqual({ code: 0, out: ['Checked 2 documents: no findings.'], err: [] })
  })

  test('two: a line each with what a repair does, exit code 1; after the repair 0', async () => {
    await keep([{ id: 'c', keeperId: 'gone', secondId: 'k' }, { id: 'd', keeperId: 'k', secondId: 'k' }], [{ id: 'k', countOfCages: 3 }])
    expect(await quire(['check'])).toEqual({
      code: 1, out: [dangling, miscounted, 'Checked 3 documents: 2 findings. "quire check --repair" fixes 1. "quire check --repair --accept-loss" fixes 1 more, by removing references to missing documents.'], err: [],
    })
    // Half of these references dangle, which is suspicious.
    expect(await quire(['check', '--repair', '--accept-loss'])).toMatchObject({ code: 2, out: [], err: [expect.stringContaining('Nothing was repaired'), expect.stringContaining('quire check --repair --accept-loss Cage.keeper')] })
    expect(await quire(['check', '--repair', '--accept-loss', 'Cage.keper'])).toMatchObject({ code: 2, err: [expect.stringContaining('Did you mean Cage.keeper?')] })
    const before = await bodies()
    const file = join(folder, 'taken.jsonl')
    expect(await quire(['check', '--repair', '--accept-loss', 'Cage.keeper', '--save', file])).toEqual({
      code: 0, out: [`${dangling} Done.`, `${miscounted} Done.`, `Checked 3 documents: 2 findings, 2 repaired. What was there before is in ${file}: "quire check --undo ${file}" puts it back.`], err: [],
    })
    expect(await quire(['check'])).toMatchObject({ code: 0 })
    expect(await quire(['check', '--undo', file])).toEqual({ code: 0, out: ['Restored 2 documents.'], err: [] })
    expect(await bodies()).toEqual(before)
    expect(await quire(['check', '--undo', file])).toEqual({ code: 0, out: ['Restored 0 documents, 2 were as before.'], err: [] })
  })

  test('of a renamed container: nothing is written, and a line says what to do', async () => {
    await keep(Array.from({ length: 300 }, (_, number) => ({ id: `c${number}`, keeperId: `k${number % 7}`, secondId: 'k0' })), Array.from({ length: 7 }, (_, number) => ({ id: `k${number}` })))
    expect(await quire(['check', '--repair', '--save', join(folder, 'counted.jsonl')])).toMatchObject({ code: 0 })
    const before = await bodies()
    writeFileSync(join(folder, 'zoo.graphql'), sdl.replace('"keepers"', '"wardens"'))
    for (const options of [[], ['--accept-loss']]) {
      expect(await quire(['check', '--repair', ...options])).toEqual({
        code: 2, out: [],
        err: [expect.stringContaining('do not fit'), expect.stringMatching(/Keeper .*"keepers".*"wardens"/), expect.stringContaining('quire migrate')],
      })
    }
    expect(await bodies()).toEqual(before)
    writeFileSync(join(folder, 'zoo.graphql'), sdl)
    expect(await quire(['check'])).toMatchObject({ code: 0 })
  })

  test('one that cannot be repaired stays, and the exit code stays 1', async () => {
    await keep([{ id: 'd', secondId: 'gone' }, { id: 'e', keeperId: 'k', secondId: 'k' }], [{ id: 'k', countOfCages: 3 }])
    expect(await quire(['check'])).toMatchObject({ out: [required, miscounted, 'Checked 3 documents: 2 findings. "quire check --repair" fixes 1.'] })
    const repair = ['check', '--repair', '--accept-loss', 'Cage.second', '--save', join(folder, 'taken.jsonl')]
    expect(await quire(repair)).toMatchObject({ code: 1, out: [required, `${miscounted} Done.`, expect.stringContaining('Checked 3 documents: 2 findings, 1 repaired. ')] })
    expect(await quire(repair)).toMatchObject({ code: 1, out: [required, 'Checked 3 documents: 1 finding, 0 repaired.'] })
    expect(await quire(['check'])).toMatchObject({ code: 1, out: [required, 'Checked 3 documents: 1 finding. Repair can fix none of them.'] })
  })

  test('as JSON: one object per finding, and the totals', async () => {
    await keep([{ id: 'd', secondId: 'gone' }, { id: 'e', keeperId: 'k', secondId: 'k' }], [{ id: 'k', countOfCages: 3 }])
    const file = join(folder, 'taken.jsonl')
    const { code, out } = await quire(['check', '--json', '--repair', '--accept-loss', 'Cage.second', '--save', file])
    expect(code).toBe(1)
    expect(out.map((line) => JSON.parse(line) as unknown)).toEqual([
      { kind: 'dangling', at: 'Cage.second', id: 'd', sentence: required.replace('dangling: ', ''), repair: 'impossible' },
      { kind: 'miscounted', at: 'Keeper.countOfCages', id: 'k', sentence: miscounted.replace('miscounted: ', ''), repair: 'done' },
      { documents: 3, found: 2, repaired: 1, remaining: 1, undo: file, ended: true },
    ])
  })

  test('more than a hundred: the first hundred lines, and how many more; as JSON all of them', async () => {
    await keep([], Array.from({ length: 130 }, (_, number) => ({ id: `k${number}`, countOfCages: 1 })))
    const { out } = await quire(['check'])
    expect(out.slice(99)).toEqual([
      expect.stringContaining('miscounted: '), '… and 30 more.', 'Checked 130 documents: 130 findings. "quire check --repair" fixes all of them.',
    ])
    expect((await quire(['check', '--json'])).out).toHaveLength(131)
  })

  test('of the shipped library: none in the sample that the first start wrote, next to a running gateway', async () => {
    const env = { QUIRE_SCHEMA: '', PORT: '0' }
    const started = startQuire(['start', '--development'], surroundings(env))
    await once(started.stdout!, 'data')
    expect(await quire(['check'], env)).toMatchObject({ code: 0, err: [] })
    const closed = once(started, 'close')
    started.kill('SIGTERM')
    await closed
  })
})

describe('an error is one line and exit code 2', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['the store is missing', {}, /zoo\.db.* QUIRE_STORE/],
    ['the store is in memory, which is always empty', { QUIRE_STORE: 'memory' }, /memory.* sqlite:PATH/],
    ['a setting is wrong', { PORT: 'x' }, /PORT.* "x".* 65535/],
  ])('%s', async (_, env, line) => {
    expect(await quire(['check'], env)).toEqual({ code: 2, out: [], err: [expect.stringMatching(line)] })
  })

  test('the store is not a database', async () => {
    writeFileSync(join(folder, 'zoo.db'), 'This is not a database, and it is longer than the header of one.'.repeat(20))
    expect(await quire(['check'])).toEqual({ code: 2, out: [], err: [expect.stringMatching(/zoo\.db .*SQLite database/)] })
  })

  test('the schema is wrong', async () => {
    writeFileSync(join(folder, 'zoo.graphql'), 'type Cage @document(container: "cages") { label: String! }')
    expect(await quire(['check'])).toEqual({ code: 2, out: [], err: [expect.stringContaining('schema'), expect.stringMatching(/zoo\.graphql:1:6: .*Cage.* id: ID!/)] })
  })

  test('a command that does not exist, with a hint', async () => {
    expect(await quire(['chekc'])).toEqual({ code: 2, out: [], err: ["error: unknown command 'chekc'", '(Did you mean check?)', 'Run "quire --help" to see every command.'] })
  })

  test('an option that does not exist, with a hint', async () => {
    expect(await quire(['check', '--repiar'])).toEqual({ code: 2, out: [], err: ["error: unknown option '--repiar'", '(Did you mean --repair?)', 'Run "quire --help" to see every command.'] })
  })
})

describe('--profile', () => {
  test('prints what each property looks like, and judges nothing', async () => {
    await keep([{ id: 'c1', secondId: 'k1' }, { id: 'c2', keeperId: 'k9', secondId: 'k1' }], [{ id: 'k1', countOfCages: 7 }])
    const { code, out, err } = await quire(['check', '--profile'])
    expect([code, err]).toEqual([0, []])
    expect(out).toContain('cages')
    expect(out[out.indexOf('cages') + 1]).toMatch(/^ {2}2 documents; bytes: median \d+, 95 % \d+, max \d+; \d+ % of the largest is (id|keeperId|secondId)$/)
    expect(out.find((line) => line.startsWith('  secondId'))).toMatch(/string; in all 2; 1 distinct; .*; ids in keepers: 1 of 1$/)
    expect(out.find((line) => line.startsWith('  keeperId'))).toContain('string; in 1 of 2; 1 distinct')
    expect(out.at(-1)).toBe('Read 3 documents.')
  })

  test('--json prints an object per type and property, and --sample reads some documents', async () => {
    await keep(Array.from({ length: 30 }, (_, at) => ({ id: `c${at}`, secondId: 'k1' })), [{ id: 'k1', countOfCages: 0 }])
    const { code, out } = await quire(['check', '--profile', '--json', '--sample', '10'])
    expect(code).toBe(0)
    expect(out.map((line) => JSON.parse(line) as unknown)).toContainEqual({ container: 'cages', property: 'secondId', holders: 10, present: 10, nulls: 0, types: { string: 10 }, distinct: 1, longest: 2, idsIn: { container: 'keepers', lookedUp: 1, found: 1 } })
    expect(JSON.parse(out.at(-1)!)).toEqual({ documents: 11, ended: true })
    expect(await quire(['check', '--profile', '--sample', '0'])).toMatchObject({ code: 2 })
  })
})

test.each([[['--help'], ' check '], [['check', '--help'], '$ quire check --repair'], [['start', '--help'], '$ PORT=8080 quire start']])('%j explains commands with examples', async (args, taught) => {
  const { code, out, err } = await quire(args)
  expect({ code, err }).toEqual({ code: 0, err: [] })
  expect(out.join('\n')).toContain(taught)
})

test('Ctrl-C ends it soon, and what was repaired stays repaired', async () => {
  await keep([], Array.from({ length: 20_000 }, (_, number) => ({ id: `k${number}`, countOfCages: 1, text: 'x'.repeat(500) })))
  // Another cage keeps its count, so that the keepers are not all miscounted for want of cages.
  await keep([{ id: 'c', secondId: 'k0' }], [])
  const started = startQuire(['check', '--repair', '--json', '--save', join(folder, 'taken.jsonl')], surroundings())
  const out = text(started.stdout!)
  started.stdout!.once('data', () => started.kill('SIGINT'))
  const [code] = (await once(started, 'close')) as unknown[]
  const totals = JSON.parse(linesOf(await out).at(-1)!) as { repaired: number; ended: boolean }
  expect({ code, ended: totals.ended }).toEqual({ code: 130, ended: false })
  expect(totals.repaired).toBeGreaterThan(0)
  expect(totals.repaired).toBeLessThan(20_000)
  const { out: rest } = await quire(['check'])
  expect(rest.at(-1)).toBe(`Checked 20001 documents: ${20_000 - totals.repaired} findings. "quire check --repair" fixes all of them.`)
})
