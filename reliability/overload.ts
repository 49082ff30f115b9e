// Three times as many requests as can be answered: what is answered in time stays what it was at its best. Once
// where the processor is the limit, and once where the store is far away and the number of operations is.

import type { Options, Outcome } from './outcome.ts'
import { fourLevels } from './load/bodies.ts'
import { LoadProcess } from './load/load-process.ts'
import { startLibrary, type LibraryOptions } from './servers/start.ts'

const least = 0.8
const times = 3

interface Case {
  readonly name: string
  readonly library: LibraryOptions
  /** As many as it takes to keep the gateway busy. */
  readonly connections: number
}

const cases: readonly Case[] = [
  { name: 'a store in the process', library: {}, connections: 16 },
  { name: 'a store 20 ms away, 50 operations at once', library: { lateMs: 20, env: { QUIRE_MOST_OPERATIONS: '50' } }, connections: 50 },
]

export async function run({ quick, progress }: Options): Promise<Outcome> {
  const seconds = quick ? 3 : 15
  const load = new LoadProcess()
  const seen = []
  for (const { name, library, connections } of cases) {
    const server = await startLibrary(library)
    progress(`${name}: looking for the peak`)
    const { port } = server
    const peak = await load.peak({ port, bodies: [fourLevels], connections, seconds })
    progress(`${name}: ${Math.round(peak.goodPerSecond)} a second; now ${times} times as many are due`)
    const over = await load.run({ port, bodies: [fourLevels], connections: 500, seconds, perSecond: times * peak.goodPerSecond })
    const after = await server.ask(fourLevels)
    await server.stop()
    seen.push({ name, peak, over, share: over.goodPerSecond / peak.goodPerSecond, answersAfterwards: after.data !== undefined })
  }
  load.stop()
  return {
    lines: seen.map(({ name, peak, over, share }) =>
      `With ${name}: ${Math.round(peak.goodPerSecond)} answers a second at the peak; with ${times} times as many requests due ${Math.round(over.goodPerSecond)} in time (${Math.round(share * 100)} %, at least ${least * 100} %), p99 ${Math.round(over.p99Ms)} ms, ${Math.round((over.refused / over.due) * 100)} % refused with 503, ${over.late} late, ${over.failed} without an answer or a connection.`),
    data: { cases: seen },
    holds: seen.every(({ share, answersAfterwards }) => share >= least && answersAfterwards),
  }
}
