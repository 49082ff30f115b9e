// Requests on a store that tenants share: only the token decides the tenant, and a viewer without a tenant is
// refused before anything is read, on every entry point.

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createGateway } from '../../src/gateway.ts'
import { derive } from '../../schema/library/derive.ts'
import { resolvers } from '../../schema/library/resolvers.ts'
import { sampleDocuments } from '../library/sample-documents.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { writeAll } from '../../src/store/write-all.ts'
import type { Store } from '../../src/store/store.ts'
import { TenantStore } from '../../src/store/tenants/tenant-store.ts'
import { recordingStore, type RecordedCall } from '../read/recording-store.ts'
import { byHeader, of } from './viewer-by-header.ts'
import { listenOn, post, subscribe as openEvents } from '../over-http.ts'


const typeDefs = readSdlFolder('schema/library')

interface Open {
  readonly gateway: Gateway
  readonly server: Server
  readonly store: Store
  readonly calls: RecordedCall[]
}

let open: Open
beforeAll(async () => {
  const recorded = recordingStore(await openMemoryStore(readDeclaration(typeDefs, derive, true).layout))
  const { store, calls } = recorded
  const declaration = readDeclaration(typeDefs, derive)
  for (const tenant of ['acme', 'zenith']) await writeAll(new TenantStore(store, tenant), sampleDocuments(declaration.model))
  const gateway = await createGateway({ typeDefs, derive, resolvers, tenants: true, identity: byHeader, openReads: true, openWrites: true, introspection: true, cursorSecret: 'tests', followEveryMs: 5, store: async () => store })
  const { server } = await listenOn(gateway)
  open = { gateway, server, store, calls }
})
afterAll(async () => {
  open.server.close()
  await open.gateway.dispose()
})

interface Answered {
  readonly status?: number
  readonly data?: Record<string, never>
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

/** Through a socket, where known operations take the fast path. */
async function ask(query: string, headers: Record<string, string>, variables = {}): Promise<Answered> {
  const response = await fetch(`http://127.0.0.1:${(open.server.address() as AddressInfo).port}/graphql`, {
    method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query, variables }),
  })
  const answered = (await response.json()) as Answered
  return response.ok ? answered : { status: response.status, ...answered }
}

const book = 'query Book { book(id: "b1") { id name } }'
const rename = 'mutation Rename($name: String!) { updateBook(input: { id: "b1", name: $name }) { book { name } } }'

describe('a viewer without a tenant', () => {
  const nobodies: readonly [string, Record<string, string>][] = [
    ['says nothing', {}], ['has a token without a tenant', of()], ['has an empty one', of('')], ['has one that is no text', of(7)], ['has a list of them', of(['acme'])],
    ['has one that is too long', of('a'.repeat(257))], ['has one with a control character', of('acme\u0000')], ['has one with half a character', of('acme\ud800')],
  ]
  const operations = {
    'a query': book,
    'a node': `query Node { node(nodeId: "${Buffer.from('["Book","b1"]').toString('base64url')}") { nodeId } }`,
    'a mutation': 'mutation Delete { deleteBook(input: { id: "b1" }) { clientMutationId } }',
    'introspection': '{ __schema { queryType { name } } }',
  }

  test.each(nobodies)('is refused before anything is read: it %s', async (_, headers) => {
    // Known by now, so that the fast path would be taken.
    for (const query of Object.values(operations).slice(0, 2)) for (let times = 0; times < 2; times++) await ask(query, of('acme'))
    const before = open.calls.length
    for (const query of Object.values(operations)) {
      expect(await ask(query, headers)).toEqual({
        status: 401,
        errors: [{ message: expect.stringContaining('belongs to a tenant'), extensions: { code: 'UNAUTHENTICATED' } }],
      })
    }
    expect(open.calls.slice(before)).toEqual([])
  })

  test('receives no changes', async () => {
    const before = open.calls.length
    const response = await post(open.gateway, { query: 'subscription { stockPriceChanged { symbol } }' }, { accept: 'text/event-stream' })
    expect(await response.text()).toContain('UNAUTHENTICATED')
    expect(open.calls.slice(before)).toEqual([])
  })
})

