// The price subscription over server-sent events, on every store.

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createGateway } from '../../src/gateway.ts'
import { derive } from '../../schema/library/derive.ts'
import { resolvers } from '../../schema/library/resolvers.ts'
import { sampleDocuments } from './sample-documents.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { beginHistory } from '../../src/store/own-container.ts'
import type { Store } from '../../src/store/store.ts'
import { stores } from '../harness.ts'
import { post, subscribe as openEvents } from '../over-http.ts'

interface Told {
  readonly data?: { readonly stockPriceChanged: { readonly symbol: string; readonly high: number } } | null
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
  readonly extensions?: { readonly quire: { readonly cursor: string; readonly made?: { readonly roundTrips: number } } }
}

const opened: Gateway[] = []
afterEach(async () => {
  for (const gateway of opened.splice(0)) await gateway.dispose()
})

describe.each(stores)('on $name', ({ store: openStore }) => {
  async function open(store = openStore) {
    const gateway = await createGateway({
      typeDefs: readSdlFolder('schema/library'), derive, resolvers, seed: ({ model }) => sampleDocuments(model), store, development: true, cursorSecret: 'tests', followEveryMs: 1, propagates: false,
    })
    opened.push(gateway)
    const subscribe = async (variables: object) => {
      const events = await openEvents<Told>(gateway, { query: 'subscription ($symbols: [String!], $after: String) { stockPriceChanged(symbols: $symbols, after: $after) { symbol high etag } }', variables })
      return { next: async () => (await events.next())!, end: events.end }
    }
    const price = async (id: string, high: number) => {
      const response = await post(gateway, { query: 'mutation ($input: UpdateStockInput!) { updateStock(input: $input) { stock { id } } }', variables: { input: { id, high } } })
      expect(await response.json()).not.toHaveProperty('errors')
    }
    // A subscription takes a moment to start, so the price changes until the first event.
    const changeUntil = async (told: Promise<Told>) => {
      for (let high = 10; (await Promise.race([told, price('1', high).then(() => pause(5))])) === undefined; high++);
    }
    return { subscribe, price, changeUntil }
  }

  test('an event has the new price, its cursor and its cost', async () => {
    const { subscribe, changeUntil } = await open()
    const events = await subscribe({ symbols: ['zaza'] })
    const told = events.next()
    await changeUntil(told)
    expect(await told).toMatchObject({ data: { stockPriceChanged: { symbol: 'zaza' } }, extensions: { quire: { cursor: expect.any(String) as string, made: { roundTrips: 0 } } } })
    await events.end()
  })

  test('a client continues after the cursor of its last event, and receives only the symbols it asked for', async () => {
    const { subscribe, price, changeUntil } = await open()
    const first = await subscribe({})
    const told = first.next()
    await changeUntil(told)
    const { cursor } = (await told).extensions!.quire
    await first.end()
    await price('2', 500)
    await price('1', 600)
    await price('2', 700)
    const again = await subscribe({ after: cursor, symbols: ['xcxc'] })
    expect((await again.next()).data).toMatchObject({ stockPriceChanged: { symbol: 'xcxc', high: 700 } })
    await again.end()
  })

  test('a cursor from before a restore is refused, since nobody knows what changed since', async () => {
    let kept: Promise<Store> | undefined
    const keep: typeof openStore = async (layout) => (kept ??= openStore(layout).then((store) => ({ ...store, close: () => Promise.resolve() })))
    const { subscribe, changeUntil } = await open(keep)
    const first = await subscribe({})
    const told = first.next()
    await changeUntil(told)
    const { cursor } = (await told).extensions!.quire
    await first.end()
    await beginHistory(await kept!)
    const restored = await open(keep)
    const again = await restored.subscribe({ after: cursor })
    expect((await again.next()).errors).toMatchObject([{ message: expect.stringContaining('restored'), extensions: { code: 'BAD_USER_INPUT' } }])
    await again.end()
    const fresh = await restored.subscribe({})
    const event = fresh.next()
    await restored.changeUntil(event)
    expect((await event).extensions!.quire.cursor).not.toBe(cursor)
    await fresh.end()
  })

  test('an invalid cursor is rejected', async () => {
    const { subscribe } = await open()
    const events = await subscribe({ after: 'nonsense' })
    expect((await events.next()).errors).toMatchObject([{ message: expect.stringContaining('extensions.quire.cursor'), extensions: { code: 'BAD_USER_INPUT' } }])
    await events.end()
  })
})
