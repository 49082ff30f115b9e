// A service that throttles three in ten document requests (429): clients notice only the time it takes, and
// the cost report counts the throttled requests. REQUESTS=100000 makes it a long run.

import { expect, test } from 'vitest'
import { Client, costOf, expectHits, firstDocuments, Hit, openWorld, requests, runAll, timeoutMs } from './world.ts'

test('no client request fails, every answer is right, and every mutation is made once', async ({ annotate }) => {
  const hits = [new Hit('hit-1'), new Hit('hit-2')]
  const world = await openWorld({ documents: firstDocuments(8, hits) })
  const { server, ask } = world
  const clients = Array.from({ length: 8 }, (_, number) => new Client(ask, number, hits))
  server.clearLog()
  server.faults.throttle = 0.3
  await runAll(clients, () => server.log.length < requests)
  const cost = costOf(clients)
  const throttled = shareOf429(server.log)
  expect(throttled).toBeGreaterThan(0.27)
  expect(throttled).toBeLessThan(0.33)
  // Every request that the server has seen, throttled or not, is in the cost report of its operation.
  // A gateway also looks for migrations now and then, for no client.
  const looks = server.log.filter(({ operation, container }) => operation === 'read' && container === 'quire').length
  expect(cost.roundTrips).toBeGreaterThanOrEqual(server.log.length - looks)
  expect(cost.roundTrips).toBeLessThanOrEqual(server.log.length)
  expect(cost.requestCharge).toBeCloseTo(server.log.reduce((sum, { charge }) => sum + charge, 0), 2)
  await annotate(`${cost.operations} operations, ${cost.mutations} of them mutations: ${server.log.length} requests, ${(100 * throttled).toFixed(1)} % of them throttled; 0 operations failed`)

  await world.drain()
  server.faults.throttle = 0
  for (const client of clients) await client.expectCopies()
  await expectHits(ask, hits)
  expect(await world.findings()).toEqual([])
}, timeoutMs)

test('the cost report of an operation lists the throttled requests one by one', async () => {
  const { server, ask } = await openWorld({ documents: firstDocuments(2, [new Hit('hit')]) })
  server.faults.throttle = 0.3
  let throttled = 0
  for (const operation of [
    '{ song(id: "hit") { title } }',
    '{ artists(first: 3) { totalCount nodes { name } } }',
    'query @read(maxStaleMs: 0) { song(id: "hit") { label { name songs(first: 2) { nodes { title } } } } }',
    'mutation { playSong(input: { songId: "hit" }) { song { plays } } }',
    'mutation { createSong(input: { title: "New", plays: 0, labelId: "c0-label", artistIds: ["c0-x", "c1-y"] }) { song { artists { name } } } }',
  ]) {
    for (let times = 0; times < 10; times++) {
      server.clearLog()
      const { errors, report } = await ask(operation)
      expect(errors).toBeUndefined()
      expect(report.made.roundTrips).toBe(server.log.length)
      expect(report.made.requestCharge).toBeCloseTo(server.log.reduce((sum, { charge }) => sum + charge, 0), 6)
      throttled += server.log.filter(({ status }) => status === 429).length
    }
  }
  expect(throttled).toBeGreaterThan(50)
})

function shareOf429(log: readonly { readonly status: number }[]): number {
  return log.filter(({ status }) => status === 429).length / log.length
}