test('only the tenant itself sees what it writes, on the fast path, too', async () => {
  for (let times = 0; times < 3; times++) {
    expect((await ask(rename, of('acme'), { name: `Acme ${times}` })).data).toEqual({ updateBook: { book: { name: `Acme ${times}` } } })
    expect((await ask(rename, of('zenith'), { name: `Zenith ${times}` })).data).toEqual({ updateBook: { book: { name: `Zenith ${times}` } } })
    // And again, when the answers of both are cached.
    for (let again = 0; again < 2; again++) {
      expect((await ask(book, of('acme'))).data).toEqual({ book: { id: 'b1', name: `Acme ${times}` } })
      expect((await ask(book, of('zenith'))).data).toEqual({ book: { id: 'b1', name: `Zenith ${times}` } })
    }
  }
  expect((await ask(book, of('somebody new'))).data).toEqual({ book: null })
})

test('a global id contains no tenant, and finds the document of the viewer\'s tenant', async () => {
  const nodeId = 'query Id { book(id: "b2") { nodeId name } }'
  await ask('mutation { updateBook(input: { id: "b2", name: "Only Acme\'s" }) { clientMutationId } }', of('acme'))
  const [{ data: one }, { data: other }] = await Promise.all([ask(nodeId, of('acme')), ask(nodeId, of('zenith'))])
  const [acme, zenith] = [one!['book'], other!['book']] as unknown as { nodeId: string; name: string }[]
  expect(acme!.nodeId).toBe(zenith!.nodeId)
  const node = `query Found { node(nodeId: "${acme!.nodeId}") { ... on Book { name } } }`
  expect((await ask(node, of('acme'))).data).toEqual({ node: { name: 'Only Acme\'s' } })
  expect((await ask(node, of('zenith'))).data).toEqual({ node: { name: zenith!.name } })
  expect((await ask(node, of('somebody new'))).data).toEqual({ node: null })
})

test('a cursor of another tenant reveals nothing: it is a position in one\'s own list', async () => {
  await ask('mutation { createBook(input: { id: "b15x", name: "Aa secret", authorIds: [] }) { clientMutationId } }', of('acme'))
  const list = 'query Page($after: String) { books(first: 3, after: $after) { edges { cursor node { id } } } }'
  const cursors = ((await ask(list, of('acme'))).data!['books'] as unknown as { edges: { cursor: string; node: { id: string } }[] }).edges
  const behind = (await ask(list, of('zenith'), { after: cursors.at(-1)!.cursor })).data!['books'] as unknown as { edges: { node: { id: string } }[] }
  const own = ((await ask('{ books(first: 100) { nodes { id } } }', of('zenith'))).data!['books'] as unknown as { nodes: { id: string }[] }).nodes.map(({ id }) => id)
  const ids = behind.edges.map(({ node }) => node.id)
  expect(ids).toEqual(own.filter((id) => id > cursors.at(-1)!.node.id).slice(0, 3))
  expect(own).not.toContain('b15x')
})

describe('a subscriber', () => {
  test('receives changes of its own tenant only, and continues only from its own cursors', async () => {
    const [acme, zenith] = await Promise.all([subscribe('acme'), subscribe('zenith')])
    const events = Promise.all([acme.next(), zenith.next()])
    // Subscribers get changes from their first request on.
    for (let value = 1; !(await Promise.race([events.then(() => true), othersTurn(false)])); value++) {
      expect((await price('acme', 1000 + value)).errors).toBeUndefined()
      expect((await price('zenith', 2000 + value)).errors).toBeUndefined()
    }
    const [one, other] = await events
    expect((one.data!['stockPriceChanged'] as unknown as { open: number }).open).toBeLessThan(2000)
    expect((other.data!['stockPriceChanged'] as unknown as { open: number }).open).toBeGreaterThan(2000)
    const { cursor } = one.extensions!.quire
    const stolen = await subscribe('zenith', cursor)
    expect((await stolen.next()).errors).toMatchObject([{ message: expect.stringContaining('extensions.quire.cursor') }])
    await price('acme', 3000)
    const again = await subscribe('acme', cursor)
    expect((await again.next()).data).toEqual({ stockPriceChanged: { id: '1', symbol: expect.any(String) as string, open: 3000 } })
    await Promise.all([acme.close(), zenith.close(), stolen.close(), again.close()])
  })
})

async function subscribe(tenant: string, after?: string) {
  const events = await openEvents<Answered & { extensions?: { quire: { cursor: string } } }>(open.gateway, { query: 'subscription Prices($after: String) { stockPriceChanged(after: $after) { id symbol open } }', variables: { after } }, of(tenant))
  return {
    next: async () => {
      const event = await events.next()
      if (!event) throw new Error('The subscription ended.')
      return event
    },
    close: events.end,
  }
}

/** Changes a price. */
function price(tenant: string, value: number): Promise<Answered> {
  return ask('mutation Price($open: Float!) { updateStock(input: { id: "1", open: $open }) { stock { open } } }', of(tenant), { open: value })
}
