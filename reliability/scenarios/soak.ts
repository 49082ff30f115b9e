// Minutes at 70 % of the peak rate, with queries of every kind and writes: memory must not grow.

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { queries, writes } from '../load/bodies.ts'
import { LoadProcess } from '../../bench/load/load-process.ts'
import type { PacedResult } from '../../bench/load/paced-load.ts'
import { progress, outcome, type Outcome } from '../scenario.ts'
import { startLibrary } from '../servers/start-library.ts'
import { slopeOf, type Point } from '../load/slope.ts'

const maxMbPerMinute = 1
const share = 0.7

export const defaults = { quick: false, minutes: 10 }

export async function run({ quick, minutes }: typeof defaults): Promise<Outcome> {
  const rounds = quick ? 10 : minutes * 2
  const seconds = quick ? 2 : 30
  const server = await startLibrary({ nodeOptions: ['--expose-gc'] })
  const load = new LoadProcess()
  const { port, pid } = server
  // Some operations are rare, so that caches see new texts as they would in production.
  const rare = Array.from({ length: 50 }, (_, number) => JSON.stringify({ query: `query Rare${number} { books(first: ${1 + (number % 20)}) { nodes { name } } }` }))
  const bodies = [...Array.from({ length: 10 }, () => queries).flat(), ...rare, ...Array.from({ length: 20 }, (_, number) => writes(number)).flat(), '{"query":"{ nothing }"}']
  // The best of three runs: a slow moment of the disk would set the rate too low.
  const peak = await load.peak({ port, bodies, connections: 10, seconds: quick ? 2 : 5 }, 3)
  const perSecond = share * peak.goodPerSecond
  progress(`${Math.round(peak.goodPerSecond)} per second at the peak; ${Math.round(perSecond)} per second for ${(rounds * seconds) / 60} minutes`)
  const points: Point[] = []
  const results: PacedResult[] = []
  for (let round = 1; round <= rounds; round++) {
    // Requests beyond a thousand in flight wait for a connection; otherwise a moment without CPU would count as failures.
    results.push(await load.runPaced({ port, bodies, connections: 1000, seconds, perSecond, waits: true }))
    points.push({ minutes: (round * seconds) / 60, mb: await collectedMb(pid) })
    if (round % 2 === 0) progress(`${points.at(-1)!.minutes.toFixed(1)} min: ${points.at(-1)!.mb.toFixed(1)} MB`)
  }
  load.stop()
  await server.stop()
  // The first third is warm-up: caches fill and code is compiled.
  const warm = points.filter((point) => point.minutes >= points.at(-1)!.minutes / 3)
  const slope = slopeOf(warm)
  const sum = (of: (result: PacedResult) => number): number => results.reduce((total, result) => total + of(result), 0)
  const failed = sum((result) => result.failed)
  const late = sum((result) => result.late)
  const p99Ms = Math.max(...results.map((result) => result.p99Ms))
  return outcome({
    lines: [
      `${Math.round(perSecond)} requests per second for ${((rounds * seconds) / 60).toFixed(1)} minutes (${Math.round(share * 100)} % of the peak): ${sum(({ good }) => good) + late} answered, p99 ${p99Ms.toFixed(1)} ms in the worst half minute, ${late} later than two seconds, ${sum(({ refused }) => refused)} refused, ${failed} failed.`,
      `Resident memory, every half minute after garbage collection: ${warm[0]?.mb.toFixed(1)} MB after a third of the time, ${warm.at(-1)?.mb.toFixed(1)} MB at the end, ${slope.toFixed(2)} MB per minute by linear fit (limit ${maxMbPerMinute}).`,
    ],
    data: { perSecond, seconds: rounds * seconds, results, points, slope },
    holds: slope < maxMbPerMinute && failed === 0 && late === 0,
  })
}

/** Resident memory after garbage collection. */
async function collectedMb(pid: number): Promise<number> {
  // The second collection removes what finalizers of the first released.
  for (let time = 0; time < 2; time++) {
    process.kill(pid, 'SIGUSR2')
    await pause(1000)
  }
  return residentMb(pid)
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}
