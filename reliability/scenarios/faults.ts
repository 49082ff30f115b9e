// Lets one of a hundred writes and syncs of a gateway's disk fail, while clients write. Nobody is told anything but
// STORE_UNAVAILABLE, or that it took too long, reads go on, the process lives, and after a crash and a restart exactly what was acknowledged is there,
// and nothing of what was refused.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFailing } from '../durability/failing-calls.ts'
import { missingTools } from '../durability/missing-tools.ts'
import { WriteLog } from '../durability/write-log.ts'
import { Client, drawFrom } from '../durability/writing-client.ts'
import { Reader } from '../durability/reader.ts'
import { listed, someOf, type Scenario, type Outcome } from '../scenario.ts'
import { lookAt, makeStore } from '../durability/stored.ts'

export const defaults = { rounds: 20, writes: 500, writePercent: 1, syncPercent: 1, seed: 1 }
export const run: Scenario<typeof defaults>['run'] = showFaults

const clients = 6

export async function showFaults({ rounds, writes, writePercent, syncPercent, seed }: typeof defaults): Promise<Outcome> {
  const missing = missingTools(['fiu-run'])
  if (missing) throw new Error(`This cannot be shown: ${missing}.`)
  const folder = mkdtempSync(join(tmpdir(), 'quire-faults-'))
  const wrong: string[] = []
  const told = { acknowledged: 0, refused: 0, unknown: 0, reads: 0, late: 0 }
  try {
    await makeStore(join(folder, 'sample.db'))
    for (let round = 0; round < rounds; round++) {
      const file = join(folder, `${round}.db`)
      copyFileSync(join(folder, 'sample.db'), file)
      const writeLog = new WriteLog()
      const gateway = await startFailing({ file, profile: round % 2 === 0 ? 'production' : 'development', effects: round % 4 === 3 ? 'feed' : 'together' }, folder)
      const reader = new Reader(gateway.url, wrong)
      const all = Array.from({ length: clients }, (_, at) => new Client(`${round}${at}`, writeLog, drawFrom(seed + round * clients + at), wrong))
      await gateway.fail({ write: writePercent, sync: syncPercent })
      await Promise.all([...all.map((client) => times(writes / clients, () => client.writeOne(gateway.url))), times(writes / clients, () => reader.read())])
      // As soon as nothing fails any more, nothing is refused any more.
      await gateway.heal()
      const refused = writeLog.counts.refused + writeLog.counts.unknown
      await Promise.all(all.map((client) => times(5, () => client.writeOne(gateway.url))))
      if (writeLog.counts.refused + writeLog.counts.unknown > refused) wrong.push(`Round ${round}: writes were refused when the disk was well again`)
      if (!gateway.isAlive()) wrong.push(`Round ${round}: the gateway ended: ${gateway.stderr()}`)
      await gateway.stop('SIGKILL')
      wrong.push(...(await lookAt(file, writeLog, { folder, follows: true })).map((each) => `Round ${round}: ${each}`))
      for (const outcome of ['acknowledged', 'refused', 'unknown'] as const) told[outcome] += writeLog.counts[outcome]
      told.reads += reader.answered
      told.late += writeLog.late
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const line of someOf(wrong)) console.error(line)
  return {
    held: wrong.length === 0 && told.acknowledged > 0 && told.refused > 0,
    figures: listed({
      'gateways whose disk failed': rounds,
      'failing': `${writePercent} % of all pwrite, ${syncPercent} % of all fsync`,
      'writes acknowledged': told.acknowledged,
      'writes refused, and not there': told.refused,
      'of them, because it took too long and not for the disk': told.late,
      'writes of which nobody could say': told.unknown,
      'reads answered meanwhile': told.reads,
      'writes lost, torn, doubled or there though refused, other answers, and findings of `check`': wrong.length,
    }),
  }
}

async function times(number: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < number; time++) await work()
}
