// The gateway that users test their schema folders with.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as graphql from 'graphql'
import { expect, onTestFinished, test } from 'vitest'
import { openTestGateway, type TestGatewayOptions } from '../../src/entries/testing.ts'
import { badInput } from '../../src/index.ts'

const typeDefs = `
  type Cage @document(container: "cages") { id: ID! wing: String! loud: Boolean! @derived beasts: [Beast!]! @snapshot(at: "beasts", fields: ["name"]) }
  type Beast @document(container: "beasts") { id: ID! name: String! }
`

async function open(options: TestGatewayOptions) {
  const gateway = await openTestGateway(options)
  onTestFinished(() => gateway.close())
  return gateway
}

test('answers from the given documents, with the cost', async () => {
  const gateway = await open({
    typeDefs, derive: { Cage: { loud: ({ wing }) => wing === 'north' } },
    documents: { Cage: [{ id: 'c1', wing: 'north', beasts: [{ id: 'b1', name: 'Rex' }] }], Beast: [{ id: 'b1', name: 'Rex' }] },
  })
  const { data, cost, reads, status } = await gateway.ask('query ($id: ID!) { cage(id: $id) { loud beasts { name } } }', { variables: { id: 'c1' } })
  expect(data).toEqual({ cage: { loud: true, beasts: [{ name: 'Rex' }] } })
  expect(cost).toMatchObject({ made: { roundTrips: 1 }, naive: { roundTrips: 2 } })
  expect(reads).toEqual([{ operation: 'read', container: 'cages', keys: 1, documents: 1, wave: 1, for: ['Query.cage'] }])
  expect(status).toBe(200)
})

test('reads a schema folder, with its own documents unless others are given', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-testing-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'schema.graphql'), 'type Beast @document(container: "beasts") { id: ID! name: String! }')
  writeFileSync(join(folder, 'documents.json'), JSON.stringify({ Beast: [{ id: 'own', name: 'Own' }] }))
  expect((await (await open({ folder })).ask('{ beasts { nodes { id } } }')).data).toEqual({ beasts: { nodes: [{ id: 'own' }] } })
  expect((await (await open({ folder, documents: { Beast: [{ id: 'b1', name: 'Rex' }] } })).ask('{ beasts { nodes { id } } }')).data).toEqual({ beasts: { nodes: [{ id: 'b1' }] } })
})

test('shows the code and message of an error that a resolver throws', async () => {
  const gateway = await open({
    typeDefs: `${typeDefs} extend type Query { shout: String }`, derive: { Cage: { loud: () => true } },
    resolvers: { Query: { shout: () => { throw badInput('Not so loud.') } } },
  })
  expect((await gateway.ask('{ shout }')).errors).toMatchObject([{ message: 'Not so loud.', path: ['shout'], extensions: { code: 'BAD_USER_INPUT' } }])
})

test('shows an error of another copy of graphql, such as its ES module, also in production, and masks what such an error wraps', async () => {
  const { GraphQLError } = (await import(/* @vite-ignore */ pathToFileURL('node_modules/graphql/index.mjs').href)) as Pick<typeof graphql, 'GraphQLError'>
  expect(badInput('')).not.toBeInstanceOf(GraphQLError)
  const gateway = await open({
    typeDefs: 'type Beast @document(container: "beasts") { id: ID! } extend type Query { closed: Int broken: Int }', development: false, openReads: true,
    resolvers: { Query: {
      closed: () => { throw new GraphQLError('Closed on Mondays.', { extensions: { code: 'CLOSED' } }) },
      broken: () => { throw new GraphQLError('a secret', { originalError: new Error('a secret') }) },
    } },
  })
  expect((await gateway.ask('{ closed broken }')).errors).toMatchObject([
    { message: 'Closed on Mondays.', path: ['closed'], extensions: { code: 'CLOSED' } },
    { message: 'Unexpected error.', path: ['broken'], extensions: { code: 'INTERNAL_SERVER_ERROR' } },
  ])
})

test('asks as the viewer that it is given', async () => {
  const gateway = await open({
    typeDefs: 'type Beast @document(container: "beasts") @readable(roles: ["keeper"]) { id: ID! }', identity: 'server', documents: { Beast: [{ id: 'b1' }] },
  })
  expect((await gateway.ask('{ beasts { nodes { id } } }')).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  expect((await gateway.ask('{ beasts { nodes { id } } }', { viewer: { id: 'ada', roles: ['keeper'] } })).data).toEqual({ beasts: { nodes: [{ id: 'b1' }] } })
})

test('needs a schema', async () => {
  await expect(openTestGateway({})).rejects.toThrow(/"folder" or "typeDefs"/)
})
