// Kills real gateways with `kill -9` at random moments while clients write. After each kill every acknowledged write is
// stored, every other one is stored as a whole or not at all, and `check` finds nothing.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from '../../bench/servers/start-server.ts'
import { startGateway, warmUp, type GatewayChoice } from '../durability/gateways.ts'
import { WriteLog } from '../durability/write-log.ts'
import { WritingClient, seededRandom, type RandomBetween } from '../durability/writing-client.ts'
import { bulletList, firstFew, type Scenario, type Outcome } from '../scenario.ts'
import { inspectStore, createStore } from '../durability/stored.ts'

export const defaults = { kills: 1000, lanes: 2, seed: 1 }
export const run: Scenario<typeof defaults>['run'] = kill

const clientsPerGateway = 6
/** A new store now and then, so that inspecting all of it stays quick. */
const killsPerStore = 10
/** A gateway is killed after a random number of acknowledged writes, plus a random pause. */
const maxAcknowledged = 40
const maxPauseMs = 10

/** How the gateways run; one setup after the other. */
const setups: readonly { readonly name: string; readonly gateways: readonly Omit<GatewayChoice, 'file'>[] }[] = [
  { name: 'production', gateways: [{ profile: 'production' }] },
  { name: 'development', gateways: [{ profile: 'development' }] },
  { name: 'snapshots through the feed', gateways: [{ profile: 'production', effects: 'feed' }] },
  { name: 'two gateways on one file', gateways: [{ profile: 'production' }, { profile: 'development' }] },
  { name: 'two on one file, through the feed', gateways: [{ profile: 'production', effects: 'feed' }, { profile: 'production', effects: 'feed' }] },
]

interface Seen {
  kills: number
  inspections: number
  acknowledged: number
  unknown: number
  readonly bySetup: Map<string, number>
  readonly wrong: string[]
}

async function kill({ kills, lanes, seed }: typeof defaults): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-kill-'))
  const seen: Seen = { kills: 0, inspections: 0, acknowledged: 0, unknown: 0, bySetup: new Map(), wrong: [] }
  const startedMs = performance.now()
  try {
    await createStore(join(folder, 'sample.db'))
    await warmUp(join(folder, 'sample.db'))
    await Promise.all(Array.from({ length: lanes }, (_, lane) => killInLane(folder, `${lane + 1}`, seededRandom(seed + lane), kills, seen)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const line of firstFew(seen.wrong)) console.error(line)
  return {
    held: seen.wrong.length === 0 && seen.acknowledged > seen.kills,
    figures: bulletList({
      'gateways killed with `kill -9`': seen.kills,
      'of them, by setup': [...seen.bySetup].map(([name, count]) => `${name} ${count}`).join(', '),
      'writes acknowledged before that': seen.acknowledged,
      'writes in flight when the gateway died': seen.unknown,
      'inspections of the whole store, with `check`': seen.inspections,
      'writes lost, torn or duplicated, and findings of `check`': seen.wrong.length,
      'seconds': Math.round((performance.now() - startedMs) / 1000),
    }),
  }
}

/** One store after the other, and on each store one gateway after the other. */
async function killInLane(folder: string, lane: string, draw: RandomBetween, kills: number, seen: Seen): Promise<void> {
  for (let stores = 0; seen.kills < kills; stores++) {
    const file = join(folder, `${lane}-${stores}.db`)
    copyFileSync(join(folder, 'sample.db'), file)
    const writeLog = new WriteLog()
    const setup = setups[(stores + Number(lane) - 1) % setups.length]!
    const clients = Array.from({ length: clientsPerGateway * setup.gateways.length }, (_, at) => new WritingClient(`${lane}${stores}${at}`, writeLog, seededRandom(draw(0, 2 ** 30)), seen.wrong))
    for (let here = 0; here < killsPerStore && seen.kills < kills; here += setup.gateways.length) {
      const gateways = await Promise.all(setup.gateways.map((choice) => startGateway({ ...choice, file })))
      await killUnderLoad(gateways, clients, writeLog, draw)
      seen.kills += gateways.length
      seen.bySetup.set(setup.name, gateways.length + (seen.bySetup.get(setup.name) ?? 0))
      seen.inspections++
      seen.wrong.push(...(await inspectStore(file, writeLog, { folder, follows: setup.gateways[0]!.effects === 'feed' })).map((wrong) => `After kill ${seen.kills} (${setup.name}): ${wrong}`))
    }
    seen.acknowledged += writeLog.counts.acknowledged
    seen.unknown += writeLog.counts.unknown
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  }
}

/** Of two gateways, the second runs on alone for a while. */
async function killUnderLoad(gateways: readonly Server[], clients: readonly WritingClient[], writeLog: WriteLog, draw: RandomBetween): Promise<void> {
  const stop = new AbortController()
  const writing = clients.map((client, at) => client.writeTo(gateways[at % gateways.length]!.url, stop.signal))
  for (const gateway of gateways) {
    const until = writeLog.counts.acknowledged + draw(0, maxAcknowledged)
    while (writeLog.counts.acknowledged < until && gateway.isAlive()) await pause(1)
    await pause(draw(0, maxPauseMs))
    if (!gateway.isAlive()) throw new Error(`A gateway ended by itself: ${gateway.stderr()}`)
    await gateway.stop('SIGKILL')
  }
  await Promise.all(writing)
}
