// What the account costs. With tracing on: the same operation without and with `quire-trace: 1`. With tracing off: a
// gateway as it is beside one from which the code of the account was taken out, both in one process. They
// are asked in turn for a moment each, so that the machine is the same for both, and by the processor time that an
// answer took. V8 does not compile the same code alike each time, so there are many such processes.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { LoadProcess } from '../load/load-process.ts'
import { operations } from '../operations.ts'
import { short, table, times } from '../report/table.ts'
import type { Side } from '../servers/account-pair.ts'
import { pinnedTo } from '../servers/start-server.ts'
import { median, medianWithin, ratio } from '../statistics.ts'
import { chosen, type Suite } from '../suite.ts'

/** How often each side is asked in one process, and for how long. */
const turns = 12
const turnSeconds = 0.2

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
  const processes = options.rounds * (options.quick ? 1 : 4)
  const results: Result[] = chosen(asked, options).map(({ name, query }) => ({ operation: name, query, onUs: [], offUs: [], withoutUs: [] }))
  try {
    for (let round = 0; round < processes; round++) {
      options.progress(`Tracing: process ${round + 1} of ${processes}`)
      await measureOff(round % 2 === 0 ? 'with' : 'without', results, load)
      await measureOn(results, load)
    }
  } finally {
    load.stop()
  }
  return { how: `${processes} processes of each kind, in each ${turns} turns of ${turnSeconds} s`, tables: tracingTable(results), data: { results } }
}

async function measureOff(first: Side, results: readonly Result[], load: LoadProcess): Promise<void> {
  const pair = await startPair(first)
  try {
    for (const { query, offUs, withoutUs } of results) {
      const spent: Record<Side, Spent> = { with: { us: 0, answers: 0 }, without: { us: 0, answers: 0 } }
      // The first turns compile, and are not counted.
      for (let turn = -3; turn < turns; turn++) {
        for (const side of turn % 2 === 0 ? sides : sides.toReversed()) await pair.ask(query, { 'bench-gateway': side }, turn < 0 ? { us: 0, answers: 0 } : spent[side], load)
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
      for (let turn = -3; turn < turns / 4; turn++) await pair.ask(query, { 'bench-gateway': 'with', 'quire-trace': '1' }, turn < 0 ? { us: 0, answers: 0 } : spent, load)
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

async function startPair(first: Side) {
  const [execPath, ...execArgv] = pinnedTo(0, ['--disable-warning=ExperimentalWarning'])
  const child = fork(join(import.meta.dirname, '../servers/account-pair.ts'), [first], { execPath, execArgv, env: { ...process.env, NODE_ENV: 'production', QUIRE_LOG: 'warn' } })
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
  return table(['operation', 'server CPU µs, on', 'off', 'taken out', 'on, times off', 'off costs, % (95 % interval)'], results.map(({ operation, onUs, offUs, withoutUs }) => {
    const costs = medianWithin(offUs.map((us, round) => 100 * (us / withoutUs[round]! - 1)))
    return [operation, short(median(onUs)), short(median(offUs)), short(median(withoutUs)), times(ratio(onUs, offUs)), `${costs.median.toFixed(2)} (${costs.low.toFixed(2)} to ${costs.high.toFixed(2)})`]
  }))
}
