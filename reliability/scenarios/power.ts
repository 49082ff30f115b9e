// A power failure leaves SQLite's log intact up to the last sync; after that any part of it may be missing, in any order. The
// log is truncated, overwritten and zeroed after the last acknowledged commit, at random bytes, and each time every
// acknowledged write is stored, every other one is stored as a whole or not at all, and `check` finds nothing.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../durability/gateways.ts'
import { WriteLog } from '../durability/write-log.ts'
import { WritingClient, seededRandom, type RandomBetween } from '../durability/writing-client.ts'
import { bulletList, firstFew, type Scenario, type Outcome } from '../scenario.ts'
import { inspectStore, createStore } from '../durability/stored.ts'

export const defaults = { rounds: 10, damages: 30, seed: 1 }
export const run: Scenario<typeof defaults>['run'] = failPower

const clients = 8
/** Few enough that SQLite does not restart the log: its length is then where the last commit ends. */
const writesBefore = 2

export async function failPower({ rounds, damages, seed }: typeof defaults): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-power-'))
  const wrong: string[] = []
  const seen = { acknowledged: 0, inspections: 0, bytes: 0 }
  try {
    await createStore(join(folder, 'sample.db'))
    for (let round = 0; round < rounds; round++) {
      const file = join(folder, `${round}.db`)
      copyFileSync(join(folder, 'sample.db'), file)
      const { writeLog, synced } = await failUnderLoad(file, seededRandom(seed + round), wrong)
      const log = readFileSync(`${file}-wal`)
      seen.acknowledged += writeLog.counts.acknowledged
      seen.bytes += log.length - synced
      const draw = seededRandom(seed + round)
      for (let damage = 0; damage < damages; damage++) {
        const damaged = damagedAfter(log, synced, draw)
        // Every inspection is of the same crash, so each starts with a copy of the log of writes.
        wrong.push(...(await inspectStore(file, writeLog.copy(), { folder, before: (copy) => writeFileSync(`${copy}-wal`, damaged) })).map((each) => `Round ${round}, damage ${damage}: ${each}`))
        seen.inspections++
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const line of firstFew(wrong)) console.error(line)
  return {
    held: wrong.length === 0 && seen.bytes > 0,
    figures: bulletList({
      'gateways that lost their power': rounds,
      'writes acknowledged before that': seen.acknowledged,
      'bytes of the log after the last acknowledged commit': seen.bytes,
      'times they were truncated, overwritten or zeroed': seen.inspections,
      'writes lost, torn or duplicated, and findings of `check`': wrong.length,
    }),
  }
}

/** `synced` is the log's length when everything in it was acknowledged; more writes were in flight after that. */
async function failUnderLoad(file: string, draw: RandomBetween, wrong: string[]): Promise<{ readonly writeLog: WriteLog; readonly synced: number }> {
  const writeLog = new WriteLog()
  const gateway = await startGateway({ file, profile: 'production' })
  const all = Array.from({ length: clients }, (_, at) => new WritingClient(`${at}`, writeLog, seededRandom(draw(0, 2 ** 30)), wrong))
  await Promise.all(all.map(async (client) => {
    for (let write = 0; write < writesBefore; write++) await client.writeOne(gateway.url)
  }))
  const synced = readFileSync(`${file}-wal`).length
  const acknowledged = writeLog.copy()
  // None of these counts as acknowledged: the power fails before their answers arrive.
  const inFlight = all.map((client) => client.writeOne(gateway.url))
  await Promise.race(inFlight)
  await gateway.stop('SIGKILL')
  await Promise.all(inFlight)
  return { writeLog: writeLog.unansweredSince(acknowledged), synced }
}

function damagedAfter(log: Buffer, synced: number, draw: RandomBetween): Buffer {
  const damaged = Buffer.from(log)
  const at = draw(synced, log.length + 1)
  switch (draw(0, 3)) {
    case 0:
      return damaged.subarray(0, at)
    case 1:
      for (let flips = draw(1, 20); flips > 0 && synced < log.length; flips--) damaged[draw(synced, log.length)]! ^= 1 << draw(0, 8)
      return damaged
    default:
      // A disk writes sectors in any order: these were not written.
      for (let sectors = draw(1, 10); sectors > 0; sectors--) {
        const sector = Math.max(synced, Math.floor(draw(synced, log.length + 1) / 512) * 512)
        damaged.fill(0, sector, Math.min(log.length, sector + 512))
      }
      return damaged
  }
}
