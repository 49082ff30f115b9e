// Which way an operation takes in production, over real sockets: observing it, asking who it is for and keeping tenants apart
// change what is noted beside it, never how it is read. Only a cost report takes another way, and says so in the docs.

import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Identity } from '../../src/auth/identity.ts'
import { CompiledQuery } from '../../src/execute/compiled/compiled-query.ts'
import type * as GraphqlJs from '../../src/execute/graphql-js.ts'
import type { Operation } from '../../src/execute/operation.ts'
import { Operations } from '../../src/execute/operations.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { listenOn, post } from '../over-http.ts'
import { newFile } from '../store/sqlite/new-file.ts'

/** What answered, in the order in which it was asked. */
const way: string[] = []

vi.mock('../../src/execute/graphql-js.ts', async (original) => {
  const module = await original<typeof GraphqlJs>()
  return { ...module, graphqlJsOperation: (...args: Parameters<typeof GraphqlJs.graphqlJsOperation>) => {
    way.push('GraphQL.js')
    return module.graphqlJsOperation(...args)
  } }
})

around<Operations, unknown>(Operations.prototype, 'answer', (call) => {
  way.push('fast path')
  return call()
})
around<Operations, unknown>(Operations.prototype, 'begin', (call) => {
  way.push('Yoga')
  return call()
})
around<CompiledQuery, unknown>(CompiledQuery.prototype, 'run', (call) => {
  const answered = call()
  way.push(answered instanceof Promise ? 'compiled plan, later' : answered === undefined ? 'given up' : 'compiled plan at once')
  return answered
})
around<CompiledQuery, Operation>(CompiledQuery.prototype, 'forYoga', (call) => {
  const operation = call()
  return { ...operation, compiled: async () => {
    const answered = await operation.compiled!()
    way.push(answered === undefined ? 'given up' : 'compiled plan')
    return answered
  } }
})

function around<T extends object, R>(type: T, name: keyof T, instead: (call: () => R) => R): void {
  const original = type[name] as (...args: unknown[]) => R
  Object.defineProperty(type, name, { value(this: T, ...args: unknown[]) {
    return instead(() => original.apply(this, args))
  } })
}

const typeDefs = `
  type Book @document(container: "books") { id: ID!  name: String! @indexed  writer: Writer @snapshot(at: "writer", fields: ["name"]) }
  type Writer @document(container: "writers") { id: ID!  name: String!  born: Int  books(first: Int): BookConnection! @reverse(of: "Book.writer") }`

const withRules = typeDefs.replaceAll(' {', ' @readable(by: SIGNED_IN) {').replace('born: Int', 'born: Int @readable(roles: ["staff"])')

/** Copies, lookups, a list of a list, and a count. */
const query = 'query Shelf { books(first: 10, filter: { name: { startsWith: "M" } }) { totalCount nodes { name writer { name born books(first: 2) { nodes { name } } } } } }'
const writes = [
  'mutation { createWriter(input: { id: "w1", name: "Ada", born: 1815 }) { writer { id } } }',
  'mutation { createBook(input: { id: "b1", name: "Moon", writerId: "w1" }) { book { id } } }',
]
const answer = { books: { totalCount: 1, nodes: [{ name: 'Moon', writer: { name: 'Ada', born: 1815, books: { nodes: [{ name: 'Moon' }] } } }] } }

const [onFastPath, ofMutation, inYoga] = [['fast path', 'compiled plan at once'], ['fast path', 'GraphQL.js'], ['Yoga', 'compiled plan']]

const lines: string[] = []
const identity: Identity = { viewerOf: () => viewer }
const viewer = { id: 'ann', roles: new Set(['staff']), tenant: 'acme' } as const

interface Circumstances {
  readonly options?: Partial<GatewayOptions>
  /** Shows that what should observe did. */
  readonly observed?: (gateway: Gateway) => Promise<void> | void
}

