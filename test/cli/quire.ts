// Runs the `quire` command as a process, for tests of its output.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

export interface Ran {
  readonly code: unknown
  readonly out: readonly string[]
  readonly err: readonly string[]
}

export interface Surroundings {
  readonly cwd?: string
  readonly env?: Record<string, string>
  /** Its standard input. */
  readonly input?: string
}

const command = resolve(import.meta.dirname, '../../bin/quire.js')

export function startQuire(args: readonly string[], { cwd, env = {} }: Surroundings = {}): ChildProcess {
  return spawn(process.execPath, [command, ...args], { cwd, env: { ...bare(), ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
}

export async function quire(args: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  const started = startQuire(args, surroundings)
  started.stdin!.end(surroundings.input ?? '')
  const [out, err, [code]] = await Promise.all([text(started.stdout!), text(started.stderr!), once(started, 'close')])
  return { code: code as unknown, out: linesOf(out), err: linesOf(err) }
}

/** The next line of standard output or standard error, at each call. */
export function linesFrom(started: ChildProcess): () => Promise<string> {
  const waiting: string[] = []
  const asked: ((line: string) => void)[] = []
  for (const input of [started.stdout!, started.stderr!]) {
    createInterface({ input }).on('line', (line) => {
      const next = asked.shift()
      if (next) next(line)
      else waiting.push(line)
    })
  }
  return async () => waiting.shift() ?? new Promise((resolved) => asked.push(resolved))
}

export function linesOf(printed: string): string[] {
  return printed.split('\n').filter((line) => line !== '')
}

/** Without the settings of the machine that runs the tests. */
function bare(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(QUIRE_|COSMOS_|PORT$|HOST$|NODE_ENV$|VITEST)/.test(name)))
}
