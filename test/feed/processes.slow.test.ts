// Two gateway processes on one SQLite file with effects through the change feed, one of them killed again and again. No
// acknowledged write is lost, and once the feed has drained, `check` finds nothing.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Server } from '../../bench/servers/start-server.ts'
import { startGateway } from '../../reliability/durability/gateways.ts'

let folder: string
let running: Server[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-processes-'))
  running = []
})
afterEach(async () => {
  for (const gateway of running) await gateway.stop()
  rmSync(folder, { recursive: true, force: true })
})

const file = () => join(folder, 'library.db')
const settings = () => ({ ...process.env, NODE_ENV: '', QUIRE_EFFECTS: 'feed', QUIRE_STORE: `sqlite:${file()}` })

async function start(): Promise<Server> {
  const gateway = await startGateway({ file: file(), profile: 'development', effects: 'feed' })
  running.push(gateway)
  return gateway
}

/** The id of the acknowledged book; undefined when the gateway was killed first. */
async function publish({ url }: Server, number: number): Promise<string | undefined> {
  const query = `mutation { publishBook(input: { name: "Book ${number}", authorIds: ["a${1 + (number % 5)}"], publisherId: "p2" }) { book { id } } }`
  try {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
    const { data } = (await response.json()) as { data?: { publishBook?: { book: { id: string } } } }
    return data?.publishBook?.book.id
  } catch {
    return undefined
  }
}

const check = () => spawnSync(process.execPath, ['bin/quire.js', 'check'], { env: settings(), encoding: 'utf8' })

test('every effect is applied, whichever gateway is killed and when', async () => {
  const survivor = await start()
  const acknowledged: string[] = []
  for (let round = 0; round < 4; round++) {
    const doomed = await start()
    const published = Promise.all(Array.from({ length: 20 }, (_, number) => publish(number % 2 ? doomed : survivor, round * 20 + number)))
    // By now it follows the feed too. It is killed during the requests, after a different number of event loop turns each round.
    for (let turn = 0; turn < round * 3; turn++) await publish(survivor, turn).then((id) => id !== undefined && acknowledged.push(id))
    await doomed.stop()
    acknowledged.push(...(await published).filter((id) => id !== undefined))
  }
  expect(acknowledged.length).toBeGreaterThan(40)

  let checked = check()
  // The leases of killed gateways must expire before their parts are taken over.
  for (let tries = 0; checked.status !== 0 && tries < 60; tries++) {
    await publish(survivor, tries)
    checked = check()
  }
  expect(checked.stdout + checked.stderr).not.toMatch(/drifted|miscounted|dangling/)
  expect(checked.status).toBe(0)

  const query = `{ ${acknowledged.map((id, at) => `b${at}: book(id: "${id}") { id }`).join(' ')} }`
  const response = await fetch(survivor.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
  const { data } = (await response.json()) as { data: Record<string, { id: string } | null> }
  expect(Object.values(data).map((book) => book?.id)).toEqual(acknowledged)
}, 120_000)
