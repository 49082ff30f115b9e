// The schema's own resolvers read documents through `quire`: batched with everything else, under the same rules, told in the cost
// report. Compiled plans and GraphQL.js agree.

import { GraphQLError, type GraphQLResolveInfo } from 'graphql'
import { describe, expect, test } from 'vitest'
import { openTestGateway } from '../../src/entries/testing.ts'
import type { DocumentPage, ResolverContext, StoredDocument } from '../../src/index.ts'
import { openGateway, stores } from '../harness.ts'

const typeDefs = `
  type Beast @document(container: "beasts") {
    id: ID!
    name: String! @indexed
    weight: Int! @indexed
    keeper: Keeper @snapshot(at: "keeper", fields: ["name"])
    weightIn(unit: String!): Float! @resolved
    heavier(first: Int, after: String): BeastConnection! @resolved
    friend: Beast @resolved
  }
  type Keeper @document(container: "keepers") @readable(roles: ["staff"]) { id: ID! name: String! beasts: BeastConnection! @reverse(of: "Beast.keeper") favourite: Beast @resolved }
  type Pair { first: Beast second: Beast! all: [Beast]! note: String }
  extend type Query {
    heaviest: Beast
    pair(one: ID!, other: ID!): Pair!
    oneByOne(ids: [ID!]!): [Beast]!
    named(prefix: String!, first: Int): BeastConnection!
    who: String
    strange: Beast
    misspelt: BeastConnection
    refused: Beast
    unknown: Beast
  }`

const documents = {
  Beast: ['Ant', 'Bee', 'Cat', 'Dog'].map((name, at) => ({ id: `b${at}`, name, weight: 10 ** at, keeper: { id: 'k1', name: 'Kim' } })),
  Keeper: [{ id: 'k1', name: 'Kim' }],
}

type Args = Record<string, never>
const resolvers = {
  Query: {
    heaviest: async (_: unknown, __: Args, { quire }: ResolverContext) => (await quire.query('Beast', { orderBy: { field: 'WEIGHT', direction: 'DESC' }, first: 1 }).nodes())[0],
    pair: (_: unknown, { one, other }: { one: string; other: string }) => ({ first: one, second: Promise.resolve(other), all: [one, 'none', other] }),
    async oneByOne(_: unknown, { ids }: { ids: string[] }, { quire }: ResolverContext) {
      const found = []
      for (const id of ids) found.push(await quire.load('Beast', id))
      return found
    },
    named: (_: unknown, { prefix, first }: { prefix: string; first?: number }, { quire }: ResolverContext) => quire.query('Beast', { filter: { name: { startsWith: prefix } }, ...(first === undefined ? {} : { first }) }),
    who: (_: unknown, __: Args, { quire }: ResolverContext) => quire.viewer?.id,
    strange: () => ({ id: 'b0', name: 'Ant' }),
    misspelt: (_: unknown, __: Args, { quire }: ResolverContext) => quire.query('Beast', { filter: { nmae: { eq: 'Ant' } } }),
    refused: () => {
      throw new GraphQLError('Not today.', { extensions: { code: 'CLOSED' } })
    },
    unknown: (_: unknown, __: Args, { quire }: ResolverContext) => quire.load('Baest', 'b0'),
  },
  Beast: {
    weightIn: ({ body }: StoredDocument, { unit }: { unit: string }) => (body['weight'] as number) / (unit === 'kg' ? 1000 : 1),
    heavier: ({ body }: StoredDocument, args: { first?: number; after?: string }, { quire }: ResolverContext): DocumentPage => quire.query('Beast', { filter: { weight: { gt: body['weight'] } }, ...args }),
    friend: ({ body }: StoredDocument) => (body['id'] === 'b0' ? 'b1' : 'b0'),
  },
  Keeper: { favourite: async (_: unknown, __: Args, { quire }: ResolverContext) => (await quire.loadMany('Beast', ['b2', 'nobody']))[0] },
}

const anyone = { openReads: true }

