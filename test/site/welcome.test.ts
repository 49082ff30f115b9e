// The operation that GraphiQL opens with if there are no examples: it has to run on any schema.

import { expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { welcomeExample } from '../../src/site/first-operation.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { derive, documents, schema } from '../blog/blog.ts'
import { openGateway } from '../harness.ts'
import { everyKind } from '../random/every-kind.ts'

test.each([
  ['a blog', { typeDefs: schema, derive, documents }],
  ['a schema of every kind', everyKind],
  ['a single type', { typeDefs: 'type Cage @document(container: "cages") { id: ID! }' }],
])('it runs on %s', async (_, options) => {
  const [welcome] = welcomeExample(readDeclaration(options.typeDefs, options.derive).model)
  const ask = await openGateway({ ...options, store: openMemoryStore })
  const { errors, report } = await ask(welcome!.text)
  expect(errors).toBeUndefined()
  expect(report.made.roundTrips).toBeGreaterThan(0)
})

test('it selects the type with the most relations', () => {
  const [welcome] = welcomeExample(readDeclaration(`
    type Cage @document(container: "cages") { id: ID! }
    type Beast @document(container: "beasts") { id: ID! name: String! cage: Cage @reference(at: "cageId") }
  `).model)
  expect(welcome).toEqual({
    title: 'Welcome',
    text: `# The first ten beasts. Run it: the panel beside the answer shows what it cost.
query Welcome {
  beasts(first: 10) {
    nodes {
      id
      name
      cage { id }
    }
  }
}
`,
  })
})