const logged = { log: createLog({ level: 'info', readable: false, to: { write: (line) => void lines.push(line) } }) }
const isLogged = (): void => expect(lines.filter((line) => line.includes('Shelf')).length).toBeGreaterThan(0)
const isCounted = async (gateway: Gateway): Promise<void> => expect(await (await gateway.fetch('http://quire/metrics')).text()).toMatch(/quire_operations_total\{.*type="query".*\} [1-9]/)

const circumstances: Readonly<Record<string, Circumstances>> = {
  'with nothing given': {},
  'with the log of quire start': { options: logged, observed: isLogged },
  'with open metrics': { options: { openMetrics: true }, observed: isCounted },
  'with an observer that asks for rows': { options: { observers: [{ begin: () => ({ end: ({ rows }) => void lines.push(`Shelf ${[...rows()].length}`) }) }] }, observed: isLogged },
  'with rules': { options: { typeDefs: withRules, identity } },
  'with tenants': { options: { tenants: true, identity } },
  'with all of these': { options: { ...logged, openMetrics: true, typeDefs: withRules, identity, tenants: true }, observed: async (gateway) => {
    isLogged()
    await isCounted(gateway)
  } },
}

let close: (() => Promise<void>) | undefined
afterEach(async () => {
  await close?.()
  close = undefined
  lines.length = 0
})

/** Sends an operation and tells its answer, and the way that it took. */
function asking(send: (text: string, headers: Record<string, string>) => Promise<Response>) {
  return async (text: string, headers: Record<string, string> = {}) => {
    way.length = 0
    const { data, errors, extensions } = (await (await send(text, { 'content-type': 'application/json', ...headers })).json()) as { data: unknown; errors?: unknown; extensions?: object }
    expect(errors).toBeUndefined()
    return { data, extensions, way: [...way] }
  }
}

const stores: readonly { name: string; store: GatewayOptions['store'] }[] = [
  { name: 'memory', store: openMemoryStore },
  { name: 'sqlite', store: (layout) => openSqliteStore(newFile(), layout) },
]

describe.each(stores)('on $name', ({ store }) => {
  /** Over a socket, as clients ask, and without one, through Yoga. */
  async function open({ options = {} }: Circumstances) {
    const gateway = await createGateway({ typeDefs, store, openReads: true, openWrites: true, cursorSecret: 'tests', ...options })
    const { port, closeServer } = await listenOn(gateway)
    close = async () => {
      closeServer()
      await gateway.dispose()
    }
    const ask = asking((text, all) => fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers: all, body: JSON.stringify({ query: text }) }))
    for (const write of writes) expect((await ask(write)).way).toEqual(ofMutation)
    return { gateway, ask, askYoga: asking((text, all) => post(gateway, { query: text }, all)) }
  }

  test.each(Object.entries(circumstances))('%s, queries are answered by compiled plans, at once on the fast path', async (_, given) => {
    const { gateway, ask, askYoga } = await open(given)
    // The code of a query is another one from its second time on.
    for (let times = 0; times < 3; times++) expect(await ask(query)).toEqual({ data: answer, extensions: undefined, way: onFastPath })
    expect(await askYoga(query)).toEqual({ data: answer, extensions: undefined, way: inYoga })
    await given.observed?.(gateway)
  })

  test('with spans, also of a trace that began elsewhere, the same', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    provider.register()
    try {
      const { ask, askYoga } = await open({})
      exporter.reset()
      expect((await ask(query)).way).toEqual(onFastPath)
      expect((await ask(query, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })).way).toEqual(onFastPath)
      expect((await askYoga(query)).way).toEqual(inYoga)
      expect(exporter.getFinishedSpans().filter(({ name }) => name === 'query Shelf')).toHaveLength(3)
    } finally {
      await provider.shutdown()
      trace.disable()
    }
  })

  test('a cost report is made by GraphQL.js, and the next request is answered by the compiled plan again', async () => {
    const { ask } = await open({})
    expect(await ask(query, { 'quire-trace': '1' })).toMatchObject({ data: answer, extensions: { quire: { made: {} } }, way: ['Yoga', 'GraphQL.js'] })
    expect((await ask(query)).way).toEqual(onFastPath)
  })
})
