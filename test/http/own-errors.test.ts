// Errors in the user's own code: development shows message and stack, production masks both, and the log always has them.

import { Writable } from 'node:stream'
import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { listenOn } from '../over-http.ts'

const secret = 'swordfish'

function fail(): never {
  throw new Error(`the password is ${secret}`)
}

const typeDefs = `
  type Cage @document(container: "cages") { id: ID! name: String! label: String! @derived slogan: String }
  extend type Query { fails: String slowlyFails: String throwsText: String rejectsNothing: String nothing: String! notAList: [String] withoutCode: String }
  extend type Mutation { clean: Boolean feed: Fed }
  type Fed { portions: Int }
  type Subscription { refused: Cage opened: Cage broken: Cage }`

const resolvers = {
  Query: {
    fails: fail,
    slowlyFails: async () => fail(),
    throwsText: () => {
      throw `the password is ${secret}`
    },
    rejectsNothing: () => Promise.reject(undefined),
    nothing: () => null,
    notAList: () => secret,
    withoutCode: () => {
      throw new GraphQLError('no code')
    },
  },
  Mutation: { clean: fail, feed: () => ({ portions: secret }) },
  Cage: { slogan: fail },
  Subscription: {
    refused: { subscribe: fail },
    opened: { subscribe: async function* () { yield {} }, resolve: fail },
    broken: { subscribe: async function* () { yield fail() } },
  },
}

async function open(development: boolean, options: { compiles?: boolean; identity?: { viewerOf: () => never } } = {}) {
  const lines: Record<string, unknown>[] = []
  const to = new Writable({ write: (chunk: Buffer, _, done) => (lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>), done()) })
  const gateway = await createGateway({
    typeDefs, resolvers, derive: { Cage: { label: fail } }, development, openReads: true, openWrites: true, store: openMemoryStore, cursorSecret: 'tests', log: createLog({ level: 'error', readable: false, to }),
    seed: () => [{ kind: 'put', container: 'cages', key: { partition: ['c1'], id: 'c1' }, body: { id: 'c1', name: 'Big' } }],
    ...options,
  })
  const { port, closeServer } = await listenOn(gateway)
  return {
    lines,
    ask: async (query: string, headers: Record<string, string> = {}): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json', ...headers }, body: JSON.stringify({ query }) })
      return response.text()
    },
    close: async () => {
      closeServer()
      await gateway.dispose()
    },
  }
}

const events = { accept: 'text/event-stream' }
const operations: readonly [string, string, Record<string, string>?][] = [
  ['a root field', '{ fails }'],
  ['a root field, later', '{ slowlyFails }'],
  ['a mutation', 'mutation { clean }'],
  ['a resolver of a stored field', '{ cage(id: "c1") { slogan } }'],
  ['a derive function', '{ cage(id: "c1") { label } }'],
  ['a derive function in a list', '{ cages { nodes { label } } }'],
  ['subscribe', 'subscription { refused { id } }', events],
  ['the resolver of an event', 'subscription { opened { id } }', events],
  ['the source of events', 'subscription { broken { id } }', events],
]

describe.each([['with compiled plans', { compiles: true }], ['with GraphQL.js alone', { compiles: false }]])('an error %s', (_, options) => {
  test.each(operations)('in %s is shown in development', async (__, query, headers) => {
    const { lines, ask, close } = await open(true, options)
    const text = await ask(query, headers)
    expect(text).toContain(secret)
    expect(text).toContain('own-errors.test.ts')
    expect(text).toContain('"code":"INTERNAL_SERVER_ERROR"')
    expectLogged(lines)
    await close()
  })

  test.each(operations)('in %s is masked in production', async (__, query, headers) => {
    const { lines, ask, close } = await open(false, options)
    // A known operation takes the fast path.
    for (let time = 0; time < 3; time++) {
      const text = await ask(query, headers)
      expect(text).toContain('"message":"Unexpected error."')
      expect(text).toContain('"code":"INTERNAL_SERVER_ERROR"')
      expect(text).not.toContain(secret)
      expect(text).not.toContain('own-errors.test.ts')
    }
    expect(lines).toHaveLength(3)
    expectLogged(lines)
    await close()
  })
})

describe.each([['with compiled plans', { compiles: true }], ['with GraphQL.js alone', { compiles: false }]])('in production %s, the log says why', (_, options) => {
  test.each([
    ['a resolver that throws text', '{ throwsText }', `Unexpected error value: "the password is ${secret}"`],
    ['a resolver that rejects with nothing', '{ rejectsNothing }', 'Unexpected error value: undefined'],
    ['null for a non-null field', '{ nothing }', 'Cannot return null for non-nullable field Query.nothing.'],
    ['no list for a list', '{ notAList }', 'Expected Iterable, but did not find one for field "Query.notAList".'],
  ])('of %s, and the client learns nothing', async (__, query, reason) => {
    const { lines, ask, close } = await open(false, options)
    for (let time = 0; time < 3; time++) {
      const text = await ask(query)
      expect(text).toContain('"code":"INTERNAL_SERVER_ERROR"')
      expect(text).not.toContain(secret)
    }
    expect(lines.map((line) => line['reason'])).toEqual([reason, reason, reason])
    expect(lines[0]).not.toHaveProperty('err')
    await close()
  })

  test('of text for a number, without the value', async () => {
    const { lines, ask, close } = await open(false, options)
    expect(await ask('mutation { feed { portions } }')).not.toContain(secret)
    expect(lines).toMatchObject([{ code: 'INTERNAL_SERVER_ERROR', at: 'feed.portions' }])
    expect(JSON.stringify(lines)).toContain('portions: Int cannot represent its value')
    expect(JSON.stringify(lines)).not.toContain(secret)
    await close()
  })

  test('of a GraphQLError without a code', async () => {
    const { lines, ask, close } = await open(false, options)
    await ask('{ withoutCode }')
    expect(lines).toMatchObject([{ code: 'INTERNAL_SERVER_ERROR', at: 'withoutCode', err: { message: 'no code', stack: expect.stringContaining('own-errors.test.ts') as string } }])
    await close()
  })
})

test.each([[true], [false]])('an error of your identity is treated the same, development %s', async (development) => {
  const { lines, ask, close } = await open(development, { identity: { viewerOf: fail } })
  const text = await ask('{ cages { totalCount } }')
  expect(text).toContain('"code":"INTERNAL_SERVER_ERROR"')
  expect(text.includes(secret)).toBe(development)
  expect(text.includes('own-errors.test.ts')).toBe(development)
  expectLogged(lines)
  await close()
})

test('NODE_ENV does not decide', async () => {
  const before = process.env['NODE_ENV']
  try {
    for (const [development, environment] of [[true, 'production'], [false, 'development']] as const) {
      process.env['NODE_ENV'] = environment
      const { ask, close } = await open(development)
      expect((await ask('{ fails }')).includes(secret)).toBe(development)
      await close()
    }
  } finally {
    process.env['NODE_ENV'] = before
  }
})

function expectLogged(lines: readonly Record<string, unknown>[]): void {
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    expect(line).toMatchObject({ level: 'error', code: 'INTERNAL_SERVER_ERROR', err: { message: expect.stringContaining(secret) as string, stack: expect.stringContaining('own-errors.test.ts') as string } })
  }
}
