// Problems of a mapping name the file, the place in it and what to write.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { readMapping } from '../../../src/evolve/import/mapping/read-mapping.ts'
import { rowsOf } from '../../../src/evolve/import/rows/rows.ts'
import { textWith } from '../check/journal.ts'
import { zooFolder, zooMapping, zooSdl } from './zoo.ts'

const { model } = readDeclaration(zooSdl)
const house = { type: 'House', file: 'cages.csv', id: 'no', fields: { name: 'house' } }
const visits = zooMapping.entries[0]!

async function problemsOf(mapping: unknown): Promise<string[]> {
  return problemsOfText(JSON.stringify(mapping)).then((all) => all.map((each) => each.replace(/^zoo\.json:\d+:\d+: /, 'zoo.json: ')))
}

/** With lines and columns. */
async function problemsOfText(text: string): Promise<string[]> {
  const folder = zooFolder({ 'own.json': text })
  return readMapping(join(folder, 'own.json'), folder, model).then(() => [], (error: Error) => error.message.replaceAll(folder, 'DIR').replaceAll('own.json', 'zoo.json').split('\n'))
}

test('a good one has no problems', async () => {
  expect(await problemsOf(zooMapping)).toEqual([])
})

test.each<[string, unknown, string[]]>([
  ['an unknown type', { documents: [{ ...house, type: 'Hose' }] }, ['documents[0].type: … Hose … Did you mean House?']],
  ['an unknown field', { documents: [{ ...house, fields: { name: 'house', nam: 'house' } }] }, ['documents[0].fields.nam: … House … nam … Did you mean name?']],
  ['an unknown column', { documents: [{ ...house, fields: { name: 'hause' } }] }, ['documents[0].fields.name: … cages.csv … hause … Did you mean house?']],
  ['a file that is not there', { documents: [{ ...house, file: 'houses.csv' }] }, ['documents[0].file: … houses.csv … DIR … --from']],
  ['a field that Quire computes', { documents: [{ ...house, fields: { name: 'house', countOfCages: 'no' } }] }, ['documents[0].fields.countOfCages: … House.countOfCages … computed']],
  ['a bucketed list among the fields', { documents: [{ type: 'Cage', file: 'cages.csv', id: 'no', fields: { name: 'name', visits: 'no' } }] }, ['documents[0].fields.visits: … Cage.visits … "entries" … "list": "Cage.visits"']],
  ['a field that every document needs', { documents: [{ ...house, fields: {} }] }, ['documents[0].fields: … House … name … "value"']],
  ['no id', { documents: [{ ...house, id: undefined }] }, ['documents[0].id: … "slug" … "hash" … "text"']],
  ['an unknown property', { documents: [{ ...house, feilds: {} }] }, ['documents[0]: … "feilds" … Did you mean fields?']],
  ['the name of a reference in mutations', { documents: [{ type: 'Keeper', file: 'cages.csv', id: 'no', fields: { name: 'name', bossId: 'keeper' } }] }, ['documents[0].fields.bossId: … Keeper … bossId … calls it boss']],
  ['the name of a stored property', { documents: [{ type: 'Cage', file: 'cages.csv', id: 'no', fields: { name: 'name', recentVisits: 'no' } }] }, ['documents[0].fields.recentVisits: … calls it visits']],
  ['a word that is far from any other', { documents: [{ ...house, colour: {} }] }, ['documents[0]: … "colour" … about, type, file, separator, encoding, skip, split, id, fields']],
  ['a word that belongs somewhere else', { documents: [{ ...house, match: '^x' }] }, ['documents[0]: … "match" … belongs in a field in "fields"']],
  ['a word of lists among documents', { documents: [{ ...house, of: 'no' }] }, ['documents[0]: … "of" … belongs in an element of "entries"']],
  ['a split without a column', { documents: [{ ...house, split: { column: 'hous', by: '' } }] }, ['documents[0].split.by: … text between', 'documents[0].split.column: … hous … Did you mean house?']],
  ['a list without buckets', { entries: [{ ...visits, list: 'Cage.tags' }] }, ['entries[0].list: … Cage.tags … "Cage.visits"']],
  ['a bad expression', { documents: [{ ...house, fields: { name: { column: 'house', match: '(' } } }] }, ['documents[0].fields.name.match: … regular expression … Unterminated group']],
  ['an unknown encoding', { documents: [{ ...house, encoding: 'latin-5000' }] }, ['documents[0].encoding: … "latin-5000" … "windows-1252"']],
  ['nothing to import', {}, ['documents: … nothing … "type" … "file" … "id" … "fields"']],
  ['several problems at once', { documents: [{ ...house, id: 'nr' }, { ...house, type: 'x' }] }, [
    'documents[0].id: … cages.csv … nr … Did you mean no?',
    'documents[1].type: … x … Keeper, House, Cage',
  ]],
])('%s', async (_, mapping, problems) => {
  expect(await problemsOf(mapping)).toEqual(problems.map((problem) => textWith(`zoo.json: ${problem}`)))
})

