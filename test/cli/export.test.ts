// `quire export` as a process, and `quire import` of what it wrote: what they print, their exit codes, and what is refused.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { zooFolder, zooSdl } from '../evolve/import/zoo.ts'
import { quire as runQuire, type Ran } from './quire.ts'

async function quire(folder: string, args: readonly string[], database = 'zoo.db', env: Record<string, string> = {}): Promise<Ran> {
  const ran = await runQuire(args, { cwd: folder, env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, database)}`, ...env } })
  return { ...ran, out: ran.out.map((line) => line.replace(/ \(\d+\.\d s\)/, '')) }
}

/** A folder with a schema and a store that has documents. */
async function zoo(env: Record<string, string> = {}, tenant: readonly string[] = []): Promise<string> {
  const folder = zooFolder()
  writeFileSync(join(folder, 'zoo.graphql'), zooSdl)
  expect(await quire(folder, ['import', 'zoo.json', ...tenant], 'zoo.db', env)).toMatchObject({ code: 0 })
  return folder
}

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

test('writes a file for each type and list, which import reads back without a mapping', async () => {
  const folder = await zoo()
  const ran = await quire(folder, ['export', '--out', 'out'])
  expect(ran).toMatchObject({ code: 0, err: [] })
  expect(ran.out).toEqual([
    'Cage.jsonl: 3 documents', 'Cage.visits.jsonl: 4 documents', 'House.jsonl: 2 documents', 'Keeper.jsonl: 2 documents',
    expect.stringMatching(/^Exported 11 documents to out\. .*one moment/),
  ])
  const files = filesIn(join(folder, 'out'))
  expect(Object.keys(files)).toEqual(['Cage.jsonl', 'Cage.visits.jsonl', 'House.jsonl', 'Keeper.jsonl', 'export.json'])
  expect(files['Cage.jsonl']!.split('\n').map((line) => (line === '' ? undefined : (JSON.parse(line) as { id: string }).id))).toEqual(['c1', 'c2', 'c4', undefined])
  expect(files['Cage.jsonl']).not.toContain('"_v"')
  expect(await quire(folder, ['import', 'out'], 'copy.db')).toMatchObject({ code: 0, out: ['Done: 11 documents created, 0 changed, 0 unchanged.'] })
  expect(await quire(folder, ['check'], 'copy.db')).toMatchObject({ code: 0 })
  expect(await quire(folder, ['export', '--out', 'again', '--json'], 'copy.db')).toMatchObject({ code: 0, out: { 4: expect.stringContaining('"isOneMoment":true') } })
  expect(filesIn(join(folder, 'again'))).toEqual(files)
  // Once more changes nothing; a dry run writes nothing.
  expect(await quire(folder, ['import', 'out/export.json'], 'copy.db')).toMatchObject({ code: 0, out: ['Done: 0 documents created, 0 changed, 11 unchanged.'] })
  expect(await quire(folder, ['import', 'out', '--dry-run'], 'empty.db')).toMatchObject({ code: 0, out: ['Dry run, nothing written: 11 documents created, 0 changed, 0 unchanged.'] })
})

test('exports only the types that are named', async () => {
  const folder = await zoo()
  expect(await quire(folder, ['export', '--out', 'out', '--type', 'Cage', 'House'])).toMatchObject({ code: 0 })
  expect(Object.keys(filesIn(join(folder, 'out')))).toEqual(['Cage.jsonl', 'Cage.visits.jsonl', 'House.jsonl', 'export.json'])
  expect(await quire(folder, ['export', '--out', 'other', '--type', 'Cages'])).toMatchObject({ code: 2, err: [expect.stringContaining('Did you mean Cage?')] })
  expect(existsSync(join(folder, 'other'))).toBe(false)
})

test('overwrites nothing and leaves nothing half written', async () => {
  const folder = await zoo()
  mkdirSync(join(folder, 'out'))
  writeFileSync(join(folder, 'out', 'mine.txt'), 'mine')
  expect(await quire(folder, ['export', '--out', 'out'])).toMatchObject({ code: 2, err: [expect.stringContaining('not empty')] })
  expect(filesIn(join(folder, 'out'))).toEqual({ 'mine.txt': 'mine' })
  expect(await quire(folder, ['export', '--out', 'none'], 'none.db')).toMatchObject({ code: 2 })
  expect(readdirSync(folder).filter((name) => name.includes('partial') || name === 'none')).toEqual([])
})

test('a schema that the documents do not fit exports nothing', async () => {
  const folder = await zoo()
  writeFileSync(join(folder, 'zoo.graphql'), zooSdl.replace('container: "houses"', 'container: "homes"'))
  expect(await quire(folder, ['export', '--out', 'out'])).toMatchObject({ code: 2, err: { 1: expect.stringMatching(/House .*"houses".*"homes"/) } })
  expect(existsSync(join(folder, 'out'))).toBe(false)
})

test('import names the line that is no document, the file that is cut off, and what the schema does not fit', async () => {
  const folder = await zoo()
  await quire(folder, ['export', '--out', 'out'])
  const cages = join(folder, 'out', 'Cage.jsonl')
  const before = readFileSync(cages, 'utf8')
  writeFileSync(cages, before.replace('"name":"Lions"', '"name":7').replace('{"id":"c4"', '{"id":4'))
  expect(await quire(folder, ['import', 'out'], 'copy.db')).toMatchObject({ code: 1, out: [expect.stringMatching(/^Cage\.jsonl row 1: Cage\.name of c1 .*String/), expect.stringMatching(/^Cage\.jsonl row 3: .*id/), expect.stringContaining('2 rejected')] })
  writeFileSync(cages, before.split('\n').slice(1).join('\n'))
  expect(await quire(folder, ['import', 'out'], 'other.db')).toMatchObject({ code: 2, err: [expect.stringMatching(/Cage\.jsonl has 2 documents.*3/)] })
  writeFileSync(cages, before)
  writeFileSync(join(folder, 'zoo.graphql'), zooSdl.replace('at: "houseId"', 'at: "home"'))
  expect(await quire(folder, ['import', 'out'], 'other.db')).toMatchObject({ code: 2, err: [expect.stringMatching(/Cage\.house .*"houseId".*"home".*migrate/)] })
  expect(existsSync(join(folder, 'other.db'))).toBe(false)
  expect(await quire(folder, ['import', '.'], 'other.db')).toMatchObject({ code: 2, err: [expect.stringContaining('export.json')] })
})

test('of a tenant, only its own documents', async () => {
  const env = { QUIRE_TENANTS: 'claim:tenant', QUIRE_JWT_SECRET: 'a secret of at least thirty-two characters' }
  const folder = await zoo(env, ['--tenant', 'one'])
  expect(await quire(folder, ['export', '--out', 'out'], 'zoo.db', env)).toMatchObject({ code: 2, err: [expect.stringContaining('--tenant')] })
  expect(await quire(folder, ['export', '--out', 'two', '--tenant', 'two'], 'zoo.db', env)).toMatchObject({ code: 0, out: { 4: expect.stringContaining('Exported 0 documents') } })
  expect(await quire(folder, ['export', '--out', 'out', '--tenant', 'one'], 'zoo.db', env)).toMatchObject({ code: 0, out: { 4: expect.stringContaining('Exported 11 documents') } })
  expect(await quire(folder, ['import', 'out', '--tenant', 'three'], 'zoo.db', env)).toMatchObject({ code: 0 })
  await quire(folder, ['export', '--out', 'three', '--tenant', 'three'], 'zoo.db', env)
  expect(filesIn(join(folder, 'three'))).toEqual(filesIn(join(folder, 'out')))
})
