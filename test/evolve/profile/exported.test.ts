// A folder that `quire export` wrote, as a database that was found: its files are in the containers that they came from.

import { expect, onTestFinished, test } from 'vitest'
import { openExistingFolder } from '../../../src/evolve/profile/folder/existing-folder.ts'
import { profileDatabase } from '../../../src/evolve/profile/profile-database.ts'
import type { ExistingDatabase } from '../../../src/store/existing/existing-database.ts'
import { folderOf, jsonLines } from '../infer/folders.ts'

const inShop = { container: 'shop', partitionKey: '/userId', partitionPaths: [['userId']], fields: {} }
const manifest = { format: 1, files: [{ file: 'Order.jsonl', of: 'Order', documents: 30 }, { file: 'User.jsonl', of: 'User', documents: 10 }, { file: 'User.visits.jsonl', of: 'User.visits', documents: 1 }], declaration: { documents: { Order: inShop, User: inShop }, contained: {} } }
const users = Array.from({ length: 10 }, (_, at) => ({ id: `u${at}`, type: 'user', userId: `u${at}`, name: `User ${at}` }))
const files = {
  'Order.jsonl': jsonLines(Array.from({ length: 30 }, (_, at) => ({ id: at < 10 ? `u${at}` : `o${at}`, type: 'order', userId: `u${at % 10}`, total: at }))),
  'User.jsonl': jsonLines(users),
  'User.visits.jsonl': jsonLines([{ id: 'u1.visits.0', type: 'visits', userId: 'u1', entries: [{ number: 0, page: 'home' }] }]),
}

async function found(more: Readonly<Record<string, string>>): Promise<ExistingDatabase> {
  const database = await openExistingFolder(folderOf({ ...files, ...more }))
  onTestFinished(() => database.close())
  return database
}

test('the files of an export are in their containers, and its manifest is no data', async () => {
  const database = await found({ 'export.json': JSON.stringify(manifest, null, 2) })
  expect(database.containers).toEqual([{ name: 'shop', partitionKey: [['userId']], documents: 41, isForeign: true }])
  // The same id in two partitions is right.
  expect(database.problems!()).toEqual([])
})

test('a sample of a container has documents of each file', async () => {
  const database = await found({ 'export.json': JSON.stringify(manifest, null, 2) })
  const { containers } = await profileDatabase(database, { sample: 20 })
  expect(containers[0]!.types.map(({ type, documents }) => [type, documents])).toEqual([['order', 15], ['user', 5]])
})

test('a file that is only called export.json is data', async () => {
  const database = await found({ 'export.json': JSON.stringify([{ id: 'e1' }]) })
  expect(database.containers.map(({ name, documents }) => [name, documents])).toEqual([['Order', 30], ['User', 10], ['User.visits', 1], ['export', 1]])
})

test('other files are containers beside those of the export, and an export of another version is refused', async () => {
  const database = await found({ 'export.json': JSON.stringify(manifest), 'prices.csv': 'id,price\na,1\n' })
  expect(database.containers.map(({ name }) => name)).toEqual(['shop', 'prices'])
  await expect(found({ 'export.json': JSON.stringify(manifest), 'shop.csv': 'id\na\n' })).rejects.toThrow('two files called shop')
  await expect(found({ 'export.json': JSON.stringify({ ...manifest, format: 9 }) })).rejects.toThrow('export.json: this version of Quire reads exports of format 1')
})