describe.each([[true], [false]])('compiled %s', (compiles) => {
  const open = (options: object = anyone) => openTestGateway({ typeDefs, documents, resolvers, compiles, ...options })

  test.each([[{}], [{ 'quire-trace': '0' }]])('a resolver returns a document, an id, a list of them, or a connection, with %j', async (headers) => {
    const opened = await open()
    // Untraced, by closures the first time, and by generated code from the second time on.
    const gateway = {
      ...opened,
      async ask(query: string) {
        const answers = [await opened.ask(query, { headers }), await opened.ask(query, { headers }), await opened.ask(query, { headers })]
        expect(answers.map(({ data }) => data)).toEqual(answers.map(() => answers[0]!.data))
        return answers[0]!
      },
    }
    expect((await gateway.ask('{ heaviest { name weightIn(unit: "kg") keeper { name } } }')).data).toEqual({ heaviest: { name: 'Dog', weightIn: 1, keeper: { name: 'Kim' } } })
    expect((await gateway.ask('{ pair(one: "b1", other: "b2") { first { name } second { name } all { name } note } }')).data)
      .toEqual({ pair: { first: { name: 'Bee' }, second: { name: 'Cat' }, all: [{ name: 'Bee' }, null, { name: 'Cat' }], note: null } })
    expect((await gateway.ask('{ named(prefix: "C") { totalCount nodes { name heavier(first: 5) { nodes { name } pageInfo { hasNextPage } } } } }')).data)
      .toEqual({ named: { totalCount: 1, nodes: [{ name: 'Cat', heavier: { nodes: [{ name: 'Dog' }], pageInfo: { hasNextPage: false } } }] } })
    expect((await gateway.ask('{ keeper(id: "k1") { favourite { name } beasts { nodes { name friend { name } } } } }')).data).toMatchObject({ keeper: { favourite: { name: 'Cat' }, beasts: { nodes: [{ friend: { name: 'Bee' } }, { friend: { name: 'Ant' } }, {}, {}] } } })
    await gateway.close()
  })

  test('its reads are batched with those of generated fields', async () => {
    const gateway = await open()
    const { reads, cost } = await gateway.ask('{ beasts { nodes { friend { name } keeper @read(from: REFERENCE) { name } } } }')
    expect(reads.map(({ container, wave, keys, for: asked }) => [container, wave, keys, asked])).toEqual([
      ['beasts', 1, 0, ['Query.beasts']],
      ['beasts', 2, 2, ['Beast.friend']],
      ['keepers', 2, 1, ['Beast.keeper']],
    ])
    // One read for each of four friends, and for each of four keepers.
    expect(cost?.naive).toMatchObject({ roundTrips: 9, waves: 2 })
    await gateway.close()
  })

  test('reads one after the other are told as such', async () => {
    const gateway = await open()
    const { reads, cost, data } = await gateway.ask('{ oneByOne(ids: ["b0", "b1", "b2"]) { name } }')
    expect(data).toEqual({ oneByOne: [{ name: 'Ant' }, { name: 'Bee' }, { name: 'Cat' }] })
    expect(reads.map(({ wave, for: asked }) => [wave, asked])).toEqual([1, 2, 3].map((wave) => [wave, ['Query.oneByOne']]))
    expect(cost).toMatchObject({ naive: { roundTrips: 3, waves: 3 }, oneByOne: [{ field: 'Query.oneByOne', reads: 3 }] })
    expect((await gateway.ask('{ pair(one: "b1", other: "b2") { all { name } } }')).cost?.oneByOne).toEqual([])
    await gateway.close()
  })

  test('rules hold: what a viewer may not read is refused, and the viewer is known', async () => {
    const viewers = { kim: { id: 'kim', roles: new Set(['staff']), tenant: undefined }, guest: { id: 'guest', roles: new Set<string>(), tenant: undefined } }
    const gateway = await open({ identity: 'server' })
    const asKim = await gateway.ask('{ who keeper(id: "k1") { name } }', { viewer: viewers.kim })
    expect(asKim.data).toEqual({ who: 'kim', keeper: { name: 'Kim' } })
    expect((await gateway.ask('{ who }', { viewer: viewers.guest })).data).toEqual({ who: 'guest' })
    expect((await gateway.ask('{ heaviest { keeper { name } } }', { viewer: viewers.guest })).errors?.[0]?.extensions?.['code']).toBe('FORBIDDEN')
    await gateway.close()
  })

  test('mistakes are told', async () => {
    const gateway = await open()
    expect((await gateway.ask('{ strange { name } }')).errors).toMatchObject([{ path: ['strange'], message: expect.stringContaining('Query.strange') as string }])
    expect((await gateway.ask('{ misspelt { nodes { name } } }')).errors).toMatchObject([{ path: ['misspelt'], message: expect.stringMatching(/nmae/) as string, extensions: { code: 'BAD_USER_INPUT' } }])
    expect((await gateway.ask('{ refused { name } }', { headers: { 'quire-trace': '0' } })).errors).toMatchObject([{ message: 'Not today.', extensions: { code: 'CLOSED' } }])
    expect((await gateway.ask('{ unknown { name } }')).errors).toMatchObject([{ message: expect.stringContaining('Beast') as string }])
    await gateway.close()
  })
})

