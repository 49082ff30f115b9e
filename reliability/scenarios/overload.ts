// Three times as many requests as the gateway can answer: the rate of timely answers stays near its peak. Once where the CPU
// is the limit, and once with a slow store, where the number of concurrent operations is.

import { cpuSeconds } from '../../bench/load/cpu-seconds.ts'
import type { Server } from '../../bench/servers/start-server.ts'
import { median, ratio } from '../../bench/statistics.ts'
import { fourLevels } from '../load/bodies.ts'
import { LoadProcess } from '../../bench/load/load-process.ts'
import type { PacedResult } from '../../bench/load/paced-load.ts'
import { progress, outcome, type Outcome } from '../scenario.ts'
import { startLibrary, type LibraryOptions } from '../servers/start-library.ts'

const minShare = 0.8
const times = 3

interface Case {
  readonly name: string
  readonly library: LibraryOptions
  /** Enough to keep the gateway busy. */
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
    // Peak and overload alternate, and each overload is compared with the peak just before: a slow moment of the machine slows both.
    for (let round = 0; round < rounds; round++) {
      const peak = await measured(server, () => load.runPaced({ port, bodies: [fourLevels], connections, seconds }))
      progress(`${name}, round ${round + 1} of ${rounds}: ${Math.round(peak.goodPerSecond)} per second at the peak`)
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
      `With ${name}: ${of(atPeak, ({ goodPerSecond }) => goodPerSecond)} answers per second at the peak, ${of(over, ({ goodPerSecond }) => goodPerSecond)} in time with ${times} times as many requests: ${percent(share.median)} (at least ${percent(minShare)}; ${rounds} rounds, from ${percent(share.min)} to ${percent(share.max)}). `
        + `p99 ${of(over, ({ p99Ms }) => p99Ms)} ms, ${percent(median(over.map(({ refused, due }) => refused / due)))} refused with 503, ${over.reduce((sum, { late }) => sum + late, 0)} late. `
        + `An answer took ${of(over, ({ cpuUs }) => cpuUs)} µs of CPU time, refusals included, against ${of(atPeak, ({ cpuUs }) => cpuUs)} at the peak.`),
    data: { cases: seen },
    holds: seen.every(({ share, answersAfterwards }) => share.median >= minShare && answersAfterwards),
  })
}

interface Measured extends PacedResult {
  /** CPU time per timely answer, everything else included: other processes on the machine change it less than wall time. */
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