test('a mapping that is missing, and one that is not JSON', async () => {
  const folder = zooFolder({ 'bad.json': '{' })
  await expect(readMapping(join(folder, 'none.json'), folder, model)).rejects.toThrow(`There is no mapping at ${join(folder, 'none.json')}.`)
  await expect(readMapping(join(folder, 'bad.json'), folder, model)).rejects.toThrow(/bad\.json is not JSON/)
})

test('a column that is there twice is refused where it is used, and only there', async () => {
  const files = { 'twice.csv': 'no,name,name,,\n1,Lions,Cats,,\n' }
  const folder = zooFolder({ ...files, ...Object.fromEntries(['name', 'no'].map((column) => [`${column}.json`, JSON.stringify({ documents: [{ ...house, file: 'twice.csv', fields: { name: column } }] })])) })
  await expect(readMapping(join(folder, 'name.json'), folder, model)).rejects.toThrow(/documents\[0\]\.fields\.name: twice\.csv has more than one column name/)
  const { documents: [rows] } = await readMapping(join(folder, 'no.json'), folder, model)
  const read: unknown[] = []
  for await (const some of rowsOf(rows!.file)) read.push(...some.map((row) => [row.cell('no'), row.problem]))
  expect(read).toEqual([['1', undefined]])
})

test('a mapping may begin with a byte order mark', async () => {
  const folder = zooFolder({ 'marked.json': `\uFEFF${JSON.stringify({ documents: [house] })}` })
  expect((await readMapping(join(folder, 'marked.json'), folder, model)).documents).toHaveLength(1)
})

test('a problem has the line and column of the word that it is about, in a file of any form', async () => {
  const text = [
    '{',
    '\t"about": "a \\"quoted\\" text, with { and [1, 2]",',
    '  "documents": [',
    '    { "type": "House", "file": "cages.csv", "id": "no", "fields": { "name": "house" } },',
    '    {',
    '      "type": "House", "file": "cages.csv", "id" : "no",',
    '      "fields": { "name": { "column": "house", "mach": "x" },',
    '        "countOfCages": "no" }, "n\\u0061me": 1',
    '    }',
    '  ]',
    '}',
  ].join('\r\n')
  expect((await problemsOfText(text)).map((each) => each.replace(/^zoo\.json:(\d+:\d+): (\S+): .*$/, '$1 $2'))).toEqual([
    '8:33 documents[1]', '7:48 documents[1].fields.name', '8:9 documents[1].fields.countOfCages',
  ])
})

test('the place of a value that is missing is that of what it should be in', async () => {
  const [problem] = await problemsOfText('{ "documents": [\n  { "type": "House",\n  "file": "cages.csv", "fields": { "name": "house" } }\n] }')
  expect(problem).toMatch(/^zoo\.json:2:3: documents\[0\]\.id: /)
})
