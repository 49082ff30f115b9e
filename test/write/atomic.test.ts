// `mutation @atomic`: all fields of an operation are written, or none is.

import type { GraphQLResolveInfo } from 'graphql'
import { afterEach, describe, expect, test } from 'vitest'
import type { MutationInput, ResolverContext } from '../../src/index.ts'
import { clientError } from '../../src/graphql-errors.ts'
import { openGateway, stores, type Answer, type Ask } from '../harness.ts'
import { openZoo } from '../http/load/zoo.ts'

const typeDefs = `
  type House @document(container: "houses") { id: ID!  name: String!  cages: CageConnection! @reverse(of: "Cage.house")  countOfCages: Int! @counted(relation: "cages") }
  type Cage @document(container: "cages") { id: ID!  name: String!  house: House! @snapshot(at: "house", fields: ["name"]) }
  extend type Mutation { refuse(input: RefuseInput!): RefusePayload  twice(input: RefuseInput!): RefusePayload  look: String }
  input RefuseInput { clientMutationId: String }
  type RefusePayload { clientMutationId: String }`

const resolvers = {
  Mutation: {
    refuse: () => Promise.reject(clientError('CONFLICT', 'It is closed.')),
    look: () => 'seen',
    twice: async (_: unknown, { input }: { input: MutationInput }, { quire }: ResolverContext, info: GraphQLResolveInfo) => {
      await quire.mutate(input, info, async () => ({}))
      return quire.mutate(input, info, async () => ({}))
    },
  },
}

const house = (alias: string, id: string) => `${alias}: createHouse(input: { id: "${id}", name: "${id}" }) { house { id etag countOfCages } }`
const cage = (alias: string, id: string, houseId: string) => `${alias}: createCage(input: { id: "${id}", name: "${id}", houseId: "${houseId}" }) { cage { id house { name countOfCages } } }`

function codes({ errors = [] }: Answer): string[] {
  return errors.map(({ path = [], extensions }) => [...path, extensions?.code].join(' '))
}

const opened: Ask[] = []
afterEach(async () => {
  for (const ask of opened.splice(0)) await ask.close()
})

const able = stores.filter(({ name }) => name !== 'cosmos')

