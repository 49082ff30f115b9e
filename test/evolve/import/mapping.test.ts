// What is wrong with a mapping is said with its file, its place and what to write.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { readMapping } from '../../../src/evolve/import/read-mapping.ts'
import { zooFolder, zooMapping, zooSdl } from './zoo.ts'

const { model } = readDeclaration(zooSdl)
const house = { type: 'House', file: 'cages.csv', id: 'no', fields: { name: 'house' } }
const visits = zooMapping.entries[0]!

async function problemsOf(mapping: unknown): Promise<string[]> {
  const folder = zooFolder({}, mapping)
  return readMapping(join(folder, 'zoo.json'), folder, model).then(() => [], (error: Error) => error.message.replaceAll(folder, 'DIR').split('\n'))
}

test('a good one has no problems', async () => {
  expect(await problemsOf(zooMapping)).toEqual([])
})

test.each<[string, unknown, string[]]>([
  ['an unknown type', { documents: [{ ...house, type: 'Hose' }] }, ['documents[0].type: there is no document type Hose. Write one of Keeper, House, Cage.']],
  ['an unknown field', { documents: [{ ...house, fields: { name: 'house', nam: 'house' } }] }, ['documents[0].fields.nam: House has no field nam. It has name.']],
  ['an unknown column', { documents: [{ ...house, fields: { name: 'hause' } }] }, ['documents[0].fields.name: cages.csv has no column hause. It has no, name, size, year, state, tags, place, keeper, house.']],
  ['a file that is not there', { documents: [{ ...house, file: 'houses.csv' }] }, ['documents[0].file: there is no houses.csv in DIR. Say with --from where the files are.']],
  ['a field that Quire keeps', { documents: [{ ...house, fields: { name: 'house', countOfCages: 'no' } }] }, ['documents[0].fields.countOfCages: House.countOfCages is worked out by Quire and cannot be given. Leave it out.']],
  ['a list that entries are added to', { documents: [{ type: 'Cage', file: 'cages.csv', id: 'no', fields: { name: 'name', visits: 'no' } }] }, ['documents[0].fields.visits: Cage.visits is a list that entries are added to. Write it under "entries", with "list": "Cage.visits".']],
  ['a field that every document needs', { documents: [{ ...house, fields: {} }] }, ['documents[0].fields: every House needs name. Say where it comes from, or write { "value": … }.']],
  ['no id', { documents: [{ ...house, id: undefined }] }, ['documents[0].id: does not say how ids are made. Write a column, { "slug": ["column"] }, { "hash": ["column"] } or { "text": "{column}-{column}" }.']],
  ['a word it does not know', { documents: [{ ...house, feilds: {} }] }, ['documents[0]: knows no "feilds". It knows about, type, file, separator, skip, id, fields.']],
  ['a list that is none', { entries: [{ ...visits, list: 'Cage.tags' }] }, ['entries[0].list: Cage.tags is no list that entries are added to. Write "Cage.visits".']],
  ['a bad expression', { documents: [{ ...house, fields: { name: { column: 'house', match: '(' } } }] }, ['documents[0].fields.name.match: is no regular expression: Invalid regular expression: /(/u: Unterminated group.']],
  ['nothing to do', {}, ['documents: says nothing to import. Write a list like [{ "type": "…", "file": "….csv", "id": "column", "fields": { "field": "column" } }].']],
  ['several things at once', { documents: [{ ...house, id: 'nr' }, { ...house, type: 'x' }] }, [
    'documents[0].id: cages.csv has no column nr. It has no, name, size, year, state, tags, place, keeper, house.',
    'documents[1].type: there is no document type x. Write one of Keeper, House, Cage.',
  ]],
])('%s', async (_, mapping, problems) => {
  expect(await problemsOf(mapping)).toEqual(problems.map((problem) => `zoo.json: ${problem}`))
})

test('a mapping that is not there, and one that is no JSON', async () => {
  const folder = zooFolder({ 'bad.json': '{' })
  await expect(readMapping(join(folder, 'none.json'), folder, model)).rejects.toThrow(`There is no mapping at ${join(folder, 'none.json')}.`)
  await expect(readMapping(join(folder, 'bad.json'), folder, model)).rejects.toThrow('bad.json is no JSON: ')
})
