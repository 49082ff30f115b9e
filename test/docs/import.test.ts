// The mapping and the files of docs/import.md make what the page says.

import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { derive } from '../../schema/library/derive.ts'
import { importFiles } from '../../src/evolve/import/import-files.ts'
import { readMapping } from '../../src/evolve/import/mapping/read-mapping.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { readFences } from './examples/fences.ts'
import { createProjects, projectOf, removeProjects } from './examples/projects.ts'

const page = 'docs/import.md'
const root = createProjects(readFences(page))
afterAll(() => removeProjects(root))

test('two authors from the cells of two books, and the books of each', async () => {
  const folder = projectOf(root, page)
  const declaration = readDeclaration(readSdlFolder('schema/library'), derive)
  const mapping = await readMapping(join(folder, 'several.json'), join(folder, 'several'), declaration.model)
  const store = await openMemoryStore(declaration.layout)
  expect(await importFiles(declaration, store, mapping)).toMatchObject({ created: 4, refused: 0 })
  const [ann, bo] = await store.readMany('authors', ['ann-lee', 'bo-chan'].map((id) => ({ partition: [id], id })))
  await store.close()
  expect(ann!.body).toMatchObject({ firstName: 'Ann', lastName: 'Lee', books: ['978-1'] })
  expect(bo!.body).toMatchObject({ lastName: 'Chan', books: ['978-1', '978-2'] })
})

test('one publisher, two books, two reviews, and two rows that are refused', async () => {
  const folder = projectOf(root, page)
  const declaration = readDeclaration(readSdlFolder('schema/library'), derive)
  const mapping = await readMapping(join(folder, 'mapping.json'), join(folder, 'data'), declaration.model)
  const store = await openMemoryStore(declaration.layout)
  const refused: string[] = []
  const totals = await importFiles(declaration, store, mapping, { onRejection: (rejection) => refused.push('row' in rejection ? `${rejection.file}:${rejection.row}` : rejection.id) })
  await store.close()
  expect(totals).toMatchObject({ created: 3, entries: 2, refused: 2 })
  expect(refused).toEqual(['books.csv:4', 'ratings.csv:4'])
})
