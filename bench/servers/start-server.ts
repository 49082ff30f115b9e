// A server as a process of its own, alone on core 0 where the machine lets us say so. It is ready
// when it prints the address it listens on.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Answer } from '../operations.ts'

export interface ServerCommand {
  /** What node is to run: options, a file, arguments. */
  readonly args: readonly string[]
  readonly env?: Record<string, string>
  readonly cwd?: string
  /** Hears all that it writes. */
  readonly listen?: (...written: readonly Readable[]) => void
}

export interface Server {
  readonly port: number
  readonly pid: number
  readonly ask: (body: string, headers?: Record<string, string>) => Promise<Answer>
  readonly stop: (signal?: 'SIGTERM') => Promise<void>
  /** Its exit code, when it has ended by itself. */
  readonly exited: Promise<number | null>
}

/** Whether servers and load can have a core each. */
export const pinned = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0

export function pinnedTo(core: number, args: readonly string[]): [string, ...string[]] {
  return pinned ? ['taskset', '-c', String(core), process.execPath, ...args] : [process.execPath, ...args]
}

export async function startServer({ args, env = {}, cwd, listen }: ServerCommand): Promise<Server> {
  const [command, ...rest] = pinnedTo(0, ['--disable-warning=ExperimentalWarning', ...args])
  const child = spawn(command, rest, { env: { ...process.env, NODE_ENV: 'production', QUIRE_LOG: 'warn', PORT: '0', HOST: '127.0.0.1', ...env }, stdio: ['ignore', 'pipe', 'pipe'], cwd })
  listen?.(child.stdout, child.stderr)
  running.add(child)
  child.once('close', () => running.delete(child))
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const url = new URL(await readyAddress(child, args))
  return {
    port: Number(url.port),
    pid: child.pid!,
    exited,
    ask: async (body, headers = {}) => {
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json', ...headers }, body })
      return (await response.json()) as Answer
    },
    stop: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      // Whatever a server does at its end is not what is measured.
      child.kill(signal ?? 'SIGKILL')
      await closed
    },
  }
}

/** None outlives the harness, however that ends. */
const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))
process.once('SIGTERM', () => process.exit(143))

async function readyAddress(child: ChildProcess, args: readonly string[]): Promise<string> {
  let complaints = ''
  child.stderr!.on('data', (text) => (complaints += String(text)))
  const lines = createInterface({ input: child.stdout! })
  for await (const line of lines) {
    const address = / at (http:\S+)/.exec(line)
    if (address) {
      child.stdout!.resume()
      return address[1]!
    }
  }
  throw new Error(`The server ended before it listened: node ${args.join(' ')}\n${complaints}`)
}
