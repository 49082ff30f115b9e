// Physical partitions that are split under a running workload, at the very requests that ask them: every
// answer stays right, a follower of the change feed misses nothing and is told nothing twice, and it takes
// a bounded number of requests.

import { expect, onTestFinished, test } from 'vitest'
import { Propagator } from '../../../src/feed/propagator.ts'
import { createLook } from '../../../src/feed/run-propagator.ts'
import { Watermark } from '../../../src/feed/watermark.ts'
import { hundredths } from '../../../src/store/cost-model.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import type { Change, Store } from '../../../src/store/store.ts'
import { Client, declaration, expectHits, firstDocuments, Hit, openWorld, runAll, type World } from './world.ts'

const containers = ['artists', 'labels', 'songs']
const steps = 40
const looks = 60

test('eight splits under six clients and a follower of the feed: nothing is wrong, missed or told twice, for at most three times the requests', async ({ annotate }) => {
  const calm = await runWith(0)
  const split = await runWith(8)
  expect(split.partitions).toBe(calm.partitions + 8)
  expect(split.gone).toBeGreaterThanOrEqual(8)
  // Queries of all partitions take more requests as there are more partitions.
  expect(split.requests).toBeLessThan(3 * calm.requests)
  await annotate(`${calm.requests} requests without a split, ${split.requests} with eight; ${split.gone} of those were answered 410; ${calm.partitions} physical partitions at first, ${split.partitions} at the end`)
})

/** The same work, with so many splits meanwhile. */
async function runWith(splits: number): Promise<{ requests: number; gone: number; partitions: number }> {
  const hits = [new Hit('hit')]
  const world = await openWorld({ documents: firstDocuments(6, hits), partitions: 3 })
  const { server, ask } = world
  const clients = Array.from({ length: 6 }, (_, number) => new Client(ask, number, hits))
  const follower = new Follower(world.store)
  const another = await openAnother(world)
  splitUnder(world, splits)
  server.clearLog()
  await Promise.all([
    follow(follower, another),
    runAll(clients, ({ cost }) => cost.operations < steps),
  ])
  await follower.toTheEnd()
  const requests = server.log.length
  const gone = server.log.filter(({ status, subStatus }) => status === 410 && subStatus === 1002).length
  await expectTold(world, follower, clients)
  await world.drain()
  for (const client of clients) await client.expectCopies()
  await expectHits(ask, hits)
  expect(await world.findings()).toEqual([])
  return { requests, gone, partitions: containers.reduce((sum, container) => sum + server.partitions(world.database, container).length, 0) }
}

/** Splits a partition between a request to it and the response: alternately for the feed and for a page. */
function splitUnder({ server, database }: World, splits: number): void {
  let made = 0
  server.faults.only = ({ operation, container, rangeId }) => {
    const due = made < splits && server.log.length >= 50 * (made + 1) && operation === (made % 2 === 0 ? 'changes' : 'query')
    if (due && container !== undefined && containers.includes(container) && server.partitions(database, container).some(({ id }) => id === rangeId)) {
      server.split(database, container, rangeId!)
      made++
    }
    // Nothing else goes wrong.
    return false
  }
}

/** The feed from the beginning, a few changes at a time. */
class Follower {
  readonly told: Change[] = []
  #store: Store
  #point: string | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Continues from the same point with another store, as another process would. */
  moveTo(store: Store): void {
    this.#store = store
  }

  async look(): Promise<boolean> {
    const { changes, point, end } = await this.#store.changes('all', this.#point, 10)
    this.told.push(...changes)
    this.#point = point
    return end
  }

  async toTheEnd(): Promise<void> {
    while (!(await this.look()));
  }
}

async function follow(follower: Follower, another: Store): Promise<void> {
  for (let look = 0; look < looks; look++) {
    if (look === looks / 2) follower.moveTo(another)
    await follower.look()
  }
}

async function openAnother({ server, database }: World): Promise<Store> {
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database, create: false }, declaration.layout)
  onTestFinished(() => store.close())
  return store
}

/** The last change of each document is its current state, and no version was reported twice. */
async function expectTold({ store }: World, { told }: Follower, clients: readonly Client[]): Promise<void> {
  const versions = told.map((change) => JSON.stringify(change))
  expect(versions.length).toBe(new Set(versions).size)
  const last = new Map(told.map((change) => [`${change.container}/${change.key.id}`, change]))
  for (const id of clients.flatMap(({ created }) => created)) expect(last.has(`songs/${id}`)).toBe(true)
  const lists = await Promise.all(containers.map(async (container) => {
    const documents = await store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 1000 })
    return documents.map(({ key, body }) => [`${container}/${key.id}`, body] as const)
  }))
  const live = [...last].filter(([, { deleted }]) => !deleted).map(([name, { body }]) => [name, body] as const)
  expect(new Map(live)).toEqual(new Map(lists.flat()))
}

test.each([[1, 3, 3], [4, 12, 12], [16, 48, 48]])(
  'following a feed at rest, on three containers of %i physical partitions each, is %i requests a look, charged %d', async (partitions, requests, charge) => {
    const world = await openWorld({ partitions })
    const look = lookingAs('one', world)
    await look()
    expect(await costOfLook(world, look)).toEqual({ requests, charge })
  })

test('a second gateway that shares it has 3 requests a look at rest, charged 9.72', async () => {
  const world = await openWorld({ partitions: 16 })
  await lookingAs('one', world)()
  const look = lookingAs('two', world)
  await look()
  expect(await costOfLook(world, look)).toEqual({ requests: 3, charge: 9.72 })
})

/** What a gateway does repeatedly, and whether it has found changes. */
function lookingAs(owner: string, { store }: World): () => Promise<boolean> {
  const work = createLook(new Propagator(declaration, store, { owner }), new Watermark(store))
  return () => work.look()
}

async function costOfLook({ server }: World, look: () => Promise<boolean>): Promise<{ requests: number; charge: number }> {
  server.clearLog()
  expect(await look()).toBe(false)
  return { requests: server.log.length, charge: hundredths(server.log.reduce((sum, { charge }) => sum + charge, 0)) }
}
