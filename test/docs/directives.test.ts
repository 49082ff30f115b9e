// The words of a schema: each can be read as it is shown, and goes wrong as it is said.

import { describe, expect, test } from 'vitest'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openGateway } from '../harness.ts'
import { problemsOf } from '../model/problems-of.ts'
import { readDirectiveReference, type DirectiveEntry } from './directive-reference.ts'
import { directivesPage } from './directives.ts'

const words = readDirectiveReference()
const declared = words.filter(({ title, name }) => title.startsWith('@') && name !== 'read')

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

test('the example of the word that clients write can be run', async () => {
  const ask = await openGateway({ ...(await readSchemaFolder('examples/modelling/07-snapshots')), store: openMemoryStore })
  const { errors, account } = await ask(exampleOf(words.find(({ name }) => name === 'read')!))
  expect(errors).toBeUndefined()
  expect(account.relations).toMatchObject([{ field: 'Book.authors', from: 'REFERENCE' }])
  await ask.close()
})

test('every directive says where it goes, what each argument means, and which mistakes one can make', async () => {
  const page = await directivesPage()
  for (const { title, where, entries } of [...declared, words.find(({ name }) => name === 'read')!]) {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`))!
    expect(section).toContain(`_${where}_`)
    for (const { shown, description } of entries) {
      expect(section).toContain(`\`${shown}\``)
      expect(description).not.toEqual([])
    }
    expect(section).toMatch(/\| mistake \| message \|\n\|---\|---\|\n\| .+ \| `.+` \|/)
  }
})
