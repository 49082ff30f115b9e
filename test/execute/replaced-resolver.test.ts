// A resolver in place of a generated one: it answers alone, and Quire reads nothing for its field. Compiled plans and
// GraphQL.js agree.

import { expect, test } from 'vitest'
import { openTestGateway } from '../../src/entries/testing.ts'

const typeDefs = `
  type Cage @document(container: "cages") { id: ID! name: String! keeper: Keeper @reference(at: "keeperId") }
  type Keeper @document(container: "keepers") { id: ID! name: String! }`
const documents = {
  Cage: [{ id: 'c1', name: 'Big', keeperId: 'k1' }],
  Keeper: [{ id: 'k1', name: 'Kim' }],
}

test.each([[true], [false]])('a resolver replaces a generated one, which then reads nothing, compiled %s', async (compiles) => {
  const generated = await openTestGateway({ typeDefs, documents, compiles })
  const replaced = await openTestGateway({ typeDefs, documents, compiles, resolvers: { Query: { keeper: () => null, cages: () => ({ nodes: [] }) }, Cage: { name: () => 'Mine' } } })

  expect(await generated.ask('{ keeper(id: "k1") { name } }')).toMatchObject({ data: { keeper: { name: 'Kim' } }, reads: [{ container: 'keepers' }] })
  expect(await replaced.ask('{ keeper(id: "k1") { name } }')).toMatchObject({ data: { keeper: null }, reads: [] })
  expect(await replaced.ask('{ cage(id: "c1") { name keeper { name } } }')).toMatchObject({ data: { cage: { name: 'Mine', keeper: { name: 'Kim' } } }, reads: [{ container: 'cages' }, { container: 'keepers' }] })
  // The fields of a connection need Quire's own.
  expect(await replaced.ask('{ cages { nodes { name } } }')).toMatchObject({ errors: [{ path: ['cages', 'nodes'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }], reads: [] })

  await generated.close()
  await replaced.close()
})
