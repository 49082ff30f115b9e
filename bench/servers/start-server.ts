// A server in its own process, on core 0 where processes can be pinned. It is ready when it prints the address it listens
// on. Every benchmark and reliability scenario starts its gateways here, except the hostile ones, which also look inside them.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Answer } from '../operations.ts'

export interface ServerCommand {
  /** Arguments of node: options, a file, its arguments. */
  readonly args: readonly string[]
  readonly env?: Record<string, string>
  readonly cwd?: string
  /** The command that runs node, such as `strace -f`; empty for none. Default: pinned to core 0. */
  readonly under?: readonly string[]
  /** Receives the streams of everything that it prints. */
  readonly listen?: (...output: readonly Readable[]) => void
}

export interface Server {
  readonly url: string
  readonly port: number
  /** Process id of the server, or of the command that runs it. */
  readonly pid: number
  readonly ask: (body: string, headers?: Record<string, string>) => Promise<Answer>
  /** Its standard error so far. */
  readonly stderr: () => string
  readonly isAlive: () => boolean
  /** SIGKILL unless told otherwise: no measurement includes a shutdown. */
  readonly stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** Its exit code, once it has ended. */
  readonly exited: Promise<number | null>
}

/** Whether server and load can have a core each. */
export const pinned = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0

export function pinnedTo(core: number, args: readonly string[]): [string, ...string[]] {
  return pinned ? ['taskset', '-c', String(core), process.execPath, ...args] : [process.execPath, ...args]
}

export async function startServer({ args, env = {}, cwd, under, listen }: ServerCommand): Promise<Server> {
  const node = ['--disable-warning=ExperimentalWarning', ...args]
  const [command, ...rest] = under ? [...under, process.execPath, ...node] : pinnedTo(0, node)
  const child = spawn(command!, rest, { env: { ...process.env, NODE_ENV: 'production', QUIRE_LOG: 'warn', PORT: '0', HOST: '127.0.0.1', ...env }, stdio: ['ignore', 'pipe', 'pipe'], cwd })
  listen?.(child.stdout, child.stderr)
  running.add(child)
  child.once('exit', () => running.delete(child))
  const exited = once(child, 'close').then(([code]) => code as number | null)
  let stderr = ''
  child.stderr.on('data', (text) => (stderr += String(text)))
  const url = await readyAddress(child)
  if (url === undefined) throw new Error(`The server ended before it listened: node ${args.join(' ')}\n${stderr}`)
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid!,
    exited,
    stderr: () => stderr,
    isAlive,
    ask: async (body, headers = {}) => {
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json', ...headers }, body })
      return (await response.json()) as Answer
    },
    stop: async (signal = 'SIGKILL') => {
      if (!isAlive()) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
}

/** No server outlives the harness, however that ends. */
const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))
process.once('SIGTERM', () => process.exit(143))

async function readyAddress({ stdout }: ChildProcess): Promise<string | undefined> {
  for await (const line of createInterface({ input: stdout! })) {
    const address = / at (http:\S+)/.exec(line)
    if (!address) continue
    stdout!.resume()
    return address[1]!
  }
  return undefined
}
