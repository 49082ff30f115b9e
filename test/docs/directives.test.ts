// The words of a schema: each can be read as it is shown, and goes wrong as it is said.

import { describe, expect, test } from 'vitest'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openGateway } from '../harness.ts'
import { problemsOf } from '../model/problems-of.ts'
import { readDirectiveReference, type DirectiveEntry } from './directive-reference.ts'
import { directivesPage } from './directives.ts'

const words = readDirectiveReference()
const written = words.filter(({ name }) => name === 'read' || name === 'atomic')
const declared = words.filter((word) => word.title.startsWith('@') && !written.includes(word))

/** Examples with a `@derived` field need a function for it. */
const derive = { Author: { name: () => 'A name' } }

function exampleOf({ title, description }: DirectiveEntry): string {
  const example = description.find((block) => block.kind === 'example')
  if (!example) throw new Error(`${title} has no example.`)
  return example.text
}

describe('the example of a word uses it, and is a declaration with nothing wrong in it', () => {
  test.each([...declared, words.find(({ name }) => name === 'PartitionKey')!])('$title', (word) => {
    expect(exampleOf(word)).toContain(word.title === 'PartitionKey' ? 'partitionKey: {' : word.title)
    expect(problemsOf(exampleOf(word), word.name === 'derived' ? derive : {})).toEqual([])
  })
})

test('the example of @atomic can be run, and is all or nothing', async () => {
  const ask = await openGateway({ typeDefs: 'type Book @document(container: "books") { id: ID! year: Int }', store: openMemoryStore, documents: { Book: [{ id: 'b1' }] } })
  const example = exampleOf(words.find(({ name }) => name === 'atomic')!)
  expect((await ask(example)).errors).toMatchObject([{ path: ['two'], extensions: { code: 'NOT_FOUND' } }])
  expect((await ask('{ book(id: "b1") { year } }')).data).toEqual({ book: { year: null } })
  await ask('mutation { createBook(input: { id: "b2" }) { book { id } } }')
  expect((await ask(example)).data).toEqual({ one: { book: { year: 2030 } }, two: { book: { year: 2030 } } })
  await ask.close()
})

test('the example of @read can be run', async () => {
  const ask = await openGateway({ ...(await readSchemaFolder('examples/modelling/07-snapshots')), store: openMemoryStore })
  const { errors, report } = await ask(exampleOf(words.find(({ name }) => name === 'read')!))
  expect(errors).toBeUndefined()
  expect(report.relations).toMatchObject([{ field: 'Book.authors', from: 'REFERENCE' }])
  await ask.close()
})

test('every directive says where it goes, what each argument means, and which mistakes one can make', async () => {
  const page = await directivesPage()
  for (const { title, where, entries } of [...declared, ...written]) {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`))!
    expect(section).toContain(`_${where}_`)
    for (const { shown, description } of entries) {
      expect(section).toContain(`\`${shown}\``)
      expect(description).not.toEqual([])
    }
    expect(section).toMatch(/\| mistake \| message \|\n\|---\|---\|\n\| .+ \| `.+` \|/)
  }
})
