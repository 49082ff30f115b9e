// `quire import` as a process: what it prints, its exit codes, and that it can be killed and run again.

import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentPages } from '../../src/evolve/check/document-pages.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { zooFolder, zooSdl } from '../evolve/import/zoo.ts'
import { quire as runQuire, startQuire, type Ran, type Surroundings } from './quire.ts'

function surroundings(folder: string, database = 'zoo.db'): Surroundings {
  return { env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, database)}` } }
}

/** The lines without how long it took. */
async function quire(folder: string, args: readonly string[], database?: string): Promise<Ran> {
  const ran = await runQuire(args, surroundings(folder, database))
  return { ...ran, out: ran.out.map((line) => line.replace(/ \(\d+\.\d s\)\.$/, '.')) }
}

function folderWith(files: Record<string, string> = {}): { folder: string; mapping: string } {
  const folder = zooFolder(files)
  writeFileSync(join(folder, 'zoo.graphql'), zooSdl)
  return { folder, mapping: join(folder, 'zoo.json') }
}

/** Cages enough that an import has many batches; row 17 is bad. */
function manyCages(count: number): Record<string, string> {
  const cages = Array.from({ length: count }, (_, cage) => `c${cage},Cage ${cage},,${cage === 15 ? 'abc' : 2000},,,,${cage % 8 === 0 ? 'keeper one' : ''},House ${cage % 7}`)
  const visits = Array.from({ length: count * 3 }, (_, visit) => `c${(visit * 7) % count},${visit},${visit % 11}`)
  return { 'cages.csv': `no,name,size,year,state,tags,place,keeper,house\n${cages.join('\n')}`, 'visits.csv': `cage,visitor,mark\n${visits.join('\n')}` }
}

async function contentsOf(file: string): Promise<Map<string, string>> {
  const store = await openSqliteStore(file, readDeclaration(zooSdl).layout)
  const bodies = new Map<string, string>()
  for (const container of ['keepers', 'houses', 'cages']) {
    for await (const page of documentPages(store, { container })) {
      for (const { key, body } of page) bodies.set(`${container}/${key.id}`, JSON.stringify(body, (name, value: unknown) => (name === '_v' || name === '_c' ? undefined : value)))
    }
  }
  await store.close()
  return bodies
}

test('creates the store and prints totals; a second import changes nothing', async () => {
  const { folder, mapping } = folderWith()
  expect(await quire(folder, ['import', mapping])).toEqual({ code: 0, err: [], out: ['Done: 7 documents created, 0 changed, 0 unchanged, 14 entries in 2 lists, 2 rows skipped.'] })
  expect(await quire(folder, ['import', mapping])).toEqual({ code: 0, err: [], out: ['Done: 0 documents created, 0 changed, 7 unchanged, 14 entries in 2 lists, 2 rows skipped.'] })
  expect(await quire(folder, ['check'])).toEqual({ code: 0, err: [], out: ['Checked 11 documents: no findings.'] })
})

test('a rejected row 17 is printed, with exit code 1; in a dry run too, which writes nothing', async () => {
  const { folder, mapping } = folderWith({ ...manyCages(30), 'visits.csv': 'cage,visitor,mark' })
  const rejected: unknown = expect.stringMatching(/^cages\.csv row 17: year .*"abc".* number/)
  expect(await quire(folder, ['import', mapping, '--dry-run'])).toEqual({ code: 1, err: [], out: [rejected, 'Dry run, nothing written: 38 documents created, 0 changed, 0 unchanged, 1 rejected.'] })
  expect((await contentsOf(join(folder, 'zoo.db'))).size).toBe(0)
  expect(await quire(folder, ['import', mapping])).toMatchObject({ code: 1, out: [rejected, 'Done: 38 documents created, 0 changed, 0 unchanged, 1 rejected.'] })
})

test('--json prints an object per rejected row, and the totals', async () => {
  const { folder, mapping } = folderWith({ ...manyCages(30), 'visits.csv': 'cage,visitor,mark' })
  const { code, out } = await quire(folder, ['import', mapping, '--json'])
  expect(code).toBe(1)
  expect(out.map((line) => JSON.parse(line) as unknown)).toEqual([
    { file: 'cages.csv', row: 17, reason: expect.stringMatching(/year .*"abc"/) },
    expect.objectContaining({ created: 38, refused: 1, ended: true, dryRun: false }),
  ])
})

test('--strict stops at the first bad row', async () => {
  const { folder, mapping } = folderWith(manyCages(5000))
  const { code, out } = await quire(folder, ['import', mapping, '--strict'])
  expect({ code, out }).toEqual({ code: 1, out: [expect.stringMatching(/^cages\.csv row 17: /), expect.stringMatching(/^Stopped\./)] })
})

test('a mistake in the mapping exits with 2, and no store is created', async () => {
  const { folder } = folderWith({ 'bad.json': '{ "documents": [{ "type": "Cge" }] }' })
  expect(await quire(folder, ['import', join(folder, 'bad.json')])).toEqual({ code: 2, out: [], err: [expect.stringMatching(/^bad\.json:1:\d+: documents\[0\]\.type: .*Cge.*Did you mean Cage/)] })
  expect(existsSync(join(folder, 'zoo.db'))).toBe(false)
})

test('stopped half-way and run again, it ends with the same documents', async () => {
  const { folder, mapping } = folderWith(manyCages(2000))
  const ending = startQuire(['import', mapping, '--json'], surroundings(folder))
  // The rejected row is printed when its batch has been written.
  ending.stdout!.once('data', () => ending.kill('SIGKILL'))
  await once(ending, 'close')
  const half = await contentsOf(join(folder, 'zoo.db'))
  expect((await quire(folder, ['import', mapping])).code).toBe(1)
  expect((await quire(folder, ['import', mapping], 'whole.db')).code).toBe(1)
  const whole = await contentsOf(join(folder, 'whole.db'))
  expect(half).not.toEqual(whole)
  expect(await contentsOf(join(folder, 'zoo.db'))).toEqual(whole)
  expect(await quire(folder, ['check'])).toMatchObject({ code: 0 })
}, 60_000)

test('help explains it', async () => {
  const { folder } = folderWith()
  const { code, out } = await quire(folder, ['import', '--help'])
  expect(code).toBe(0)
  expect(out.join('\n')).toContain('--dry-run')
})
