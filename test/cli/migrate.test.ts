// `quire migrate` as a process, and `quire start` over documents that do not fit the schema; beside gateways, which answer its questions within
// a second each, in migrate.slow.test.ts.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migratedZoo, sdl } from './migrated-zoo.ts'

const zoo = migratedZoo()

test('nothing to do: exit code 0', async () => {
  expect(await zoo.quire('migrate')).toEqual({ code: 0, out: ['The stored documents fit the schema: nothing to do.'], err: [] })
})

test('a plan with an unclear step: exit code 1, and 2 with --apply; with the answer it is done, and can be undone', async () => {
  zoo.save(sdl.replace('label', 'name'))
  expect(await zoo.quire('start')).toMatchObject({ code: 2, out: [], err: [expect.stringContaining('do not fit'), expect.stringMatching(/Cage\.label .*name is new/), expect.stringMatching(/Cage\.name .*lack it/), expect.stringContaining('quire migrate')] })
  expect(await zoo.quire('migrate')).toMatchObject({ code: 1, out: [expect.stringMatching(/^stop: Cage\.label .*--renamed Cage\.label=NEW/), expect.stringMatching(/^stop: Cage\.name .*--default Cage\.name=VALUE/), expect.stringContaining('2 steps')], err: [] })
  expect(await zoo.quire('migrate', '--apply')).toMatchObject({ code: 2, err: [expect.stringContaining('Nothing was changed'), expect.any(String), expect.any(String)] })
  expect(await zoo.quire('migrate', '--json', '--renamed', 'Cage.label=name')).toMatchObject({ code: 1, out: [expect.stringMatching(/"does":"rewrite".*"documents":2,"cost":\{"roundTrips":\d+,.*"reversible":true,"online":true,"example":\{"before":\{"label":"One".*"after":\[.*"name":"One"/), expect.stringContaining('"steps":1')] })
  const file = join(zoo.folder, 'taken.jsonl')
  expect(await zoo.quire('migrate', '--apply', '--renamed', 'Cage.label=name', '--save', file)).toMatchObject({ code: 0, out: [expect.stringMatching(/^rewrite: .*2 documents\. About/), expect.stringMatching(/before: .*"label"/), expect.stringMatching(/after: .*"name"/), expect.stringContaining('2 documents rewritten')] })
  expect(await zoo.quire('migrate')).toMatchObject({ code: 0 })
  expect(await zoo.quire('check')).toMatchObject({ code: 0 })
  expect(await zoo.quire('check', '--undo', file)).toMatchObject({ code: 0, out: ['Restored 3 documents.'] })
  // The declaration, too: the old schema fits again, and the new one does not.
  expect(await zoo.quire('migrate')).toMatchObject({ code: 1 })
  zoo.save(sdl)
  expect(await zoo.quire('check')).toMatchObject({ code: 0 })
})

test('documents in another container: no import or repair goes on, they are migrated, and what is left is removed', async () => {
  zoo.save(sdl.replace('"cages"', '"pens"'))
  const line = /Cage .*"cages".*"pens"/
  expect(await zoo.quire('start')).toMatchObject({ code: 2, out: [], err: [expect.any(String), expect.stringMatching(line), expect.stringContaining('quire migrate')] })
  expect(await zoo.quire('migrate')).toMatchObject({ code: 1, out: [expect.stringMatching(line), expect.any(String), expect.any(String), expect.stringMatching(/1 step\. About \d+ round trips/)] })
  expect(await zoo.quire('check')).toMatchObject({ code: 1, out: [expect.stringMatching(line), expect.any(String)] })
  expect(await zoo.quire('check', '--repair')).toMatchObject({ code: 2, err: [expect.any(String), expect.stringMatching(line), expect.any(String)] })
  expect(await zoo.quire('import', join(zoo.folder, 'mapping.json'), '--from', zoo.folder)).toMatchObject({ code: 2, err: [expect.any(String), expect.stringMatching(line), expect.any(String)] })
  expect(await zoo.quire('migrate', '--finish')).toMatchObject({ code: 0, out: [expect.stringContaining('0 old documents removed')] })
  expect(await zoo.quire('migrate', '--apply', '--ru-per-second', '100000', '--save', join(zoo.folder, 'taken.jsonl'))).toMatchObject({ code: 0, out: [expect.any(String), expect.any(String), expect.any(String), expect.stringMatching(/2 documents rewritten.*--finish/)] })
  expect(await zoo.quire('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
  // The way back needs the old documents to be gone.
  zoo.save(sdl)
  expect(await zoo.quire('migrate', '--apply')).toMatchObject({ code: 2, err: [expect.stringContaining('--finish')] })
  zoo.save(sdl.replace('"cages"', '"pens"'))
  expect(await zoo.quire('migrate', '--finish', '--save', join(zoo.folder, 'finished.jsonl'))).toMatchObject({ code: 0, out: [expect.stringContaining('2 old documents removed')] })
  zoo.save(sdl)
  expect(await zoo.quire('migrate', '--apply', '--save', join(zoo.folder, 'back.jsonl'))).toMatchObject({ code: 0 })
  expect(await zoo.quire('check')).toMatchObject({ code: 0, out: ['Checked 2 documents: no findings.'] })
})

test('a function in migrate.ts gives the value of a new required field', async () => {
  zoo.save(sdl.replace('places: Int', 'places: Int size: String!'))
  writeFileSync(join(zoo.folder, 'migrate.ts'), 'export const migrate = { Cage: { size: ({ places }: { places: number }) => (places > 1 ? "large" : "small") } }')
  expect(await zoo.quire('migrate', '--apply', '--save', join(zoo.folder, 'taken.jsonl'))).toMatchObject({ code: 0 })
  expect(await zoo.quire('check')).toMatchObject({ code: 0 })
  writeFileSync(join(zoo.folder, 'migrate.ts'), 'export const migrate = { Cage: { depth: () => "deep" } }')
  zoo.save(sdl.replace('places: Int', 'places: Int size: String! depth: Int!'))
  expect(await zoo.quire('migrate', '--apply')).toMatchObject({ code: 2, err: [expect.stringContaining('Nothing was changed'), expect.stringMatching(/Cage c1.*"deep", which is no Int/), expect.any(String)] })
})

test('an option that cannot be read is one line', async () => {
  expect(await zoo.quire('migrate', '--renamed', 'label')).toMatchObject({ code: 2, err: [expect.stringContaining('Type.field=new')] })
})
