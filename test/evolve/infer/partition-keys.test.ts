// Partition keys of every form are found in a SQLite file, which does not state them: a schema with that key writes documents, and the guessed one is
// the same.

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inferSchema } from '../../../src/evolve/infer/infer-schema.ts'
import { profileDatabase } from '../../../src/evolve/profile/profile-database.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { openExistingSqlite } from '../../../src/store/sqlite/existing/existing-sqlite.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { documentWrites } from '../../harness.ts'
import { temporaryFolder } from './folders.ts'

const stays = Array.from({ length: 40 }, (_, at) => ({ id: `s${at}`, hotel: `h${at % 3}`, day: `2026-01-${10 + (at % 9)}`, home: { city: `c${at % 5}` } }))

test.each([
  '"/hotel"', '"/stayId"', '"/home/city"', '["/hotel", "/day"]', '["/hotel", "/home/city", "/stayId"]', '{ concat: ["hotel", "day"] }',
  '{ concat: ["day", "hotel"], suffix: { hashOf: "id", spread: 7 }, at: "pk" }', '{ concat: ["hotel"], suffix: { hashOf: "id", spread: 3 } }', '{ concat: ["hotel"], suffix: { random: 4 } }',
])('%s', async (key) => {
  const file = join(temporaryFolder(), 'stays.db')
  const { layout, model } = readDeclaration(`
    type Stay @document(container: "stays", partitionKey: ${key}) { id: ID! hotel: String! day: String! home: Home! }
    type Home { city: String! }`)
  const store = await openSqliteStore(file, layout)
  await store.write(documentWrites(model, { Stay: stays }))
  await store.close()
  const found = openExistingSqlite(file)
  onTestFinished(() => found.close())
  const { sdl, declaration } = inferSchema(await profileDatabase(found), [])
  expect(sdl).toContain(`partitionKey: ${key})`)
  expect([...declaration.model.documents.get('Stay')!.fields.keys()]).toEqual(['id', 'hotel', 'day', 'home'])
})
