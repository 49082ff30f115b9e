// Resolvers and functions are checked against the schema when a gateway starts, before it opens its store.

import type { IResolvers } from '@graphql-tools/utils'
import { describe, expect, test } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { DeclarationError } from '../../src/model/sdl/declaration-error.ts'
import { readSdl } from '../../src/model/sdl/read-sdl.ts'
import type { Derive } from '../../src/relations/kind.ts'
import { refusingResolvers } from '../../src/execute/check-resolvers.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'

const zoo = `type Cage @document(container: "cages") { id: ID! size: Size label: String! @derived }
enum Size { SMALL LARGE }
input Visit { by: String! }
union Found = Lion | Bear
type Lion @shape(has: "mane") { mane: String }
type Bear @shape(has: "fur") { fur: String }
scalar Day
`
const roots = `extend type Query {
  largest: Cage
}
extend type Mutation {
  clean(cage: ID!): Boolean
}
type Subscription {
  cleaned: Cage
}`
const derive: Derive = { Cage: { label: ({ id }) => `Cage ${id as string}` } }
const answered = { Query: { largest: () => null }, Mutation: { clean: () => true }, Subscription: { cleaned: { subscribe: async function* () { yield {} } } } }

describe('a root field of the schema without a resolver', () => {
  test('is an error that names the field with its file and line, and what to write', async () => {
    const problems = await problemsOf({})
    expect(problems).toHaveLength(3)
    expect(problems[0]).toMatch(/^zoo\.graphql:9:3: Query\.largest: .*resolvers: { Query: { largest: /)
    expect(problems[1]).toMatch(/^zoo\.graphql:12:3: Mutation\.clean: .*resolvers: { Mutation: { clean: /)
    expect(problems[2]).toMatch(/^zoo\.graphql:15:3: Subscription\.cleaned: .*{ subscribe: /)
  })

  test('of Subscription needs subscribe', async () => {
    expect(await problemsOf({ ...answered, Subscription: { cleaned: () => ({}) } })).toEqual([expect.stringMatching(/^zoo\.graphql:15:3: Subscription\.cleaned: /)])
  })

  test('fails before the store is opened', async () => {
    let opened = false
    const store = async () => {
      opened = true
      return openMemoryStore([])
    }
    await expect(createGateway({ typeDefs: zoo + roots, derive, store })).rejects.toThrow(DeclarationError)
    expect(opened).toBe(false)
  })
})

test('a schema with all of its resolvers is served', async () => {
  expect(await problemsOf({
    ...answered, Cage: { label: () => 'Mine' }, Node: { __resolveType: () => 'Cage' }, Found: { __resolveType: () => 'Lion' },
    Size: { SMALL: 1, LARGE: 2 }, Query: { ...answered.Query, cage: { resolve: () => null } },
  })).toEqual([])
})

describe('a resolver that would never be called', () => {
  test.each<[string, IResolvers, RegExp]>([
    ['of an unknown type', { Cgae: { label: () => '' } }, /^resolvers\.Cgae: .*Did you mean Cage\?/],
    ['of an unknown field', { Cage: { lable: () => '' } }, /^resolvers\.Cage\.lable: .*Did you mean label\?/],
    ['of an unknown root field', { Query: { largets: () => null } }, /^resolvers\.Query\.largets: .*Did you mean largest\?/],
    ['of an unknown field that resembles none', { Cage: { colour: () => '' } }, /^resolvers\.Cage\.colour: .*Declare it/],
    ['of an unknown enum value', { Size: { SMAL: 1 } }, /^resolvers\.Size\.SMAL: .*Did you mean SMALL\?/],
    ['of an input', { Visit: { by: () => '' } }, /^resolvers\.Visit: .*input/],
    ['of a field of a union', { Found: { mane: () => '' } }, /^resolvers\.Found\.mane: /],
    ['that is no function', { Cage: { label: 'x' } }, /^resolvers\.Cage\.label: .*function/],
  ])('%s', async (_, wrong, expected) => {
    const { Query = {}, ...others } = wrong as Record<string, object>
    expect(await problemsOf({ ...answered, ...others, Query: { ...answered.Query, ...Query } })).toEqual([expect.stringMatching(expected)])
  })
})

describe('a function of derive that would never be called', () => {
  test.each<[string, Derive, RegExp]>([
    ['of an unknown type', { ...derive, Cgae: { label: () => '' } }, /^derive\.Cgae: .*Did you mean Cage\?/],
    ['of an unknown field', { Cage: { ...derive['Cage'], lable: () => '' } }, /^derive\.Cage\.lable: .*Did you mean label\?/],
    ['of a field that is not derived', { Cage: { ...derive['Cage'], size: () => '' } }, /^zoo\.graphql:1:\d+: Cage\.size: .*@derived/],
  ])('%s', async (_, wrong, expected) => {
    expect(await problemsOf(answered, wrong)).toEqual([expect.stringMatching(expected)])
  })

  test('a @derived field without a function is an error too', async () => {
    expect(await problemsOf(answered, {})).toEqual([expect.stringMatching(/^zoo\.graphql:1:\d+: Cage\.label: .*derive: { Cage: { label: /)])
  })
})

test('gateways that only measure run without the resolvers', async () => {
  expect(await problemsOf(refusingResolvers(readDeclaration(zoo + roots, derive)))).toEqual([])
})

async function problemsOf(resolvers: IResolvers, functions = derive): Promise<readonly string[]> {
  try {
    const gateway = await createGateway({ typeDefs: readSdl(zoo + roots, 'zoo.graphql'), derive: functions, resolvers, store: openMemoryStore })
    await gateway.dispose()
    return []
  } catch (error) {
    if (error instanceof DeclarationError) return error.problems
    throw error
  }
}

describe('what would do nothing is an error', () => {
  test.each([
    ['an argument of a stored field', 'price(in: String): Float', /Item\.price: nothing reads its argument in\b/],
    ['arguments of a reference', 'like(a: Int, b: Int): Item @reference(at: "likeId")', /Item\.like: nothing reads its arguments a and b\b/],
    ['an argument of a connection beside those of pages', 'likes: ItemConnection! @reverse(of: "Item.like") like: Item @reference(at: "likeId") more(first: Int, sorted: Boolean): ItemConnection! @reverse(of: "Item.like")', /Item\.more: nothing reads its argument sorted\b/],
  ])('%s', async (_, fields, line) => {
    expect(await problemsIn(shop(fields))).toEqual([expect.stringMatching(line)])
  })

  test('a resolver may read arguments', async () => {
    expect(await problemsIn(shop('price(in: String): Float'), { Item: { price: () => 1 } })).toEqual([])
  })

  test('a resolver of an interface', async () => {
    expect(await problemsIn(shop(''), { Named: { name: () => 'x' } })).toEqual([expect.stringMatching(/resolvers\.Named\.name: .*Move the resolver to Item\./)])
  })
})

function shop(fields: string): string {
  return `interface Named { name: String } type Item implements Named @document(container: "items") { id: ID! name: String ${fields} }`
}

async function problemsIn(typeDefs: string, resolvers: IResolvers = {}): Promise<readonly string[]> {
  try {
    await createGateway({ typeDefs, resolvers, store: openMemoryStore, cursorSecret: 'tests', openReads: true }).then((gateway) => gateway.dispose())
    return []
  } catch (error) {
    return (error as DeclarationError).problems
  }
}
