// Paced load in a process of its own, on core 1 where the machine lets us say so.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { pinnedTo } from '../../bench/servers/start-server.ts'
import { runPacedLoad, type PacedLoad, type PacedResult } from './paced-load.ts'

export class LoadProcess {
  readonly #child: ChildProcess

  constructor() {
    const [execPath, ...execArgv] = pinnedTo(1, [])
    this.#child = fork(import.meta.filename, { execPath, execArgv })
  }

  async run(load: PacedLoad): Promise<PacedResult> {
    this.#child.send(load)
    const [answer] = (await once(this.#child, 'message')) as [PacedResult | { error: string }]
    if ('error' in answer) throw new Error(answer.error)
    return answer
  }

  /** As much as can be answered in a second, when a few connections ask as fast as they are answered: the best of so many times. */
  async peak(load: Omit<PacedLoad, 'perSecond'>, times = 1): Promise<PacedResult> {
    // Once to warm up.
    await this.run({ ...load, seconds: Math.max(1, load.seconds / 2) })
    let best = await this.run(load)
    for (let time = 1; time < times; time++) {
      const next = await this.run(load)
      if (next.goodPerSecond > best.goodPerSecond) best = next
    }
    return best
  }

  stop(): void {
    this.#child.disconnect()
  }
}

if (process.argv[1] === import.meta.filename) {
  process.on('message', (load: PacedLoad) => {
    runPacedLoad(load).then(
      (result) => process.send!(result),
      (error: unknown) => process.send!({ error: String(error) }),
    )
  })
}
