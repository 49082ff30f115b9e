// `quire migrate` as a process, and `quire start` over documents that do not fit the schema; beside gateways, which answer its questions within
// a second each, in migrate.slow.test.ts.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { quire as runQuire, type Ran } from './quire.ts'

const sdl = 'type Cage @document(container: "cages") { id: ID! label: String! places: Int }'

let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-migrate-'))
  save(sdl)
  writeFileSync(join(folder, 'cages.csv'), 'id,label,places\nc1,One,1\nc2,Two,2\n')
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify({ documents: [{ file: 'cages.csv', type: 'Cage', id: 'id', fields: { label: 'label', places: 'places' } }] }))
  expect(await quire('import', join(folder, 'mapping.json'), '--from', folder)).toMatchObject({ code: 0 })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const save = (schema: string): void => writeFileSync(join(folder, 'zoo.graphql'), schema)

function quire(...args: string[]): Promise<Ran> {
  return runQuire(args, { cwd: folder, env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}`, PORT: '0' } })
}

test('nothing to do: exit code 0', async () => {
  expect(await quire('migrate')).toEqual({ code: 0, out: ['The stored documents fit the schema: nothing to do.'], err: [] })
})

test('a plan with an unclear step: exit code 1, and 2 with --apply; with the answer it is done, and can be undone', async () => {
  save(sdl.replace('label', 'name'))
  expect(await quire('start')).toMatchObject({ code: 2, out: [], err: [expect.stringContaining('do not fit'), expect.stringMatching(/Cage\.label .*name is new/), expect.stringMatching(/Cage\.name .*lack it/), expect.stringContaining('quire migrate')] })
  expect(await quire('migrate')).toMatchObject({ code: 1, out: [expect.stringMatching(/^stop: Cage\.label .*--renamed Cage\.label=NEW/), expect.stringMatching(/^stop: Cage\.name .*--default Cage\.name=VALUE/), expect.stringContaining('2 steps')], err: [] })
  expect(await quire('migrate', '--apply')).toMatchObject({ code: 2, err: [expect.stringContaining('Nothing was changed'), expect.any(String), expect.any(String)] })
  expect(await quire('migrate', '--json', '--renamed', 'Cage.label=name')).toMatchObject({ code: 1, out: [expect.stringMatching(/"does":"rewrite".*"documents":2,"cost":\{"roundTrips":\d+,.*"reversible":true,"online":true,"example":\{"before":\{"label":"One".*"after":\[.*"name":"One"/), expect.stringContaining('"steps":1')] })
  const file = join(folder, 'taken.jsonl')
  expect(await quire('migrate', '--apply', '--renamed', 'Cage.label=name', '--save', file)).toMatchObject({ code: 0, out: [expect.stringMatching(/^rewrite: .*2 documents\. About/), expect.stringMatching(/before: .*"label"/), expect.stringMatching(/after: .*"name"/), expect.stringContaining('2 documents rewritten')] })
  expect(await quire('migrate')).toMatchObject({ code: 0 })
  expect(await quire('check')).toMatchObject({ code: 0 })
  expect(await quire('check', '--undo', file)).toMatchObject({ code: 0, out: ['Restored 3 documents.'] })
  // The declaration, too: the old schema fits again, and the new one does not.
  expect(await quire('migrate')).toMatchObject({ code: 1 })
  save(sdl)
  expect(await quire('check')).toMatchObject({ code: 0 })
})

test('documents in another container: no import or repair goes on, they are migrated, and what is left is removed', async () => {
  save(sdl.replace('"cages"', '"pens"'))
  const line = /Cage .*"cages".*"pens"/
  expect(await quire('start')).toMatchObject({ code: 2, out: [], err: [expect.any(String), expect.stringMatching(line), expect.stringContaining('quire migrate')] })
  expect(await quire('migrate')).toMatchObject({ code: 1, out: [expect.stringMatching(line), expect.any(String), expect.any(String), expect.stringMatching(/1 step\. About \d+ round trips/)] })
  expect(await quire('check')).toMatchObject({ code: 1, out: [expect.stringMatching(line), expect.any(String)] })
  expect(await quire('check', '--repair')).toMatchObject({ code: 2, err: [expect.any(String), expect.stringMatching(line), expect.any(String)] })
  expect(await quire('import', join(folder, 'mapping.json'), '--from', folder)).toMatchObject({ code: 2, err: [expect.any(String), expect.stringMatching(line), expect.any(String)] })
  expect(await quire('migrate', '--finish')).toMatchObject({ code: 0, out: [expect.stringContaining('0 old documents removed')] })
  expect(await quire('migrate', '--apply', '--ru-per-second', '100000', '--save', join(folder, 'taken.jsonl'))).toMatchObject({ code: 0, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringMatching(/2 documents rewritten.*--finish/)] })
  expect(await quire('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
  // The way back needs the old documents to be gone.
  save(sdl)
  expect(await quire('migrate', '--apply')).toMatchObject({ code: 2, err: [expect.stringContaining('--finish')] })
  save(sdl.replace('"cages"', '"pens"'))
  expect(await quire('migrate', '--finish', '--save', join(folder, 'finished.jsonl'))).toMatchObject({ code: 0, out: [expect.stringContaining('2 old documents removed')] })
  save(sdl)
  expect(await quire('migrate', '--apply', '--save', join(folder, 'back.jsonl'))).toMatchObject({ code: 0 })
  expect(await quire('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
})

test('a function in migrate.ts gives the value of a new required field', async () => {
  save(sdl.replace('places: Int', 'places: Int size: String!'))
  writeFileSync(join(folder, 'migrate.ts'), 'export const migrate = { Cage: { size: ({ places }: { places: number }) => (places > 1 ? "large" : "small") } }')
  expect(await quire('migrate', '--apply', '--save', join(folder, 'taken.jsonl'))).toMatchObject({ code: 0 })
  expect(await quire('check')).toMatchObject({ code: 0 })
  writeFileSync(join(folder, 'migrate.ts'), 'export const migrate = { Cage: { depth: () => "deep" } }')
  save(sdl.replace('places: Int', 'places: Int size: String! depth: Int!'))
  expect(await quire('migrate', '--apply')).toMatchObject({ code: 2, err: [expect.stringContaining('Nothing was changed'), expect.stringMatching(/Cage c1.*"deep", which is no Int/), expect.any(String)] })
})

test('an option that cannot be read is one line', async () => {
  expect(await quire('migrate', '--renamed', 'label')).toMatchObject({ code: 2, err: [expect.stringContaining('Type.field=new')] })
})
