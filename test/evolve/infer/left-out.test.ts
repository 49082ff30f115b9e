// What a guessed schema cannot hold of what was found is said in it, and the copies are without it.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { copyDocuments } from '../../../src/evolve/infer/copy-documents.ts'
import { inferSchema } from '../../../src/evolve/infer/infer-schema.ts'
import { openExistingFolder } from '../../../src/evolve/profile/folder/existing-folder.ts'
import { profileDatabase } from '../../../src/evolve/profile/profile-database.ts'
import type { ExistingDatabase } from '../../../src/store/existing/existing-database.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openExistingSqlite } from '../../../src/store/sqlite/existing/existing-sqlite.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { temporaryFolder } from './folders.ts'

/** The sentences of the schema, and the copies. */
async function guessed(database: ExistingDatabase): Promise<{ leftOut: string[]; copies: Body[] }> {
  const { sdl, declaration } = inferSchema(await profileDatabase(database, { sample: Infinity }), [])
  const store = await openMemoryStore(declaration.layout)
  await copyDocuments(database, declaration, store)
  const { container } = declaration.model.documents.values().next().value!
  const copies = (await store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 100 })).map(({ body }) => body)
  await database.close()
  const comments = sdl.split('\n').filter((line) => line.trimStart().startsWith('#')).map((line) => line.trimStart().slice(2)).join(' ')
  return { leftOut: comments.split('Left out: ').slice(1), copies }
}

function files(name: string, text: string): string {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(folder)
  writeFileSync(join(folder, name), text)
  return folder
}

test('bytes, and ids that are the same text', async () => {
  const file = join(temporaryFolder(), 'shop.db')
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE items (id, name TEXT, picture); INSERT INTO items VALUES (1, 'One', x'0102'), ('1', 'Another', NULL), (2, 'Two', x'03')`)
  database.close()
  const { leftOut, copies } = await guessed(openExistingSqlite(file))
  expect(leftOut).toEqual([expect.stringMatching(/picture, in 2 of 3 rows/), expect.stringMatching(/1 of 3 rows: their ids are the same text/)])
  expect(copies).toEqual([{ id: '1', name: 'Another', picture: null }, { id: '2', name: 'Two' }])
})

test('columns that have the name of another, or none', async () => {
  const { leftOut, copies } = await guessed(await openExistingFolder(files('items.csv', 'id,name,name,\n1,One,First,x\n2,Two,Second,y\n')))
  expect(leftOut).toEqual([expect.stringMatching(/called "name" but the first/), expect.stringMatching(/1 column of items\.csv without a name/)])
  expect(copies).toEqual([{ id: '1', name: 'One' }, { id: '2', name: 'Two' }])
})

test('ids that only some documents have', async () => {
  const { leftOut } = await guessed(await openExistingFolder(files('items.json', JSON.stringify([{ id: 1, name: 'One' }, { id: { a: 1 }, name: 'Two' }, { name: 'Three' }]))))
  expect(leftOut).toEqual([expect.stringMatching(/id, in 2 of 3 documents/)])
})

test('properties that Quire writes itself', async () => {
  const { leftOut, copies } = await guessed(await openExistingFolder(files('items.json', JSON.stringify([{ id: 'a', name: 'One', _v: 'first', _c: 3 }, { id: 'b', name: 'Two' }]))))
  expect(leftOut).toEqual([expect.stringMatching(/_v, in .*Quire counts the writes/), expect.stringMatching(/_c, in .*Quire keeps the version/)])
  expect(copies).toEqual([{ id: 'a', name: 'One' }, { id: 'b', name: 'Two' }])
})
