// Plugins of Yoga and Envelop as their users have them, and what they hook is honoured: whole answers, errors, and single resolvers.

import { useOnResolve } from '@envelop/on-resolve'
import { useRateLimiter } from '@envelop/rate-limiter'
import { useResponseCache } from '@graphql-yoga/plugin-response-cache'
import type { Plugin } from 'graphql-yoga'
import { expect, test } from 'vitest'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import type { ResolverContext } from '../../src/index.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { placeDocuments } from '../../src/serve/schema-folder/place-documents.ts'
import { listenOn } from '../over-http.ts'

const typeDefs = `
  type Beast @document(container: "beasts") { id: ID! name: String! }
  extend type Query { locale: String }
  extend type Mutation { greet: String }`

const resolvers = {
  Query: { locale: (_: unknown, __: unknown, { locale }: ResolverContext & { locale: string }) => locale },
  Mutation: { greet: (_: unknown, __: unknown, { locale }: ResolverContext & { locale: string }) => (locale === 'de' ? 'Hallo' : 'Hello') },
}

/** As in production, over HTTP, where the fast path would answer without plugins. */
async function open(options: Partial<GatewayOptions>) {
  const gateway = await createGateway({
    typeDefs, resolvers, store: openMemoryStore, openReads: true, openWrites: true,
    seed: ({ model }) => placeDocuments(model, { Beast: [{ id: 'b1', name: 'Ant' }] }, 'documents'),
    ...options,
  })
  const { port, closeServer: close } = await listenOn(gateway)
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }) })
    return (await response.json()) as { data?: Record<string, unknown>; errors?: { message: string; extensions?: Record<string, unknown> }[]; extensions?: Record<string, unknown> }
  }
  return { ask, close }
}

test('a response cache answers the second time, and is told of no write of others: it is the user who decided so', async () => {
  const { ask, close } = await open({ plugins: [useResponseCache({ session: () => null, includeExtensionMetadata: true })] })
  const query = '{ beast(id: "b1") { id name } }'
  expect((await ask(query)).extensions).toMatchObject({ responseCache: { hit: false } })
  expect(await ask(query)).toMatchObject({ data: { beast: { name: 'Ant' } }, extensions: { responseCache: { hit: true } } })
  close()
})

test('a rate limiter refuses by its own rules', async () => {
  const { ask, close } = await open({ plugins: [useRateLimiter({ identifyFn: () => 'all', configByField: [{ type: 'Query', field: 'beast', max: 2, window: '1h' }] })] })
  const query = '{ beast(id: "b1") { name } }'
  expect([await ask(query), await ask(query)].map(({ errors }) => errors)).toEqual([undefined, undefined])
  expect((await ask(query)).errors).toHaveLength(1)
  close()
})

test('a plugin that looks at every resolver sees each of them, also of operations that would be compiled', async () => {
  const seen: string[] = []
  const { ask, close } = await open({ plugins: [useOnResolve(({ info }) => void seen.push(`${info.parentType.name}.${info.fieldName}`))] })
  for (let times = 1; times <= 3; times++) {
    expect((await ask('{ beast(id: "b1") { name } }')).data).toEqual({ beast: { name: 'Ant' } })
    expect(seen.splice(0)).toEqual(['Query.beast', 'Beast.name'])
  }
  close()
})

test('a plugin sees requests, results and errors; what it throws is masked like any other error', async () => {
  const seen: unknown[] = []
  const plugin: Plugin = {
    onExecute: () => ({ onExecuteDone: ({ result }) => void seen.push((result as { data?: unknown }).data) }),
    onParse({ params }) {
      if (String(params.source).includes('fails')) throw new Error('the password is swordfish')
    },
  }
  const { ask, close } = await open({ plugins: [plugin] })
  await ask('{ beast(id: "b1") { name } }')
  await ask('{ beast(id: "b1") { name } }')
  expect(seen).toEqual([{ beast: { name: 'Ant' } }, { beast: { name: 'Ant' } }])
  const { errors } = await ask('query fails { beast(id: "b1") { name } }')
  expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }])
  expect(JSON.stringify(errors)).not.toContain('swordfish')
  close()
})

test('what `context` returns is there for resolvers of queries and mutations', async () => {
  const { ask, close } = await open({ context: async ({ request }) => ({ locale: request.headers.get('x-locale') ?? 'en' }) })
  for (let times = 1; times <= 3; times++) {
    expect((await ask('{ locale beast(id: "b1") { name } }', { 'x-locale': 'de' })).data).toEqual({ locale: 'de', beast: { name: 'Ant' } })
    expect((await ask('{ locale }')).data).toEqual({ locale: 'en' })
    expect((await ask('mutation { greet }', { 'x-locale': 'de' })).data).toEqual({ greet: 'Hallo' })
  }
  close()
})

test('an option that is neither is refused', async () => {
  await expect(open({ plugins: 'sentry' as never })).rejects.toThrow(/plugins .*Pass a list/)
  await expect(open({ context: {} as never })).rejects.toThrow(/context .*Pass a function/)
})
