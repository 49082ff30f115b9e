// Load in a process of its own, on core 1 where the machine lets us say so, so that what the harness
// does besides takes nothing from it.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpuSeconds } from './cpu-seconds.ts'
import { pinnedTo } from '../servers/start-server.ts'
import { runLoad, type Load, type LoadResult } from './run-load.ts'

export interface Measured extends LoadResult {
  readonly perSecond: number
  /** Processor time of the server for each answer; undefined where the system does not tell. */
  readonly serverCpuUs: number | undefined
}

export class LoadProcess {
  readonly #child: ChildProcess

  constructor() {
    const [execPath, ...execArgv] = pinnedTo(1, [])
    this.#child = fork(import.meta.filename, { execPath, execArgv })
  }

  async run(load: Load, serverPid: number): Promise<Measured> {
    const before = cpuSeconds(serverPid)
    this.#child.send(load)
    const [answer] = (await once(this.#child, 'message')) as [LoadResult | { error: string }]
    if ('error' in answer) throw new Error(answer.error)
    const after = cpuSeconds(serverPid)
    const serverCpuUs = before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / answer.answered
    return { ...answer, perSecond: answer.answered / answer.seconds, serverCpuUs }
  }

  stop(): void {
    this.#child.disconnect()
  }
}

if (process.argv[1] === import.meta.filename) {
  process.on('message', (load: Load) => {
    runLoad(load).then(
      (result) => process.send!(result),
      (error: unknown) => process.send!({ error: String(error) }),
    )
  })
}
