// Names of properties come from the schema, and may be anything that JSON allows: none of them means something to a
// query language, on any store.

import { afterAll, describe, expect, test } from 'vitest'
import { openGateway, stores } from '../harness.ts'

const names = [
  'a.b', 'a[0]', '$', '$.x', '"', 'a"b', '"]', '\\', 'a\\', '\\"', "'", "it's", "'; DROP TABLE things; --", '`', ' ', 'a b', '@p0', '?', ':x', '--', '/*', 'a/b', '#', '%', '\u0000', 'a\nb', 'é', '👩‍👧', '\u2028', 'SELECT', 'c', 'c["x"]', '"] OR true OR c["x', '0', '-1', 'value', 'root', 'UPPER', 'upper', '**',
]

const fields = names.map((at, index) => `odd${index}: String @stored(at: ${JSON.stringify(at)}) @indexed`)
const typeDefs = `type Thing @document(container: "things") { id: ID! ${fields.join(' ')} }`

/** Three documents, in an order of their own for each property. */
const inputs = ['1', '2', '3'].map((id, nth) => ({ id, ...Object.fromEntries(names.map((_, index) => [`odd${index}`, 'abc'[(nth + index) % 3]])) }))

describe.each(stores)('on $name', async ({ store }) => {
  const ask = await openGateway({ typeDefs, store })
  for (const input of inputs) await ask('mutation($input: CreateThingInput!) { createThing(input: $input) { thing { id } } }', { variables: { input } })
  afterAll(() => ask.close())

  test.each(names.map((name, index) => [name, index] as const))('a property called %j is stored, found, ordered by and read', async (_, index) => {
    const field = `odd${index}`
    const { data, errors } = await ask(`{
      found: things(filter: { ${field}: { eq: "a" } }) { nodes { ${field} } }
      among: things(filter: { ${field}: { in: ["a", "c"] }, not: { ${field}: { startsWith: "c" } } }) { totalCount }
      ordered: things(orderBy: { field: ODD${index}, direction: DESC }) { nodes { ${field} } }
    }`)
    expect(errors).toBeUndefined()
    expect(data).toEqual({ found: { nodes: [{ [field]: 'a' }] }, among: { totalCount: 1 }, ordered: { nodes: [{ [field]: 'c' }, { [field]: 'b' }, { [field]: 'a' }] } })
  })
})
