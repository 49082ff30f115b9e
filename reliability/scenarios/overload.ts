// Three times as many requests as can be answered: what is answered in time stays what it was at its best. Once
// where the processor is the limit, and once where the store is far away and the number of operations is.

import { cpuSeconds } from '../../bench/load/cpu-seconds.ts'
import type { Server } from '../../bench/servers/start-server.ts'
import { median, ratio } from '../../bench/statistics.ts'
import { fourLevels } from '../load/bodies.ts'
import { LoadProcess } from '../../bench/load/load-process.ts'
import type { PacedResult } from '../../bench/load/paced-load.ts'
import { progress, outcome, type Outcome } from '../scenario.ts'
import { startLibrary, type LibraryOptions } from '../servers/start-library.ts'

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

export const defaults = { quick: false }

export async function run({ quick }: typeof defaults): Promise<Outcome> {
  const [seconds, rounds] = quick ? [2, 3] : [10, 5]
  const load = new LoadProcess()
  const seen = []
  for (const { name, library, connections } of cases) {
    const server = await startLibrary(library)
    const { port } = server
    const atPeak: Measured[] = []
    const over: Measured[] = []
    await load.runPaced({ port, bodies: [fourLevels], connections, seconds })
    // In turn, and each held against the peak before it: what slows the machine down slows both.
    for (let round = 0; round < rounds; round++) {
      const peak = await measured(server, () => load.runPaced({ port, bodies: [fourLevels], connections, seconds }))
      progress(`${name}, round ${round + 1} of ${rounds}: ${Math.round(peak.goodPerSecond)} a second at the peak`)
      atPeak.push(peak)
      over.push(await measured(server, () => load.runPaced({ port, bodies: [fourLevels], connections: 500, seconds, perSecond: times * peak.goodPerSecond })))
    }
    const after = await server.ask(fourLevels)
    await server.stop()
    seen.push({ name, atPeak, over, share: ratio(over.map(({ goodPerSecond }) => goodPerSecond), atPeak.map(({ goodPerSecond }) => goodPerSecond)), answersAfterwards: after.data !== undefined })
  }
  load.stop()
  return outcome({
    lines: seen.map(({ name, atPeak, over, share }) =>
      `With ${name}: ${of(atPeak, ({ goodPerSecond }) => goodPerSecond)} answers a second at the peak, and ${of(over, ({ goodPerSecond }) => goodPerSecond)} in time with ${times} times as many requests due: ${percent(share.median)} (at least ${percent(least)}; ${rounds} rounds, from ${percent(share.min)} to ${percent(share.max)}). `
        + `p99 ${of(over, ({ p99Ms }) => p99Ms)} ms, ${percent(median(over.map(({ refused, due }) => refused / due)))} refused with 503, ${over.reduce((sum, { late }) => sum + late, 0)} late. `
        + `An answer took ${of(over, ({ cpuUs }) => cpuUs)} µs of the processor, refusals included, and ${of(atPeak, ({ cpuUs }) => cpuUs)} at the peak.`),
    data: { cases: seen },
    holds: seen.every(({ share, answersAfterwards }) => share.median >= least && answersAfterwards),
  })
}

interface Measured extends PacedResult {
  /** Time of the processor for each answer in time, with all that was done beside: others on the machine move it less than the clock. */
  readonly cpuUs: number
}

async function measured({ pid }: Server, loading: () => Promise<PacedResult>): Promise<Measured> {
  const before = cpuSeconds(pid) ?? 0
  const result = await loading()
  return { ...result, cpuUs: (((cpuSeconds(pid) ?? 0) - before) * 1e6) / result.good }
}

function of(some: readonly Measured[], value: (one: Measured) => number): number {
  return Math.round(median(some.map(value)))
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