test('a @resolved field needs a resolver, and is no part of inputs, filters and snapshots', async () => {
  const { Beast: _, ...without } = resolvers
  await expect(openTestGateway({ typeDefs, documents, resolvers: without })).rejects.toThrow(/Beast\.weightIn: no resolver/)
  await expect(openTestGateway({ typeDefs: typeDefs.replace('fields: ["name"]', 'fields: ["favourite"]'), documents, resolvers })).rejects.toThrow(/Beast\.keeper.*favourite/)
  const gateway = await openTestGateway({ typeDefs, documents, resolvers })
  const { data } = await gateway.ask('{ input: __type(name: "CreateBeastInput") { inputFields { name } } }')
  expect((data as { input: { inputFields: { name: string }[] } }).input.inputFields.map(({ name }) => name)).toEqual(['clientMutationId', 'id', 'name', 'weight', 'keeperId'])
  await gateway.close()
})

test('what resolvers return counts in the budget, however deep', async () => {
  const gateway = await openTestGateway({ typeDefs, documents, resolvers, ...anyone, budget: { requestCharge: 50, roundTrips: 100 } })
  expect((await gateway.ask('{ beast(id: "b0") { heavier(first: 2) { nodes { friend { name } } } } }')).errors).toBeUndefined()
  const { errors } = await gateway.ask('{ beast(id: "b0") { heavier(first: 100) { nodes { heavier(first: 100) { nodes { friend { name } } } } } } }')
  expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COSTLY', dearest: { field: 'Beast.heavier' } } }])
  await gateway.close()
})

test.each(stores)('on $name a mutation may return the document itself', async ({ store }) => {
  const ask = await openGateway({
    store,
    typeDefs: `
      type Shelf @document(container: "shelves") { id: ID! label: String! labels: [String!]! @contained(max: 3) next: Shelf @reference(at: "nextId") }
      extend type Mutation { addShelf(label: String!, nextId: ID): Shelf! }`,
    resolvers: {
      Mutation: {
        addShelf: async (_: unknown, { label, nextId }: { label: string; nextId?: string }, { quire }: ResolverContext, info: GraphQLResolveInfo) =>
          (await quire.mutate({}, info, async (change) => ({ shelf: await change.create('Shelf', { id: label, label, nextId: nextId ?? null, labels: [label] }) }))).shelf,
      },
    },
  })
  expect((await ask('mutation { addShelf(label: "a") { id labels } }')).data).toEqual({ addShelf: { id: 'a', labels: ['a'] } })
  expect((await ask('mutation { addShelf(label: "b", nextId: "a") { next { label } } }')).data).toEqual({ addShelf: { next: { label: 'a' } } })
  expect((await ask('{ shelves { nodes { label } } }')).data).toEqual({ shelves: { nodes: [{ label: 'a' }, { label: 'b' }] } })
  await ask.close()
})
