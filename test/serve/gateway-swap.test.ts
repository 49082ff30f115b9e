// Gateways that replace each other behind one port: every request is answered.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { GatewaySwap } from '../../src/serve/gateway-swap.ts'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { Memory, openMemoryStore } from '../../src/store/memory/memory-store.ts'

const sdl = 'type Cage @document(container: "cages") { id: ID! name: String! }'

async function listening(first: Gateway) {
  const swap = new GatewaySwap(first)
  const server = createServer((request, response) => swap.answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  const post = (query: string, accept = 'application/json') =>
    fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', accept }, body: JSON.stringify({ query }) })
  return { swap, post, ask: async (query: string) => ((await (await post(query)).json()) as { data: unknown }).data }
}

/** `closed` resolves when the store of the gateway is closed. */
async function gateway(memory: Memory, options: Partial<GatewayOptions> = {}): Promise<{ gateway: Gateway; closed: Promise<void>; isClosed: () => boolean }> {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  let done = false
  return {
    closed,
    isClosed: () => done,
    gateway: await createGateway({
      typeDefs: sdl, development: true, followEveryMs: 5, ...options,
      store: async (layout) => {
        const store = await openMemoryStore(layout, memory)
        return { ...store, close: async () => {
          await store.close()
          done = true
          resolve()
        } }
      },
    }),
  }
}

test('the gateway that received a request answers it, and closes only then', async () => {
  const memory = new Memory()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: leave, resolve: go } = Promise.withResolvers<void>()
  const old = await gateway(memory, {
    typeDefs: `${sdl} extend type Query { wait: String }`,
    resolvers: { Query: { wait: () => {
      arrive()
      return leave.then(() => 'from the old one')
    } } },
  })
  const { swap, ask } = await listening(old.gateway)
  const waiting = ask('{ wait }')
  await arrived
  const next = await gateway(memory, { typeDefs: sdl.replace('name: String!', 'name: String! size: Int') })
  swap.put(next.gateway)
  expect(await ask('mutation { createCage(input: { id: "c", name: "New", size: 3 }) { cage { size } } }')).toEqual({ createCage: { cage: { size: 3 } } })
  expect(old.isClosed()).toBe(false)
  go()
  expect(await waiting).toEqual({ wait: 'from the old one' })
  await old.closed
  expect(await ask('{ cage(id: "c") { name } }')).toEqual({ cage: { name: 'New' } })
  await swap.close()
  expect(next.isClosed()).toBe(true)
})

async function put(one: Gateway, id: string): Promise<unknown> {
  const body = JSON.stringify({ query: `mutation { createCage(input: { id: "${id}", name: "x" }) { cage { id } } }` })
  const response = await one.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await response.json()) as { errors?: unknown }).errors
}

test('both gateways see each other\'s writes, and conflicting ones are rejected', async () => {
  const memory = new Memory()
  const [old, next] = [await gateway(memory), await gateway(memory)]
  const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => put(number % 2 ? old.gateway : next.gateway, `c${number >> 1}`)))
  // Each of ten cages was made by one of the two and refused to the other.
  expect(answers.filter((errors) => errors === undefined)).toHaveLength(10)
  const { ask, swap } = await listening(next.gateway)
  expect(await ask('{ cages { totalCount } }')).toEqual({ cages: { totalCount: 10 } })
  await swap.close()
  await old.gateway.dispose()
})

test('a subscription ends with its gateway', async () => {
  const memory = new Memory()
  const subscribing = {
    typeDefs: `${sdl} type Subscription { cageChanged: Cage }`,
    resolvers: { Subscription: { cageChanged: {
      subscribe: (_: unknown, __: unknown, { quire }: { quire: { changes: { of(type: string): AsyncIterable<unknown> } } }) => quire.changes.of('Cage'),
      resolve: ({ document }: { document: unknown }) => document,
    } } },
  }
  const old = await gateway(memory, subscribing)
  const { swap, post, ask } = await listening(old.gateway)
  const stream = await post('subscription { cageChanged { id name } }', 'text/event-stream')
  const body = stream.text()
  await ask('mutation { createCage(input: { id: "c", name: "x" }) { cage { id } } }')
  swap.put((await gateway(memory, subscribing)).gateway)
  await old.closed
  // It ends instead of hanging; clients have to expect both a last event and a lost connection.
  await body.catch(() => 'cut off')
  await swap.close()
})
