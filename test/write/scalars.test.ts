// Known scalars on every store: validated when written, filtered and ordered by value, the same in the compiled way and in GraphQL.js.

import { describe, expect, test } from 'vitest'
import { checkAllTenants } from '../../src/evolve/check/check-tenants.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { problemsOf } from '../model/problems-of.ts'
import { expectAllWaysAgree } from '../relations/relation-suite.ts'
import { openGateway, stores } from '../harness.ts'
import { expectRefused, openWritable, written } from './open-writable.ts'

const typeDefs = /* GraphQL */ `
  scalar DateTime
  scalar Date
  scalar Decimal
  scalar BigInt
  scalar UUID
  scalar URL
  scalar EmailAddress
  scalar JSON
  type Event @document(container: "events") {
    id: ID!
    at: DateTime @indexed @constraint(min: "2000-01-01T00:00:00Z")
    day: Date @indexed
    price: Decimal @indexed @constraint(min: 0, max: "99.95") @default(value: "1.50")
    bytes: BigInt @indexed
    key: UUID @unique
    page: URL @indexed
    email: EmailAddress @indexed
    more: JSON
    moments: [DateTime!]! @contained(max: 3)
    host: Host @snapshot(at: "host", fields: ["since"])
  }
  type Host @document(container: "hosts") { id: ID! since: DateTime! }
`
const create = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { id } } }'
const inputs = [
  { id: 'e1', at: '2024-03-01T10:00:00+02:00', day: '2024-03-01', price: '9.90', bytes: '9007199254740993', key: '3F2504E0-4F89-41D3-9A0C-0305E82C3301', page: 'https://Example.com', email: 'a@example.com', more: { deep: [1, { x: null }] }, moments: ['2024-03-01T10:00:00Z'], hostId: 'h1' },
  { id: 'e2', at: '2024-03-01T09:00:00Z', day: '2023-12-31', price: 10, bytes: -5, email: 'b@example.com' },
  { id: 'e3', at: '1999-12-31T20:00:00-05:00', day: '0999-01-01', price: '0.5', bytes: '9007199254740992', more: [] },
  { id: 'e4' },
]
const documents = { Host: [{ id: 'h1', since: '2020-01-01T00:00:00.000Z' }] }
const everything = 'id at day price bytes key page email more moments host { id since }'

