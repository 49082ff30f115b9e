// Asks for /health again and again on one connection, in a process of its own, and keeps how long each answer took.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const everyMs = 10

export class Probe {
  readonly #child: ChildProcess

  constructor(port: number) {
    this.#child = fork(import.meta.filename, [String(port)])
  }

  /** The milliseconds of each answer so far; then it stops. */
  async stop(): Promise<number[]> {
    this.#child.send('stop')
    const [took] = (await once(this.#child, 'message')) as [number[]]
    this.#child.disconnect()
    return took
  }
}

async function probe(port: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const took: number[] = []
  process.once('message', () => process.send!(took))
  process.once('disconnect', () => process.exit())
  for (;;) {
    const beganMs = performance.now()
    await asked(port, agent)
    took.push(performance.now() - beganMs)
    await pause(everyMs)
  }
}

function asked(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/health', agent }, (response) => response.resume().once('end', resolve)).once('error', reject)
  })
}

if (process.argv[1] === import.meta.filename) void probe(Number(process.argv[2]))
