// The schema folder that docs/your-code.md builds works as the page says. examples.test.ts runs its operations and its tests.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { readDeclaration, type Declaration } from '../../src/relations/declaration.ts'
import { readSchemaFolder, type SchemaFolder } from '../../src/serve/schema-folder.ts'
import { readSeedFile, seedBatches } from '../../src/serve/schema-folder/seed-file.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Write } from '../../src/store/store.ts'
import { writeAll } from '../../src/store/write-all.ts'
import { openGateway } from '../harness.ts'

const page = readFileSync('docs/your-code.md', 'utf8')
let folder: string
let schema: SchemaFolder
let declaration: Declaration
beforeAll(async () => {
  const root = mkdtempSync(join(tmpdir(), 'quire-docs-'))
  for (const [, file, text] of page.matchAll(/```\w+\n(?:#|\/\/) (blog\/\S+)\n([\s\S]+?)```/g)) {
    mkdirSync(dirname(join(root, file!)), { recursive: true })
    writeFileSync(join(root, file!), text!.replaceAll('quire-graphql/testing', resolve('src/entries/testing.ts')).replaceAll('quire-graphql', resolve('src/index.ts')))
  }
  folder = join(root, 'blog')
  schema = await readSchemaFolder(folder)
  declaration = readDeclaration(schema.typeDefs, schema.derive)
})
afterAll(() => rmSync(dirname(folder), { recursive: true, force: true }))

test('its example answers from the documents of the new store, and its query computes', async () => {
  const ask = await openGateway({ ...schema, store: openMemoryStore })
  const { data } = await ask(schema.examples![0]!.text)
  expect(data).toEqual({ posts: { nodes: [
    { title: 'Hello', words: 3, comments: { nodes: [{ author: 'Ada', text: 'Me too.' }, { author: 'Ada', text: 'I disagree.' }] } },
    { title: 'Silence', words: 4, comments: { nodes: [] } },
  ] } })
  expect((await ask('{ readingMinutes(words: 600) }')).data).toEqual({ readingMinutes: 3 })
})

test('a check finds nothing wrong with its documents and its seed', async () => {
  const seed = await readSeedFile(folder)
  const seeded = [...seedBatches(declaration.model, seed, 30, 10)].flatMap(({ writes }) => writes)
  const all: Write[] = [...schema.seed!(declaration), ...seeded]
  const store = await openMemoryStore(declaration.layout)
  await writeAll(store, all)
  const findings: string[] = []
  for await (const { sentence } of checkStore(declaration, store)) findings.push(sentence)
  await store.close()
  expect(findings).toEqual([])
  expect(seeded.filter(({ key }) => /^30-p\d+$/.test(key.id))).toHaveLength(seed.value.total!(30))
})
