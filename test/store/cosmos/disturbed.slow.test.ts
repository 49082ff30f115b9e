// A service that fails one in ten document requests with 449, 408, 410 or 503, half of the last three
// after it has carried out a write: reads do not notice, and every acknowledged mutation is made once.
// REQUESTS=100000 makes it a long run.

import { setImmediate as others } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openClient } from '../../emulator/open-account.ts'
import type { Faults, LoggedRequest } from '../../../src/emulator/cosmos-emulator.ts'
import { Client, costOf, expectHits, firstDocuments, Hit, openWorld, requests, runAll, timeoutMs, type World } from './world.ts'

const calm = { answer: undefined, throttle: 0, retryWith: 0, timeout: 0, gone: 0, unavailable: 0, only: undefined }

test('every mutation is made once, whether or not its response was lost, and whether or not others write the same documents', async ({ annotate }) => {
  const hits = [new Hit('hit-1'), new Hit('hit-2')]
  const world = await openWorld({ documents: firstDocuments(8, hits) })
  Object.assign(world.server.faults, { retryWith: 0.025, timeout: 0.025, gone: 0.025, unavailable: 0.025, lostAnswers: 0.5 })
  await annotate(await disturbedRun(world, hits, requests))
  expect(world.server.log.filter(({ status, applied }) => status >= 400 && applied).length).toBeGreaterThan(0)
}, timeoutMs)

test('writers of the same documents have every mutation made once, however many conflicts (449) the service reports', async ({ annotate }) => {
  const hits = [new Hit('hit-1'), new Hit('hit-2')]
  const world = await openWorld({ documents: firstDocuments(8, hits) })
  world.server.faults.retryWith = 0.1
  await annotate(await disturbedRun(world, hits, requests / 8))
}, timeoutMs)

test('all of it at once: throttling, conflicts, lost answers, replicas behind the session, and partitions that take their time to split', async ({ annotate }) => {
  const hits = [new Hit('hit-1'), new Hit('hit-2')]
  const world = await openWorld({ documents: firstDocuments(8, hits) })
  const { server, database } = world
  let [seen, splits] = [0, 0]
  Object.assign(server.faults, {
    throttle: 0.3, retryWith: 0.025, timeout: 0.025, gone: 0.025, unavailable: 0.025, lostAnswers: 0.5,
    answer: ({ operation, container, rangeId }: LoggedRequest) => {
      seen++
      // A partition that is asked answers 410/1007 to it and to the next requests.
      if (splits < 6 && seen > 400 * (splits + 1) && operation === 'query' && container === 'songs' && server.partitions(database, container).some(({ id }) => id === rangeId)) {
        // A call may meet the first and then another one, so that only the first may take half of a call's time.
        server.split(database, container, rangeId!, { forMs: splits === 0 ? 5000 : 300 })
        splits++
      }
      return seen % 50 === 0 && (operation === 'read' || operation === 'query') ? { status: 404, subStatus: 1002 } : undefined
    },
  })
  const told = await disturbedRun(world, hits, requests)
  expect(splits).toBe(6)
  await annotate(`${told}; ${server.log.filter(({ status, subStatus }) => status === 410 && subStatus === 1007).length} requests met a split under way, ${splits} splits`)
}, timeoutMs)

/** Runs eight clients until the server has seen so many requests, drains the feed, and compares everything with the model. */
async function disturbedRun(world: World, hits: readonly Hit[], most: number): Promise<string> {
  const { server, ask } = world
  const clients = Array.from({ length: 8 }, (_, number) => new Client(ask, number, hits))
  server.clearLog()
  await runAll(clients, () => server.log.length < most)
  const cost = costOf(clients)
  // A gateway also looks for migrations now and then, for no client.
  const looks = server.log.filter(({ operation, container }) => operation === 'read' && container === 'quire').length
  expect(cost.roundTrips).toBeGreaterThanOrEqual(server.log.length - looks)
  expect(cost.roundTrips).toBeLessThanOrEqual(server.log.length)
  const failed = server.log.filter(({ status }) => [408, 410, 449, 503].includes(status))
  const lost = failed.filter(({ applied }) => applied).length
  expect(failed.length / server.log.length).toBeGreaterThan(0.07)
  const told = `${cost.operations} operations, ${cost.mutations} of them mutations: ${server.log.length} requests, ${failed.length} of them failed, ${lost} of those after they had written; 0 operations failed`
  await world.drain()
  Object.assign(server.faults, calm)
  for (const client of clients) await client.expectCopies()
  await expectHits(ask, hits)
  expect(await world.findings()).toEqual([])
  return told
}

describe('a mutation whose response is lost while another writes the same document', () => {
  test('is not repeated if it had been carried out', async () => {
    expect(await playedByTwo({ timeout: 1, lostAnswers: 1 })).toEqual({ plays: 2, code: undefined })
  })

  test('is made although the other has written exactly the same', async () => {
    expect(await playedByTwo({ timeout: 1, lostAnswers: 0 })).toEqual({ plays: 2, code: undefined })
  })
})

/** A song after two clients have played it, one of them with failures, and what that client was told. */
async function playedByTwo(faults: Partial<Faults>): Promise<{ plays: number; code: string | undefined }> {
  const { server, database, ask } = await openWorld({ documents: firstDocuments(1, [new Hit('hit')]) })
  server.clearLog()
  Object.assign(server.faults, { ...faults, only: ({ operation }: LoggedRequest) => operation === 'batch' })
  const playing = ask('mutation { playSong(input: { songId: "hit" }) { song { plays } } }')
  while (!server.log.some(({ operation }) => operation === 'batch')) await others()
  const client = openClient(server)
  const song = client.database(database).container('songs').item('hit', 'hit')
  const { resource } = await song.read<{ id: string; plays: number; _v?: number }>()
  // As another gateway would write, but not as a batch, so that it meets no failure.
  await song.replace({ ...resource!, plays: resource!.plays + 1, _v: (resource!['_v'] ?? 0) + 1 })
  client.dispose()
  Object.assign(server.faults, calm)
  const { errors } = await playing
  const { data } = await ask('{ song(id: "hit") { plays } }')
  return { plays: (data as { song: { plays: number } }).song.plays, code: errors?.[0]?.extensions?.code }
}