describe.each(able)('on $name', ({ store }) => {
  const open = async (options: object = {}): Promise<Ask> => {
    const ask = await openGateway({ typeDefs, resolvers, store, ...options })
    opened.push(ask)
    return ask
  }
  test('each field sees the changes of those before it, and every payload shows the documents after all of them', async () => {
    const ask = await open()
    const { data, errors } = await ask(`mutation @atomic { __typename ${house('h', 'h1')} ${cage('a', 'c1', 'h1')} ${cage('b', 'c2', 'h1')} renamed: updateHouse(input: { id: "h1", name: "New" }) { house { name } } look }`)
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({
      __typename: 'Mutation', h: { house: { id: 'h1', etag: expect.stringMatching(/./) as string, countOfCages: 2 } }, look: 'seen', renamed: { house: { name: 'New' } },
      a: { cage: { id: 'c1', house: { name: 'New', countOfCages: 2 } } }, b: { cage: { id: 'c2', house: { name: 'New', countOfCages: 2 } } },
    })
    expect(Object.keys(data!)).toEqual(['__typename', 'h', 'a', 'b', 'renamed', 'look'])
  })

  test.each([
    ['the last field fails', `${house('h', 'h1')} ${cage('a', 'c1', 'nowhere')}`, 'a REFERENCE_MISSING'],
    ['the first field fails', `${cage('a', 'c1', 'nowhere')} ${house('h', 'h1')}`, 'a REFERENCE_MISSING'],
    ['a field fails before it writes', `${house('h', 'h1')} refuse(input: {}) { clientMutationId }`, 'refuse CONFLICT'],
    ['two fields create the same document', `${house('h', 'h1')} ${house('again', 'h1')}`, 'again CONFLICT'],
  ])('when %s, nothing is written', async (_, fields, failed) => {
    const ask = await open()
    const answer = await ask(`mutation @atomic { ${fields} }`)
    // GraphQL reports one error for a null that fills the whole answer.
    expect(codes(answer)[0]).toBe(failed)
    expect(codes(answer).slice(1).every((code) => code.endsWith('ABORTED'))).toBe(true)
    expect((await ask('{ houses { totalCount } cages { totalCount } }')).data).toEqual({ houses: { totalCount: 0 }, cages: { totalCount: 0 } })
    // Without it the fields stand alone.
    await ask(`mutation { ${fields} }`)
    const { houses } = (await ask('{ houses { totalCount } }')).data as { houses: { totalCount: number } }
    expect(houses.totalCount).toBe(failed.startsWith('a') && fields.startsWith('a') ? 0 : 1)
  })

  test('a document is deleted and created again under its id', async () => {
    const ask = await open()
    await ask(`mutation { ${house('h', 'h1')} ${cage('a', 'c1', 'h1')} ${house('i', 'h2')} }`)
    const { data, errors } = await ask(`mutation @atomic { deleteCage(input: { id: "c1" }) { cage { id } } ${cage('again', 'c1', 'h2')} }`)
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({ again: { cage: { id: 'c1', house: { name: 'h2', countOfCages: 1 } } } })
    expect((await ask('{ houses { nodes { id countOfCages cages { totalCount } } } }')).data).toEqual({ houses: { nodes: [{ id: 'h1', countOfCages: 0, cages: { totalCount: 0 } }, { id: 'h2', countOfCages: 1, cages: { totalCount: 1 } }] } })
  })

  test('a field whose arguments cannot be used keeps the others from being written', async () => {
    const ask = await open()
    await ask(`mutation ($input: CreateHouseInput = { name: "x" }) @atomic { ${house('h', 'h1')} bad: createHouse(input: $input) { house { id } } }`, { variables: { input: null } })
    expect((await ask('{ houses { totalCount } }')).data).toEqual({ houses: { totalCount: 0 } })
  })

  test('the second unit of work of one field, which would be committed by itself, is a mistake', async () => {
    const ask = await open()
    expect((await ask('mutation @atomic { twice(input: {}) { clientMutationId } }')).errors).toHaveLength(1)
  })

  test('where effects follow through the feed, too', async () => {
    const ask = await open({ effects: 'feed', followEveryMs: 5 })
    expect((await ask(`mutation @atomic { ${house('h', 'h1')} ${cage('a', 'c1', 'h1')} }`)).errors).toBeUndefined()
    expect((await ask(`mutation @atomic { ${cage('b', 'c2', 'h1')} ${cage('bad', 'c3', 'nowhere')} }`)).errors!.length).toBeGreaterThan(0)
    expect((await ask('{ cages { nodes { id } } }')).data).toEqual({ cages: { nodes: [{ id: 'c1' }] } })
  })
})

test.each(stores.filter(({ name }) => name === 'cosmos'))('$name refuses it, and writes nothing', async ({ store }) => {
  const ask = await openGateway({ typeDefs, resolvers, store })
  opened.push(ask)
  expect((await ask(`mutation @atomic { ${house('h', 'h1')} }`)).errors).toMatchObject([{ extensions: { code: 'ATOMIC_UNSUPPORTED' } }])
  expect((await ask('{ houses { totalCount } }')).data).toEqual({ houses: { totalCount: 0 } })
})

test('it holds in production, also for an operation that was asked before', async () => {
  const zoo = await openZoo()
  const both = 'mutation @atomic { first: updateCage(input: { id: "c1", name: "New" }) { cage { name } } second: updateCage(input: { id: "nothing", name: "New" }) { cage { name } } }'
  for (let time = 0; time < 3; time++) expect((await zoo.ask(both)).body.errors!.length).toBeGreaterThan(0)
  expect((await zoo.ask('{ cage(id: "c1") { name } }')).body.data).toEqual({ cage: { name: 'Old' } })
  for (let time = 0; time < 3; time++) expect((await zoo.ask(both.replace('nothing', 'c1'))).body.errors).toBeUndefined()
  expect((await zoo.ask('{ cage(id: "c1") { name } }')).body.data).toEqual({ cage: { name: 'New' } })
})
