// Lets one of a hundred writes and syncs of a gateway's disk fail, while clients write. Nobody is told anything but
// STORE_UNAVAILABLE, or that it took too long, reads go on, the process lives, and after a crash and a restart exactly what was acknowledged is there,
// and nothing of what was refused.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFailing } from '../durability/failing-calls.ts'
import { missingTools } from '../durability/installed.ts'
import { WriteLedger } from '../durability/write-ledger.ts'
import { Client, drawFrom } from '../durability/load.ts'
import { Reader } from '../durability/reader.ts'
import { listed, someOf, type Show, type Shown } from '../show.ts'
import { lookAt, makeStore } from '../durability/stored.ts'

export const usual = { rounds: 20, writes: 500, writePercent: 1, syncPercent: 1, seed: 1 }
export const run: Show<typeof usual>['run'] = showFaults

const clients = 6

export async function showFaults({ rounds, writes, writePercent, syncPercent, seed }: typeof usual): Promise<Shown> {
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
      const ledger = new WriteLedger()
      const gateway = await startFailing({ file, profile: round % 2 === 0 ? 'production' : 'development', effects: round % 4 === 3 ? 'feed' : 'together' }, folder)
      const reader = new Reader(gateway.address, wrong)
      const all = Array.from({ length: clients }, (_, at) => new Client(`${round}${at}`, ledger, drawFrom(seed + round * clients + at), wrong))
      await gateway.fail({ write: writePercent, sync: syncPercent })
      await Promise.all([...all.map((client) => times(writes / clients, () => client.writeOne(gateway.address))), times(writes / clients, () => reader.read())])
      // As soon as nothing fails any more, nothing is refused any more.
      await gateway.heal()
      const refused = ledger.counts.refused + ledger.counts.unknown
      await Promise.all(all.map((client) => times(5, () => client.writeOne(gateway.address))))
      if (ledger.counts.refused + ledger.counts.unknown > refused) wrong.push(`Round ${round}: writes were refused when the disk was well again`)
      if (!gateway.isAlive()) wrong.push(`Round ${round}: the gateway ended: ${gateway.said()}`)
      await gateway.signal('SIGKILL')
      wrong.push(...(await lookAt(file, ledger, { folder, follows: true })).map((each) => `Round ${round}: ${each}`))
      for (const outcome of ['acknowledged', 'refused', 'unknown'] as const) told[outcome] += ledger.counts[outcome]
      told.reads += reader.answered
      told.late += ledger.late
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
