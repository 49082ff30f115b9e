// Load in its own process, on core 1 unless told otherwise where processes can be pinned, so that nothing else in the harness slows it down.
// bench/ has the stricter needs, so load, servers and slow stores live here, and reliability/ and test/ import them.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { pinnedTo } from '../servers/start-server.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { runPacedLoad, type PacedLoad, type PacedResult } from './paced-load.ts'
import { runLoad, type Load, type LoadResult } from './run-load.ts'

export interface Measured extends LoadResult {
  readonly perSecond: number
  /** CPU time of the server per answer; undefined where the system does not report it. */
  readonly serverCpuUs: number | undefined
}

export class LoadProcess {
  readonly #child: ChildProcess

  constructor(core = 1) {
    const [execPath, ...execArgv] = pinnedTo(core, [])
    this.#child = fork(import.meta.filename, { execPath, execArgv })
  }

  async run(load: Load, serverPid: number): Promise<Measured> {
    const before = cpuSeconds(serverPid)
    const result = await this.#order<LoadResult>({ load })
    const after = cpuSeconds(serverPid)
    const serverCpuUs = before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / result.answered
    return { ...result, perSecond: result.answered / result.seconds, serverCpuUs }
  }

  runPaced(paced: PacedLoad): Promise<PacedResult> {
    return this.#order({ paced })
  }

  /** The most answers per second when a few connections send without pause: the best of `times` runs, after a warm-up. */
  async peak(load: Omit<PacedLoad, 'perSecond'>, times = 1): Promise<PacedResult> {
    await this.runPaced({ ...load, seconds: Math.max(1, load.seconds / 2) })
    let best = await this.runPaced(load)
    for (let time = 1; time < times; time++) {
      const next = await this.runPaced(load)
      if (next.goodPerSecond > best.goodPerSecond) best = next
    }
    return best
  }

  stop(): void {
    this.#child.disconnect()
  }

  async #order<Result extends object>(order: Order): Promise<Result> {
    this.#child.send(order)
    const [answer] = (await once(this.#child, 'message')) as [Result | { error: string }]
    if ('error' in answer) throw new Error(answer.error)
    return answer
  }
}

type Order = { readonly load: Load } | { readonly paced: PacedLoad }

if (process.argv[1] === import.meta.filename) {
  process.on('message', (order: Order) => {
    const running: Promise<object> = 'load' in order ? runLoad(order.load) : runPacedLoad(order.paced)
    running.then(
      (result) => process.send!(result),
      (error: unknown) => process.send!({ error: String(error) }),
    )
  })
}
