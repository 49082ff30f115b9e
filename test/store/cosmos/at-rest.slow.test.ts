// What gateways on Cosmos DB cost while nothing happens, counted in virtual time from the server's log.

import { afterEach, describe, expect, test } from 'vitest'
import { derive } from '../../../schema/library/derive.ts'
import { resolvers } from '../../../schema/library/resolvers.ts'
import { createGateway } from '../../../src/gateway.ts'
import type { Gateway } from '../../../src/http/gateway-server.ts'
import { readSdlFolder } from '../../../src/model/sdl/read-sdl.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { VirtualClock, timed } from '../../feed/virtual-clock.ts'
import { sampleDocuments } from '../../library/sample-documents.ts'
import { post, subscribe } from '../../over-http.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

const typeDefs = readSdlFolder('schema/library')

async function openLibrary(partitions = 4) {
  const server = await startCosmosEmulator({ partitions })
  opened.push(() => server.close())
  const clock = new VirtualClock()
  const open = async (): Promise<Gateway> => {
    const gateway = await createGateway({
      typeDefs, derive, resolvers, seed: ({ model }) => sampleDocuments(model), development: true, cursorSecret: 'tests', clock,
      store: async (layout) => timed(await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, layout), clock),
    })
    opened.push(async () => gateway.dispose())
    return gateway
  }
  return { server, clock, open }
}

const minute = 60_000

function perSecond({ log }: CosmosEmulator, ms: number): { requests: number; charge: number } {
  return { requests: log.length / (ms / 1000), charge: log.reduce((sum, { charge }) => sum + charge, 0) / (ms / 1000) }
}

/** For docs/cosmos.md. */
const inWords = ({ requests, charge }: { requests: number; charge: number }): string => `${requests.toFixed(1)} requests and ${charge.toFixed(1)} RU a second`

const looks = ({ log }: CosmosEmulator): number => log.filter(({ operation }) => operation === 'changes').length

const rename = (gateway: Gateway, lastName: string) => post(gateway, { query: `mutation { updateAuthor(input: { id: "a1", lastName: "${lastName}" }) { author { name } } }` })
const names = async (gateway: Gateway) => JSON.stringify(await (await post(gateway, { query: '{ book(id: "b1") @read(from: SNAPSHOT) { authors { name } } }' })).json())

describe('a gateway at rest', () => {
  test.for([4, 16, 64])('makes at most two requests of five RU a second, on %i physical partitions', { timeout: 300_000 }, async (partitions, { annotate }) => {
    const { server, clock, open } = await openLibrary(partitions)
    await open()
    // Until it rests for as long as it may.
    await clock.pass(16 * minute, 1)
    server.clearLog()
    const passed = 16 * minute
    await clock.pass(passed, 1)
    const { requests, charge } = perSecond(server, passed)
    await annotate(inWords({ requests, charge }))
    expect(requests).toBeLessThanOrEqual(2)
    expect(charge).toBeLessThanOrEqual(5)
    // It still looks.
    expect(looks(server)).toBeGreaterThan(0)
  })

  test('makes no more with a subscriber', { timeout: 300_000 }, async ({ annotate }) => {
    const { server, clock, open } = await openLibrary()
    const gateway = await open()
    const events = await subscribe(gateway, { query: 'subscription { stockPriceChanged { symbol } }' })
    opened.push(async () => events.end())
    await clock.pass(8 * minute, 2)
    server.clearLog()
    await clock.pass(4 * minute, 2)
    const { requests, charge } = perSecond(server, 4 * minute)
    await annotate(inWords({ requests, charge }))
    expect(requests).toBeLessThanOrEqual(2)
    expect(charge).toBeLessThanOrEqual(5)
  })

  test('makes no more while another follows the feed', { timeout: 300_000 }, async ({ annotate }) => {
    const { server, clock, open } = await openLibrary()
    await open()
    await clock.pass(2 * minute, 1)
    await open()
    await clock.pass(2 * minute, 2)
    server.clearLog()
    await clock.pass(4 * minute, 2)
    const { requests, charge } = perSecond(server, 4 * minute)
    await annotate(inWords({ requests, charge }))
    expect(requests).toBeLessThanOrEqual(2 * 2)
    expect(charge).toBeLessThanOrEqual(2 * 5)
  })
})

test('its own write brings it back to the shortest interval, and it rests again afterwards', async () => {
  const { server, clock, open } = await openLibrary(1)
  const gateway = await open()
  await clock.pass(2 * minute, 1)
  await rename(gateway, 'Anders')
  await clock.idle(1)
  await clock.pass(1000, 1)
  expect(await names(gateway)).toContain('Thomas Anders')
  await clock.pass(2 * minute, 1)
  server.clearLog()
  await clock.pass(4 * minute, 1)
  expect(perSecond(server, 4 * minute).requests).toBeLessThanOrEqual(2)
})

test('another gateway\'s write reaches snapshots within five seconds', async () => {
  const { clock, open } = await openLibrary(1)
  const [follower, writer] = [await open(), await open()]
  await clock.pass(2 * minute, 2)
  await rename(writer, 'Anders')
  await clock.pass(5000, 2)
  expect(await names(follower)).toContain('Thomas Anders')
})

test('a write that nobody signals reaches snapshots within forty seconds', async () => {
  const { server, clock, open } = await openLibrary(1)
  const gateway = await open()
  await clock.pass(2 * minute, 1)
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: false }, [{ name: 'authors', partitionKey: [['id']], indexes: [], followed: true }])
  opened.push(() => store.close())
  const [author] = await store.readMany('authors', [{ partition: ['a1'], id: 'a1' }])
  await store.write([{ kind: 'put', container: 'authors', key: author!.key, body: { ...author!.body, lastName: 'Anders', _v: 100, _c: 100 } }])
  await clock.pass(40_000, 1)
  expect(await names(gateway)).toContain('Thomas Anders')
})
