// What a power failure leaves of SQLite's log: everything up to the last sync, and behind that any part of what was on its
// way, in any order. The log is cut, overwritten and emptied behind the last acknowledged commit, at any byte, and each time
// everything acknowledged is there, the rest is there as a whole or not at all, and `check` finds nothing.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../durability/gateways.ts'
import { WriteLog } from '../durability/write-log.ts'
import { Client, drawFrom, type Draw } from '../durability/writing-client.ts'
import { listed, someOf, type Scenario, type Outcome } from '../scenario.ts'
import { lookAt, makeStore } from '../durability/stored.ts'

export const defaults = { rounds: 10, damages: 30, seed: 1 }
export const run: Scenario<typeof defaults>['run'] = showPowerFailures

const clients = 8
/** Few enough that the log is not begun anew meanwhile: then its length is where the last commit ends. */
const writesBefore = 2

export async function showPowerFailures({ rounds, damages, seed }: typeof defaults): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-power-'))
  const wrong: string[] = []
  const seen = { acknowledged: 0, looks: 0, bytes: 0 }
  try {
    await makeStore(join(folder, 'sample.db'))
    for (let round = 0; round < rounds; round++) {
      const file = join(folder, `${round}.db`)
      copyFileSync(join(folder, 'sample.db'), file)
      const { writeLog, synced } = await failUnderLoad(file, drawFrom(seed + round), wrong)
      const log = readFileSync(`${file}-wal`)
      seen.acknowledged += writeLog.counts.acknowledged
      seen.bytes += log.length - synced
      const draw = drawFrom(seed + round)
      for (let damage = 0; damage < damages; damage++) {
        const damaged = damagedBehind(log, synced, draw)
        // Each look is at the same crash, so each begins with what was known then.
        wrong.push(...(await lookAt(file, writeLog.copy(), { folder, before: (copy) => writeFileSync(`${copy}-wal`, damaged) })).map((each) => `Round ${round}, damage ${damage}: ${each}`))
        seen.looks++
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const line of someOf(wrong)) console.error(line)
  return {
    held: wrong.length === 0 && seen.bytes > 0,
    figures: listed({
      'gateways that lost their power': rounds,
      'writes acknowledged before': seen.acknowledged,
      'bytes of the log behind the last acknowledged commit': seen.bytes,
      'ways in which those were cut, overwritten or emptied': seen.looks,
      'writes lost, torn or doubled, and findings of `check`': wrong.length,
    }),
  }
}

/** Where the log ended when everything in it was acknowledged, and more writes were on their way. */
async function failUnderLoad(file: string, draw: Draw, wrong: string[]): Promise<{ readonly writeLog: WriteLog; readonly synced: number }> {
  const writeLog = new WriteLog()
  const gateway = await startGateway({ file, profile: 'production' })
  const all = Array.from({ length: clients }, (_, at) => new Client(`${at}`, writeLog, drawFrom(draw(0, 2 ** 30)), wrong))
  await Promise.all(all.map(async (client) => {
    for (let write = 0; write < writesBefore; write++) await client.writeOne(gateway.url)
  }))
  const synced = readFileSync(`${file}-wal`).length
  const acknowledged = writeLog.copy()
  // None of these is counted as acknowledged: the power fails before anybody hears of them.
  const underWay = all.map((client) => client.writeOne(gateway.url))
  await Promise.race(underWay)
  await gateway.stop('SIGKILL')
  await Promise.all(underWay)
  return { writeLog: writeLog.unheardSince(acknowledged), synced }
}

function damagedBehind(log: Buffer, synced: number, draw: Draw): Buffer {
  const damaged = Buffer.from(log)
  const at = draw(synced, log.length + 1)
  switch (draw(0, 3)) {
    case 0:
      return damaged.subarray(0, at)
    case 1:
      for (let flips = draw(1, 20); flips > 0 && synced < log.length; flips--) damaged[draw(synced, log.length)]! ^= 1 << draw(0, 8)
      return damaged
    default:
      // Sectors arrive in any order: these have not.
      for (let sectors = draw(1, 10); sectors > 0; sectors--) {
        const sector = Math.max(synced, Math.floor(draw(synced, log.length + 1) / 512) * 512)
        damaged.fill(0, sector, Math.min(log.length, sector + 512))
      }
      return damaged
  }
}
