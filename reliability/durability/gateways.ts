// Real gateways, as processes of their own over a file, which answer over HTTP and can be killed.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { listenTo, plantedSettings } from '../planted.ts'

export interface GatewayChoice {
  readonly file: string
  /** `bin/quire.js start --development`, or the same as it is in production, but with writes open. */
  readonly profile: 'development' | 'production'
  readonly effects?: 'together' | 'feed'
  /** A command that is to run it: `strace -f …`. */
  readonly under?: readonly string[]
}

export interface StartedGateway {
  readonly address: string
  /** What it has said on standard error so far. */
  readonly said: () => string
  /** False once it has ended by itself. */
  readonly isAlive: () => boolean
  /** The number of its process, or of the command that runs it. */
  readonly pid: number
  signal(name: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

const root = join(import.meta.dirname, '../..')
const programs = { development: ['bin/quire.js', 'start', '--development'], production: ['reliability/servers/everything-open.ts'] }

/** Nobody is left behind, also when a show ends in the middle. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const each of running) each.kill('SIGKILL')
})

/** What is compiled once need not be compiled for each start. A gateway that is killed leaves nothing there. */
const compiled = join(root, 'node_modules', '.cache', 'quire')

/** Starts and ends one of each sort in order, so that the next ones are quick. */
export async function warmUp(file: string): Promise<void> {
  for (const profile of ['development', 'production'] as const) await (await startGateway({ file, profile })).signal('SIGTERM')
}

export async function startGateway({ file, profile, effects = 'together', under = [] }: GatewayChoice): Promise<StartedGateway> {
  const [command, ...args] = [...under, process.execPath, '--disable-warning=ExperimentalWarning', ...programs[profile]]
  const started = spawn(command!, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: profile === 'production' ? 'production' : '', PORT: '0', HOST: '127.0.0.1', QUIRE_EFFECTS: effects, QUIRE_STORE: `sqlite:${file}`, QUIRE_LOG: 'debug', NODE_COMPILE_CACHE: compiled, ...plantedSettings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(started)
  started.once('exit', () => running.delete(started))
  listenTo('what a gateway wrote', started.stdout, started.stderr)
  let said = ''
  started.stderr.on('data', (data: Buffer) => (said += String(data)))
  const address = await addressOf(started)
  if (address === undefined) throw new Error(`The gateway did not start: ${said}`)
  started.stdout.resume()
  return {
    address, pid: started.pid!,
    said: () => said,
    isAlive: () => started.exitCode === null && started.signalCode === null,
    async signal(name) {
      if (started.exitCode !== null || started.signalCode !== null) return
      const gone = once(started, 'exit')
      started.kill(name)
      await gone
    },
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string | undefined> {
  for await (const line of createInterface({ input: stdout! })) {
    const address = /^Quire is ready at (http:\S+)$/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  return undefined
}
