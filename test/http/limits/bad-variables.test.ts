// Variables that do not fit are refused after a few errors: to collect thousands of them would take longer than anything
// that the request could ask for.

import { GraphQLError, GraphQLScalarType } from 'graphql'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openGateway } from '../../harness.ts'

const typeDefs = `
  scalar Even
  type Cage @document(container: "cages") { id: ID! size: Int @indexed }
  extend type Query { sum(of: [Even!]!): Int }
`

test.each([
  ['a query', false, 'query ($of: [Even!]!) { sum(of: $of) }'],
  ['a query in development', true, 'query ($of: [Even!]!) { sum(of: $of) }'],
])('%s with thousands of wrong values reads a few of them', async (_, development, query) => {
  let read = 0
  const Even = new GraphQLScalarType({
    name: 'Even',
    parseValue: (value) => {
      read++
      if ((value as number) % 2 !== 0) throw new GraphQLError('Not an even number.')
      return value
    },
  })
  const ask = await openGateway({ typeDefs, store: openMemoryStore, openReads: true, development, resolvers: { Even, Query: { sum: () => 0 } } })
  const { errors } = await ask(query, { variables: { of: Array.from({ length: 9000 }, () => 7) } })
  expect(errors!.length).toBeLessThan(10)
  expect(errors![0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
  expect(read).toBeLessThan(50)
  await ask.close()
})
