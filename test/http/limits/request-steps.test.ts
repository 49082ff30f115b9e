// One count of steps goes through parsing, measuring, validation, coercion, planning and the budget: whichever of them a request
// makes long, it ends there, and what no other limit counts is counted.

import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { RequestSteps } from '../../../src/plan/request-steps.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { createGateway, type GatewayOptions } from '../../../src/gateway.ts'
import type { Gateway } from '../../../src/http/gateway-server.ts'
import { createLog } from '../../../src/observe/log/log.ts'
import { listenOn } from '../../over-http.ts'

const kinds = Array.from({ length: 30 }, (_, at) => `Kind${at}`)
const typeDefs = `
  interface Thing { id: ID! near(at: [Int!]): Thing }
  ${kinds.map((name) => `type ${name} implements Thing { id: ID! near(at: [Int!]): Thing }`).join('\n')}
  type Cage @document(container: "cages") { id: ID! size: Int @indexed }
  extend type Query { thing: Thing sum(of: [Int!]): Int }
`
const options: GatewayOptions = {
  typeDefs, store: openMemoryStore, openReads: true, development: false, log: createLog({ level: 'silent', readable: false }), cursorSecret: 'tests',
  resolvers: { Query: { thing: () => null, sum: () => 0 }, Thing: { __resolveType: () => 'Kind0' }, ...Object.fromEntries(kinds.map((name) => [name, { near: () => null }])) },
}

const times = (count: number, of: (at: number) => string): string => Array.from({ length: count }, (_, at) => of(at)).join(' ')

/** Each is short, within all other limits, and long for one of those that look at it. */
const long: readonly { readonly name: string; readonly steps: number; readonly query: string; readonly variables?: Record<string, unknown> }[] = [
  { name: 'parsing', steps: 400, query: `{ sum(of: [${'1 '.repeat(450)}]) }` },
  { name: 'measuring: selections of one field that are compared with each other', steps: 8000, query: `{ thing { ${'id '.repeat(99)} ${'near { id } '.repeat(90)} } }` },
  { name: 'validation: variables in a fragment of many operations', steps: 40_000, query: `${times(150, (at) => `query Q${at}($of: [Int!]) { ...F }`)} fragment F on Query { ${times(60, (at) => `a${at}: sum(of: $of)`)} }` },
  { name: 'coercion', steps: 8000, query: 'query ($of: [Int!]) { sum(of: $of) }', variables: { of: Array.from({ length: 9000 }, () => 1) } },
  { name: 'planning: fragments that do not apply', steps: 13_000, query: `{ thing { id ${times(180, (at) => `... on ${kinds[at % 30]} { a${at}: __typename }`)} } }` },
  { name: 'planning: nodes for each type', steps: 8000, query: `{ thing { near { ${times(15, (at) => `a${at}: id`)} } } }` },
  { name: 'planning: the arguments of a field at each place of its fragment', steps: 20_000, query: `{ ${times(20, (at) => `a${at}: thing { ...F }`)} } fragment F on Kind0 { near(at: [${'1 '.repeat(1000)}]) { ... on Kind0 { __typename } } }` },
]

describe.each([['fast path', {}], ['Yoga', { 'quire-trace': '0' }], ['Yoga, traced', { 'quire-trace': '1' }]] as const)('%s', (_, headers) => {
  const ask = async (gateway: Gateway, query: string, variables = {}): Promise<{ data?: unknown; errors?: { extensions: { code: string }; message: string }[] }> => {
    const { port, closeServer } = await listenOn(gateway)
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query, variables, ...(query.includes('Q0') ? { operationName: 'Q0' } : {}) }) })
    const answer = await response.json() as object
    closeServer()
    return answer
  }

  test.each(long)('$name ends at the limit', async ({ steps, query, variables }) => {
    const few: Gateway = await createGateway({ ...options, limits: { steps } })
    expect(await ask(few, query, variables)).toMatchObject({ errors: [{ message: expect.stringContaining(`${steps} steps`) as string, extensions: { code: 'LIMIT_EXCEEDED' } }] })
    await few.dispose()
  })

  test.each(long)('$name is answered where it is allowed', async ({ query, variables }) => {
    const gateway: Gateway = await createGateway(options)
    expect((await ask(gateway, query, variables)).errors).toBeUndefined()
    await gateway.dispose()
  })
})

describe('an operation that is remembered', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await createGateway(options)
    return () => gateway.dispose()
  })
  afterEach(() => vi.restoreAllMocks())

  test('takes no steps', async () => {
    const { port, closeServer } = await listenOn(gateway)
    const take = vi.spyOn(RequestSteps.prototype, 'take')
    const taken: number[] = []
    for (let time = 1; time <= 3; time++) {
      await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '{ cages { nodes { size } } }' }) })
      taken.push(take.mock.calls.length)
      take.mockClear()
    }
    expect(taken[0]).toBeGreaterThan(0)
    expect(taken[2]).toBe(0)
    closeServer()
  })
})
