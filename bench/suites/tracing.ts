// What the account costs. With tracing on: the same operation without and with `quire-trace: 1`. With tracing off: a
// gateway as it is beside one from which the code of the account was taken out, both in one process. They
// are asked in turn for a moment each, so that the machine is the same for both, and by the processor time that an
// answer took. V8 does not compile the same code alike each time, which makes more of a difference than what is looked
// for: so there are many such processes, and all operations of a process are also taken together.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { LoadProcess } from '../load/load-process.ts'
import { operations } from '../operations.ts'
import { short, table, times } from '../report/table.ts'
import type { Side } from '../servers/account-pair.ts'
import { pinnedTo } from '../servers/start-server.ts'
import { mean, median, medianWithin, ratio } from '../statistics.ts'
import { chosen, type Suite } from '../suite.ts'

/** How often each side is asked in one process, and for how long. */
const turns = 10
const turnSeconds = 0.1
/** As many turns before them compile, and are not counted. */
const turnsToCompile = 5

const asked = operations.filter(({ pages }) => !pages).flatMap(({ name, query, lookedUp }) => [
  { name, query },
  ...(lookedUp === undefined ? [] : [{ name: `${name}-looked-up`, query: lookedUp }]),
])

/** Processor time of one answer, in each of the processes. */
interface Result {
  readonly operation: string
  readonly query: string
  readonly onUs: number[]
  readonly offUs: number[]
  readonly withoutUs: number[]
}

export const tracing: Suite = async (options) => {
  const load = new LoadProcess()
  const processes = options.rounds * (options.quick ? 1 : 20)
  const tracedProcesses = Math.ceil(processes / 10)
  const results: Result[] = chosen(asked, options).map(({ name, query }) => ({ operation: name, query, onUs: [], offUs: [], withoutUs: [] }))
  try {
    for (let number = 0; number < processes; number++) {
      options.progress(`Tracing: process ${number + 1} of ${processes}`)
      // Who is made first and who is asked first makes a difference: all four ways come equally often.
      await measureOff(sides[number % 2]!, number % 4 < 2 ? sides : sides.toReversed(), results, load)
      if (number < tracedProcesses) await measureOn(results, load)
    }
  } finally {
    load.stop()
  }
  return { how: `${processes} processes, ${tracedProcesses} with tracing on, in each ${turns} turns of ${turnSeconds} s`, tables: tracingTable(results), data: { results } }
}

async function measureOff(madeFirst: Side, inTurn: readonly Side[], results: readonly Result[], load: LoadProcess): Promise<void> {
  const pair = await startPair(madeFirst)
  try {
    for (const { query, offUs, withoutUs } of results) {
      const spent: Record<Side, Spent> = { with: { us: 0, answers: 0 }, without: { us: 0, answers: 0 } }
      for (let turn = -turnsToCompile; turn < turns; turn++) {
        for (const side of turn % 2 === 0 ? inTurn : inTurn.toReversed()) await pair.ask(query, { 'bench-gateway': side }, turn < 0 ? { us: 0, answers: 0 } : spent[side], load)
      }
      offUs.push(spent.with.us / spent.with.answers)
      withoutUs.push(spent.without.us / spent.without.answers)
    }
  } finally {
    pair.stop()
  }
}

/** In a process of its own, so that what is traced is not compiled for what is not. */
async function measureOn(results: readonly Result[], load: LoadProcess): Promise<void> {
  const pair = await startPair('with')
  try {
    for (const { query, onUs } of results) {
      const spent: Spent = { us: 0, answers: 0 }
      for (let turn = -turnsToCompile; turn < turns; turn++) await pair.ask(query, { 'bench-gateway': 'with', 'quire-trace': '1' }, turn < 0 ? { us: 0, answers: 0 } : spent, load)
      onUs.push(spent.us / spent.answers)
    }
  } finally {
    pair.stop()
  }
}

const sides: readonly Side[] = ['with', 'without']

interface Spent {
  us: number
  answers: number
}

async function startPair(madeFirst: Side) {
  const [execPath, ...execArgv] = pinnedTo(0, ['--disable-warning=ExperimentalWarning'])
  const child = fork(join(import.meta.dirname, '../servers/account-pair.ts'), [madeFirst], { execPath, execArgv, env: { ...process.env, NODE_ENV: 'production', QUIRE_LOG: 'warn' } })
  const [port] = (await Promise.race([once(child, 'message'), once(child, 'close').then(() => { throw new Error('The gateways could not be opened.') })])) as [number]
  const usedUs = async (): Promise<number> => {
    child.send('used')
    const [used] = (await once(child, 'message')) as [number]
    return used
  }
  return {
    async ask(query: string, headers: Record<string, string>, spent: Spent, load: LoadProcess): Promise<void> {
      const before = await usedUs()
      const { answered } = await load.run({ port, headers, bodies: [JSON.stringify({ query })], connections: 10, seconds: turnSeconds, answers: 'no errors' }, child.pid!)
      spent.us += (await usedUs()) - before
      spent.answers += answered
    },
    stop: () => child.disconnect(),
  }
}

function tracingTable(results: readonly Result[]): string {
  const costs = results.map(({ offUs, withoutUs }) => offUs.map((us, number) => 100 * (us / withoutUs[number]! - 1)))
  const together = costs[0]!.map((_, number) => mean(costs.map((ofOne) => ofOne[number]!)))
  return table(['operation', 'server CPU µs, on', 'off', 'taken out', 'on, times off', 'off costs, % (95 % interval)'], [
    ...results.map(({ operation, onUs, offUs, withoutUs }, at) => [operation, short(median(onUs)), short(median(offUs)), short(median(withoutUs)), times(ratio(onUs, offUs.slice(0, onUs.length))), within(costs[at]!)]),
    ['all of them together', '', '', '', '', within(together)],
  ])
}

function within(costs: readonly number[]): string {
  const { median: middle, low, high } = medianWithin(costs)
  return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
}
