// One in a hundred writes and syncs of a gateway's disk fails while clients write. Clients get only STORE_UNAVAILABLE or a
// timeout, reads keep working, the process stays alive, and after a crash and a restart exactly the acknowledged writes are
// stored and none of the refused ones.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFailingGateway } from '../durability/failing-calls.ts'
import { missingTools } from '../durability/missing-tools.ts'
import { WriteLog } from '../durability/write-log.ts'
import { WritingClient, seededRandom } from '../durability/writing-client.ts'
import { Reader } from '../durability/reader.ts'
import { bulletList, firstFew, type Scenario, type Outcome } from '../scenario.ts'
import { inspectStore, createStore } from '../durability/stored.ts'

export const defaults = { rounds: 20, writes: 500, writePercent: 1, syncPercent: 1, seed: 1 }
export const run: Scenario<typeof defaults>['run'] = injectFaults

const clients = 6

export async function injectFaults({ rounds, writes, writePercent, syncPercent, seed }: typeof defaults): Promise<Outcome> {
  const missing = missingTools(['fiu-run'])
  if (missing) throw new Error(`The scenario cannot run: ${missing}.`)
  const folder = mkdtempSync(join(tmpdir(), 'quire-faults-'))
  const wrong: string[] = []
  const totals = { acknowledged: 0, refused: 0, unknown: 0, reads: 0, late: 0 }
  try {
    await createStore(join(folder, 'sample.db'))
    for (let round = 0; round < rounds; round++) {
      const file = join(folder, `${round}.db`)
      copyFileSync(join(folder, 'sample.db'), file)
      const writeLog = new WriteLog()
      const gateway = await startFailingGateway({ file, profile: round % 2 === 0 ? 'production' : 'development', effects: round % 4 === 3 ? 'feed' : 'together' }, folder)
      const reader = new Reader(gateway.url, wrong)
      const all = Array.from({ length: clients }, (_, at) => new WritingClient(`${round}${at}`, writeLog, seededRandom(seed + round * clients + at), wrong))
      await gateway.fail({ write: writePercent, sync: syncPercent })
      await Promise.all([...all.map((client) => times(writes / clients, () => client.writeOne(gateway.url))), times(writes / clients, () => reader.read())])
      // Once the disk works again, every write succeeds.
      await gateway.heal()
      const refused = writeLog.counts.refused + writeLog.counts.unknown
      await Promise.all(all.map((client) => times(5, () => client.writeOne(gateway.url))))
      if (writeLog.counts.refused + writeLog.counts.unknown > refused) wrong.push(`Round ${round}: writes were refused after the disk worked again`)
      if (!gateway.isAlive()) wrong.push(`Round ${round}: the gateway ended: ${gateway.stderr()}`)
      await gateway.stop('SIGKILL')
      wrong.push(...(await inspectStore(file, writeLog, { folder, follows: true })).map((each) => `Round ${round}: ${each}`))
      for (const outcome of ['acknowledged', 'refused', 'unknown'] as const) totals[outcome] += writeLog.counts[outcome]
      totals.reads += reader.answered
      totals.late += writeLog.late
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const line of firstFew(wrong)) console.error(line)
  return {
    held: wrong.length === 0 && totals.acknowledged > 0 && totals.refused > 0,
    figures: bulletList({
      'gateways whose disk failed': rounds,
      'failing calls': `${writePercent} % of all pwrite, ${syncPercent} % of all fsync`,
      'writes acknowledged': totals.acknowledged,
      'writes refused, and absent': totals.refused,
      'of them, by a timeout and not by the disk': totals.late,
      'writes whose result is unknown': totals.unknown,
      'reads answered meanwhile': totals.reads,
      'writes lost, torn, duplicated or stored though refused, unexpected answers, and findings of `check`': wrong.length,
    }),
  }
}

async function times(number: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < number; time++) await work()
}
