// Hours in minutes: seven tenths of what can be answered, queries of every kind and writes among them, and memory
// that does not grow.

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { queries, writes } from '../load/bodies.ts'
import { LoadProcess } from '../load/load-process.ts'
import { progress, shown, type Shown } from '../show.ts'
import { startLibrary } from '../servers/start.ts'
import { slopeOf, type Point } from '../load/slope.ts'

const mostMbPerMinute = 1
const share = 0.7
const sampleEveryMs = 5000

export const usual = { quick: false, minutes: 10 }

export async function run({ quick, minutes }: typeof usual): Promise<Shown> {
  const seconds = quick ? 20 : minutes * 60
  const server = await startLibrary({ nodeOptions: ['--expose-gc'] })
  const load = new LoadProcess()
  const { port, pid } = server
  // Different texts each time round would be different operations: some are, as they are in life.
  const rare = Array.from({ length: 50 }, (_, number) => JSON.stringify({ query: `query Rare${number} { books(first: ${1 + (number % 20)}) { nodes { name } } }` }))
  const bodies = [...Array.from({ length: 10 }, () => queries).flat(), ...rare, ...Array.from({ length: 20 }, (_, number) => writes(number)).flat(), '{"query":"{ nothing }"}']
  const peak = await load.peak({ port, bodies, connections: 10, seconds: quick ? 2 : 5 })
  const perSecond = share * peak.goodPerSecond
  progress(`${Math.round(peak.goodPerSecond)} a second at the peak; ${Math.round(perSecond)} a second for ${seconds} s`)
  const points: Point[] = []
  const running = load.run({ port, bodies, connections: 500, seconds, perSecond })
  const startedMs = performance.now()
  for (let over = false; !over;) {
    over = await Promise.race([running.then(() => true), pause(sampleEveryMs, false)])
    // What would be collected some day is no growth.
    process.kill(pid, 'SIGUSR2')
    await pause(200)
    points.push({ minutes: (performance.now() - startedMs) / 60_000, mb: residentMb(pid) })
    if (points.length % 12 === 0) progress(`${points.at(-1)!.minutes.toFixed(1)} min: ${points.at(-1)!.mb.toFixed(1)} MB`)
  }
  const result = await running
  load.stop()
  await server.stop()
  // Caches fill and code is compiled in the beginning.
  const warm = points.filter((point) => point.minutes >= points.at(-1)!.minutes / 3)
  const slope = slopeOf(warm)
  const answered = result.good + result.late
  return shown({
    lines: [
      `${Math.round(perSecond)} requests a second for ${(seconds / 60).toFixed(1)} minutes (${Math.round(share * 100)} % of the peak): ${answered} answered, p99 ${result.p99Ms.toFixed(1)} ms, ${result.refused} refused, ${result.failed} failed.`,
      `Memory ${warm[0]?.mb.toFixed(1)} MB after a third of the time and ${warm.at(-1)?.mb.toFixed(1)} MB at the end: ${slope.toFixed(2)} MB a minute by linear fit (below ${mostMbPerMinute}).`,
    ],
    data: { perSecond, seconds, result, points, slope },
    holds: slope < mostMbPerMinute && result.failed === 0,
  })
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}
