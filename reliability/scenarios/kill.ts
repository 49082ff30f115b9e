// Kills real gateways with `kill -9`, at any moment, while clients write to them. After each kill everything that was
// acknowledged is there, everything that was not is there as a whole or not at all, and `check` finds nothing.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from '../../bench/servers/start-server.ts'
import { startGateway, warmUp, type GatewayChoice } from '../durability/gateways.ts'
import { WriteLog } from '../durability/write-log.ts'
import { Client, drawFrom, type Draw } from '../durability/writing-client.ts'
import { listed, someOf, type Scenario, type Outcome } from '../scenario.ts'
import { lookAt, makeStore } from '../durability/stored.ts'

export const defaults = { kills: 1000, lanes: 2, seed: 1 }
export const run: Scenario<typeof defaults>['run'] = kill

const clientsPerGateway = 6
/** A new store now and then, so that looking at all of it stays quick. */
const killsPerStore = 10
/** A gateway dies after any number of acknowledged writes up to this one, and then at any moment of the next ones. */
const mostBefore = 40
const mostMs = 10

/** The ways in which gateways run here, in turns. */
const ways: readonly { readonly name: string; readonly gateways: readonly Omit<GatewayChoice, 'file'>[] }[] = [
  { name: 'production', gateways: [{ profile: 'production' }] },
  { name: 'development', gateways: [{ profile: 'development' }] },
  { name: 'copies through the feed', gateways: [{ profile: 'production', effects: 'feed' }] },
  { name: 'two gateways on one file', gateways: [{ profile: 'production' }, { profile: 'development' }] },
  { name: 'two on one file, through the feed', gateways: [{ profile: 'production', effects: 'feed' }, { profile: 'production', effects: 'feed' }] },
]

interface Seen {
  kills: number
  looks: number
  acknowledged: number
  unknown: number
  readonly byWay: Map<string, number>
  readonly wrong: string[]
}

async function kill({ kills, lanes, seed }: typeof defaults): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-kill-'))
  const seen: Seen = { kills: 0, looks: 0, acknowledged: 0, unknown: 0, byWay: new Map(), wrong: [] }
  const startedMs = performance.now()
  try {
    await makeStore(join(folder, 'sample.db'))
    await warmUp(join(folder, 'sample.db'))
    await Promise.all(Array.from({ length: lanes }, (_, lane) => killInLane(folder, `${lane + 1}`, drawFrom(seed + lane), kills, seen)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const line of someOf(seen.wrong)) console.error(line)
  return {
    held: seen.wrong.length === 0 && seen.acknowledged > seen.kills,
    figures: listed({
      'gateways killed with `kill -9`': seen.kills,
      'of them, by how they ran': [...seen.byWay].map(([way, count]) => `${way} ${count}`).join(', '),
      'writes acknowledged before': seen.acknowledged,
      'writes under way when the gateway died': seen.unknown,
      'times that the store was looked at as a whole, with `check`': seen.looks,
      'writes lost, torn or doubled, and findings of `check`': seen.wrong.length,
      'seconds': Math.round((performance.now() - startedMs) / 1000),
    }),
  }
}

/** One store after the other, and on each one gateway after the other. */
async function killInLane(folder: string, lane: string, draw: Draw, kills: number, seen: Seen): Promise<void> {
  for (let stores = 0; seen.kills < kills; stores++) {
    const file = join(folder, `${lane}-${stores}.db`)
    copyFileSync(join(folder, 'sample.db'), file)
    const writeLog = new WriteLog()
    const way = ways[(stores + Number(lane) - 1) % ways.length]!
    const clients = Array.from({ length: clientsPerGateway * way.gateways.length }, (_, at) => new Client(`${lane}${stores}${at}`, writeLog, drawFrom(draw(0, 2 ** 30)), seen.wrong))
    for (let here = 0; here < killsPerStore && seen.kills < kills; here += way.gateways.length) {
      const gateways = await Promise.all(way.gateways.map((choice) => startGateway({ ...choice, file })))
      await killUnderLoad(gateways, clients, writeLog, draw)
      seen.kills += gateways.length
      seen.byWay.set(way.name, gateways.length + (seen.byWay.get(way.name) ?? 0))
      seen.looks++
      seen.wrong.push(...(await lookAt(file, writeLog, { folder, follows: way.gateways[0]!.effects === 'feed' })).map((wrong) => `After kill ${seen.kills} (${way.name}): ${wrong}`))
    }
    seen.acknowledged += writeLog.counts.acknowledged
    seen.unknown += writeLog.counts.unknown
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  }
}

/** The second one goes on for a while alone. */
async function killUnderLoad(gateways: readonly Server[], clients: readonly Client[], writeLog: WriteLog, draw: Draw): Promise<void> {
  const stop = new AbortController()
  const writing = clients.map((client, at) => client.writeTo(gateways[at % gateways.length]!.url, stop.signal))
  for (const gateway of gateways) {
    const until = writeLog.counts.acknowledged + draw(0, mostBefore)
    while (writeLog.counts.acknowledged < until && gateway.isAlive()) await pause(1)
    await pause(draw(0, mostMs))
    if (!gateway.isAlive()) throw new Error(`A gateway ended by itself: ${gateway.stderr()}`)
    await gateway.stop('SIGKILL')
  }
  await Promise.all(writing)
}
