// Measures the overhead of tracing, which fills the cost report. Tracing on: the CPU time of an operation with and without
// `quire-trace: 1`. Tracing off: the time that a gateway works on a request, compared with one whose tracing code was removed.
// Both run in one process, and requests alternate between them. V8 may compile the same code differently in each process, which
// changes more than the difference to be measured, so the suite starts many processes.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { LoadProcess } from '../load/load-process.ts'
import { sameRequests } from '../operations/same.ts'
import { short, table, times } from '../report/table.ts'
import type { HandlingTimes, Question, Side } from '../servers/traced-and-untraced.ts'
import { pinnedTo } from '../servers/start-server.ts'
import { mean, median, medianWithin, ratio } from '../statistics.ts'
import { chosen, type Suite } from '../suite.ts'

/** How long each operation runs in one process: first until V8 has compiled it, then to measure it. */
const compileSeconds = 0.8
const measureSeconds = 1

const asked = sameRequests.filter(({ name }) => name !== 'page').flatMap(({ name, query, lookedUp }) => [
  { name, query },
  ...(lookedUp === undefined ? [] : [{ name: `${name}-looked-up`, query: lookedUp }]),
])

/** Times per answer, one number per process. */
interface Result {
  readonly operation: string
  readonly query: string
  /** CPU time with tracing on and off. */
  readonly onUs: number[]
  readonly offUs: number[]
  /** Time at work with tracing off, with the tracing code and without it. */
  readonly withUs: number[]
  readonly withoutUs: number[]
}

export const tracing: Suite = async (options) => {
  const load = new LoadProcess()
  const processes = options.rounds * (options.quick ? 1 : 12)
  const tracedProcesses = Math.ceil(processes / 10)
  const results: Result[] = chosen(asked, options).map(({ name, query }) => ({ operation: name, query, onUs: [], offUs: [], withUs: [], withoutUs: [] }))
  try {
    for (let number = 0; number < processes; number++) {
      options.progress(`Tracing: process ${number + 1} of ${processes}`)
      await measureOff(number % 2 === 0 ? 'with' : 'without', results, load)
      if (number < tracedProcesses) await measureOn(results, load)
    }
  } finally {
    load.stop()
  }
  return { how: `${processes} processes, and ${tracedProcesses} with tracing on; in each ${measureSeconds} s for an operation`, tables: tracingTable(results), data: { results } }
}

async function measureOff(createdFirst: Side, results: readonly Result[], load: LoadProcess): Promise<void> {
  const pair = await startPair(createdFirst, load)
  try {
    for (const { query, withUs, withoutUs } of results) {
      await pair.ask(query, {}, compileSeconds)
      await pair.tell<HandlingTimes>('handling times')
      await pair.ask(query, {}, measureSeconds)
      const took = await pair.tell<HandlingTimes>('handling times')
      withUs.push(took.with)
      withoutUs.push(took.without)
    }
  } finally {
    pair.stop()
  }
}

/** In its own process, so that traced requests do not affect how V8 compiles the code for untraced ones. */
async function measureOn(results: readonly Result[], load: LoadProcess): Promise<void> {
  const pair = await startPair('with', load)
  const usedUs = async (query: string, headers: Record<string, string>): Promise<number> => {
    await pair.ask(query, headers, compileSeconds)
    const before = await pair.tell<number>('CPU time')
    const answered = await pair.ask(query, headers, measureSeconds)
    return (await pair.tell<number>('CPU time') - before) / answered
  }
  try {
    for (const { query, offUs } of results) offUs.push(await usedUs(query, { 'bench-gateway': 'with' }))
    for (const { query, onUs } of results) onUs.push(await usedUs(query, { 'bench-gateway': 'with', 'quire-trace': '1' }))
  } finally {
    pair.stop()
  }
}

async function startPair(createdFirst: Side, load: LoadProcess) {
  const [execPath, ...execArgv] = pinnedTo(0, ['--disable-warning=ExperimentalWarning'])
  const child = fork(join(import.meta.dirname, '../servers/traced-and-untraced.ts'), [createdFirst], { execPath, execArgv, env: { ...process.env, NODE_ENV: 'production', QUIRE_LOG: 'warn' } })
  const [port] = (await Promise.race([once(child, 'message'), once(child, 'close').then(() => { throw new Error('The gateways did not start: their process ended. Its error is above.') })])) as [number]
  return {
    /** Returns the number of answers. */
    async ask(query: string, headers: Record<string, string>, seconds: number): Promise<number> {
      const { answered } = await load.run({ port, headers, bodies: [JSON.stringify({ query })], connections: 10, seconds, answers: 'no errors' }, child.pid!)
      return answered
    },
    async tell<Answer>(question: Question): Promise<Answer> {
      child.send(question)
      const [answer] = (await once(child, 'message')) as [Answer]
      return answer
    },
    stop: () => child.disconnect(),
  }
}

function tracingTable(results: readonly Result[]): string {
  const costs = results.map(({ withUs, withoutUs }) => withUs.map((us, number) => 100 * (us / withoutUs[number]! - 1)))
  const together = costs[0]!.map((_, number) => mean(costs.map((ofOne) => ofOne[number]!)))
  return table(['operation', 'server CPU µs, on', 'off', 'on, times off', 'at work µs, off', 'taken out', 'off costs, % (95 % interval)'], [
    ...results.map(({ operation, onUs, offUs, withUs, withoutUs }, at) => [operation, short(median(onUs)), short(median(offUs)), times(ratio(onUs, offUs)), short(median(withUs)), short(median(withoutUs)), within(costs[at]!)]),
    ['all of them together', '', '', '', '', '', within(together)],
  ])
}

function within(costs: readonly number[]): string {
  const { median: middle, low, high } = medianWithin(costs)
  return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
}
