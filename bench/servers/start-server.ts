// A server in its own process, on core 0 where processes can be pinned. It is ready when it prints the address it listens
// on. Every benchmark and reliability scenario starts its gateways here, except the hostile ones, which also look inside them.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer } from '../operations/operation.ts'

export interface ServerCommand {
  /** Arguments of node: options, a file, its arguments. */
  readonly args: readonly string[]
  /** A variable that is undefined is not set. */
  readonly env?: Record<string, string | undefined>
  readonly cwd?: string
  /** A file for its standard error, as a user redirects it, so that no other process spends time on reading its log. */
  readonly logFile?: string
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
  /** Keeps the log file of a busy server small. */
  readonly emptyLog: () => void
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

export async function startServer({ args, env = {}, cwd, logFile, under, listen }: ServerCommand): Promise<Server> {
  const node = ['--disable-warning=ExperimentalWarning', ...args]
  const [command, ...rest] = under ? [...under, process.execPath, ...node] : pinnedTo(0, node)
  const log = logFile === undefined ? 'pipe' : openLog(logFile)
  const child = spawn(command!, rest, { env: { ...process.env, NODE_ENV: 'production', QUIRE_LOG: 'warn', PORT: '0', HOST: '127.0.0.1', ...env }, stdio: ['ignore', 'pipe', log], cwd })
  if (typeof log === 'number') closeSync(log)
  const output = [child.stdout, child.stderr].filter((stream) => stream !== null)
  listen?.(...output)
  running.add(child)
  child.once('exit', () => running.delete(child))
  const exited = once(child, 'close').then(([code]) => code as number | null)
  let piped = ''
  child.stderr?.on('data', (text) => (piped += String(text)))
  const stderr = (): string => (logFile === undefined ? piped : readFileSync(logFile, 'utf8'))
  const url = await readyAddress(child)
  if (url === undefined) throw new Error(`The server ended before it listened: node ${args.join(' ')}\n${stderr()}`)
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid!,
    exited,
    stderr,
    emptyLog: () => {
      if (logFile !== undefined) truncateSync(logFile)
    },
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

/** A log writes its lines a moment after the answers. */
export async function hasLogged({ stderr }: Server): Promise<boolean> {
  for (let tries = 0; stderr() === '' && tries < 100; tries++) await pause(20)
  return stderr() !== ''
}

/** For appending: a server that writes on after its log was emptied begins at the start of the file. */
function openLog(file: string): number {
  writeFileSync(file, '')
  return openSync(file, 'a')
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