describe.each(stores)('known scalars on $name', ({ store }) => {
  const open = async () => {
    const world = await openWritable({ typeDefs, store, documents })
    for (const input of inputs) await written(world.ask, create, { input })
    return world
  }

  test('are stored in one form and shown', async () => {
    const { ask, bodies } = await open()
    const { e1, e2, e4 } = await bodies('events')
    expect(e1).toMatchObject({ at: '2024-03-01T08:00:00.000Z', day: '2024-03-01', price: 9.9, bytes: 'p169007199254740993', key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', page: 'https://example.com/', more: { deep: [1, { x: null }] }, moments: ['2024-03-01T10:00:00.000Z'] })
    expect(e2).toMatchObject({ price: 10, bytes: 'n984' })
    expect(e4).toMatchObject({ price: 1.5 })
    const { data } = await ask(`{ event(id: "e1") { ${everything} } eventByKey(key: "3f2504e0-4f89-41d3-9a0c-0305e82c3301") { id } }`)
    expect(data).toEqual({
      event: { id: 'e1', at: '2024-03-01T08:00:00.000Z', day: '2024-03-01', price: '9.9', bytes: '9007199254740993', key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', page: 'https://example.com/', email: 'a@example.com', more: { deep: [1, { x: null }] }, moments: ['2024-03-01T10:00:00.000Z'], host: { id: 'h1', since: '2020-01-01T00:00:00.000Z' } },
      eventByKey: { id: 'e1' },
    })
  })

  test.each<[string, readonly string[]]>([
    ['filter: { at: { gte: "2024-03-01T09:30:00+01:00" } }', ['e2']],
    ['filter: { at: { eq: "2024-03-01T08:00:00Z" } }', ['e1']],
    ['filter: { at: { lt: "2024-03-01T08:30:00Z" } }', ['e1', 'e3']],
    ['filter: { day: { gt: "0999-01-01", lte: "2024-03-01" } }', ['e1', 'e2']],
    ['filter: { price: { gt: "9.90" } }', ['e2']],
    ['filter: { price: { in: [9.9, "0.50"] } }', ['e1', 'e3']],
    ['filter: { bytes: { gt: "9007199254740992" } }', ['e1']],
    ['filter: { bytes: { lt: 0 } }', ['e2']],
    ['filter: { bytes: { eq: 9007199254740993 } }', ['e1']],
    ['filter: { key: { eq: "3F2504E0-4F89-41D3-9A0C-0305E82C3301" } }', ['e1']],
    ['filter: { page: { startsWith: "https://example.com/" } }', ['e1']],
    ['filter: { email: { in: ["a@example.com", "b@example.com"] } }', ['e1', 'e2']],
    ['filter: { email: { endsWith: "@example.com" } }', ['e1', 'e2']],
    ['filter: { email: { startsWith: "b", icontains: "EXAMPLE", iendsWith: ".Com" } }', ['e2']],
    ['filter: { email: { contains: "a@", istartsWith: "A" } }', ['e1']],
    ['filter: { email: { ieq: "A@Example.com" } }', ['e1']],
    ['filter: { page: { contains: "example" } }', ['e1']],
    ['orderBy: { field: AT }', ['e4', 'e3', 'e1', 'e2']],
    ['orderBy: { field: DAY, direction: DESC }', ['e1', 'e2', 'e3', 'e4']],
    ['orderBy: { field: PRICE }', ['e3', 'e4', 'e1', 'e2']],
    ['orderBy: { field: BYTES }', ['e4', 'e2', 'e3', 'e1']],
  ])('events(%s)', async (args, ids) => {
    const all = await open().then(({ store: opened }) => opened)
    const shared = async () => new Proxy(all, { get: (target, name) => (name === 'close' ? async () => undefined : typeof Reflect.get(target, name) === 'function' ? (Reflect.get(target, name) as () => void).bind(target) : Reflect.get(target, name)) })
    const [chosen, naive] = await Promise.all([openGateway({ typeDefs, store: shared }), openGateway({ typeDefs, store: shared, strategy: 'naive' })])
    const query = `{ events(${args}) { nodes { ${everything} } totalCount } }`
    const { data, errors } = await chosen(query)
    expect(errors).toBeUndefined()
    expect((data!['events'] as { nodes: { id: string }[] }).nodes.map(({ id }) => id)).toEqual(ids)
    await expectAllWaysAgree({ chosen, naive }, query, {})
  })

  test('pages of an order by such a value continue where they ended', async () => {
    const { ask } = await open()
    const seen: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const { data } = await ask('query ($after: String) { events(first: 1, after: $after, orderBy: { field: BYTES, direction: DESC }) { nodes { id } pageInfo { hasNextPage endCursor } } }', { variables: { after } })
      const page = data!['events'] as { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
      seen.push(...page.nodes.map(({ id }) => id));
      [after, more] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage]
    }
    expect(seen).toEqual(['e1', 'e3', 'e2', 'e4'])
  })

  test('"in" takes a thousand values, and no more', async () => {
    const { ask } = await open()
    const values = Array.from({ length: 1000 }, (_, at) => (at === 500 ? '9.90' : `${at + 20}.25`))
    const query = 'query ($values: [Decimal!]) { events(filter: { price: { in: $values } }) { nodes { id } totalCount } }'
    expect((await ask(query, { variables: { values } })).data).toEqual({ events: { nodes: [{ id: 'e1' }], totalCount: 1 } })
    expect((await ask(query, { variables: { values: [...values, '1'] } })).errors).toMatchObject([{ path: ['events'], extensions: { code: 'BAD_USER_INPUT' } }])
  })

  test.each<[string, unknown]>([
    ['at', '2024-02-30T00:00:00Z'], ['at', 1], ['day', '2024-1-1'], ['price', '1e3'], ['price', '1.2345678901234567'], ['bytes', '1.5'], ['bytes', 1e300], ['key', 'x'], ['page', 'no url'], ['email', 'nobody'],
  ])('%s refuses %j, with its place, and nothing is written', async (field, value) => {
    const world = await openWritable({ typeDefs, store, documents })
    await expectRefused(world, create, { code: 'BAD_USER_INPUT', says: `"input.${field}"` }, { input: { [field]: value } })
    await expectRefused(world, `mutation { createEvent(input: { ${field}: ${JSON.stringify(value).replace('e+', 'e')} }) { event { id } } }`, { code: 'GRAPHQL_VALIDATION_FAILED' })
    if (field !== 'key') expect((await world.ask(`{ events(filter: { ${field}: { eq: ${JSON.stringify(value).replace('e+', 'e')} } }) { totalCount } }`)).errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
  })

  test('bounds compare values, whatever they are written as', async () => {
    const world = await openWritable({ typeDefs, store, documents })
    const refused = async (input: object) => (await world.ask(create, { variables: { input } })).errors?.[0]?.extensions
    expect(await refused({ at: '1999-12-31T23:59:59Z' })).toMatchObject({ code: 'BAD_USER_INPUT', input: ['at'], constraint: { min: '2000-01-01T00:00:00.000Z' } })
    expect(await refused({ at: '1999-12-31T23:59:59-05:00' })).toBeUndefined()
    expect(await refused({ price: '99.951' })).toMatchObject({ input: ['price'], constraint: { max: 99.95 } })
    expect(await refused({ price: '-0.01' })).toMatchObject({ constraint: { min: 0 } })
    expect(await refused({ id: 'one', key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' })).toBeUndefined()
    expect(await refused({ key: '3F2504E0-4F89-41D3-9A0C-0305E82C3301' })).toMatchObject({ code: 'NOT_UNIQUE', field: 'Event.key', holder: 'one' })
  })

  test('check finds values that other programs wrote in another form; they are shown, and what is none is an error', async () => {
    const world = await openWritable({ typeDefs, store, documents: { ...documents, Event: [{ id: 'old', at: '2024-03-01T10:00:00+02:00', bytes: 42, day: '2024-13-01', more: 'anything' }] } })
    const found = await Array.fromAsync(checkAllTenants(readDeclaration(typeDefs), world.store))
    expect(found.map(({ kind, at }) => `${kind} ${at}`).toSorted()).toEqual(['invalid Event.at', 'invalid Event.bytes', 'invalid Event.day'])
    const { data, errors } = await world.ask('{ event(id: "old") { at bytes day more } }')
    expect(data).toEqual({ event: { at: '2024-03-01T08:00:00.000Z', bytes: '42', day: null, more: 'anything' } })
    expect(errors).toMatchObject([{ path: ['event', 'day'], extensions: { code: 'DOCUMENT_INVALID' } }])
  })
})

test('what cannot be compared has no index, and a resolver of a known scalar is refused', async () => {
  expect(problemsOf('scalar JSON type Post @document(container: "posts") { id: ID! more: JSON @indexed }')).toEqual([expect.stringContaining('Post.more: values of JSON cannot be compared')])
  expect(problemsOf('scalar JSON type Post @document(container: "posts") { id: ID! more: JSON @unique }')).toEqual([expect.stringContaining('Post.more: @unique needs one stored value')])
  expect(problemsOf('scalar Date type Post @document(container: "posts") { id: ID! day: Date @default(value: "tomorrow") }')).toEqual([expect.stringContaining('Post.day: @default(value: "tomorrow") is no Date')])
  await expect(openGateway({ typeDefs, store: stores[0]!.store, resolvers: { Date: {} } })).rejects.toThrow('resolvers.Date: Quire reads, stores and shows Date itself')
})
