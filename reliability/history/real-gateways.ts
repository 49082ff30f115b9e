// Several real gateways on one store, each in its own process: started, killed at random and started again, some with a wrong clock.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startServer, type Server } from '../../bench/servers/start-server.ts'
import { canarySettings, searchOutput } from '../canaries.ts'
import type { Random } from '../hostile/random.ts'
import { subscribe } from '../../test/over-http.ts'
import type { Answer, Received } from './client.ts'
import type { Subscriber, ToldEvent } from './subscriber.ts'

export interface GatewaysChoice {
  readonly count: number
  /** The environment that says which store and which mode. */
  readonly env: Record<string, string>
  /** How far the clocks of the second, third, … gateway are ahead. */
  readonly aheadSeconds: readonly number[]
}

const root = join(import.meta.dirname, '../..')
const timeoutMs = 20_000

export class RealGateways {
  readonly #choice: GatewaysChoice
  readonly #servers: (Server | undefined)[] = []
  kills = 0

  constructor(choice: GatewaysChoice) {
    this.#choice = choice
  }

  async start(): Promise<void> {
    // One after the other: the first one creates the store.
    for (let at = 0; at < this.#choice.count; at++) this.#servers[at] = await this.#startOne(at)
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server?.stop()
  }

  /** Kills one after the other, and starts it again a moment later. */
  async killUntil(stop: AbortSignal, random: Random, everyMs: number): Promise<void> {
    while (!stop.aborted) {
      await pause(everyMs * 2 * random.next(), undefined, { signal: stop }).catch(() => undefined)
      if (stop.aborted) return
      const at = random.below(this.#servers.length)
      await this.#servers[at]?.stop('SIGKILL')
      this.#servers[at] = undefined
      this.kills++
      this.#servers[at] = await this.#startOne(at)
    }
  }

  /** Undefined without an answer. */
  async ask(random: Random, query: string, headers: Record<string, string>): Promise<Omit<Received, 'hasCurrentSnapshots'> | undefined> {
    const listening = this.#servers.filter((server) => server !== undefined)
    if (listening.length === 0) return undefined
    try {
      const response = await fetch(random.pick(listening).url, {
        method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }), signal: AbortSignal.timeout(timeoutMs),
      })
      return { ...((await response.json()) as Answer), session: response.headers.get('quire-session') }
    } catch {
      return undefined
    }
  }

  /** Subscribes on one after the other, until told to stop. */
  async subscribeUntil(stop: AbortSignal, random: Random, subscriber: Subscriber): Promise<void> {
    while (!stop.aborted) {
      const listening = this.#servers.filter((server) => server !== undefined)
      // It is killed at some time: then another one goes on.
      if (listening.length > 0) await told(random.pick(listening), subscriber, stop).catch(() => undefined)
      await pause(20)
    }
  }

  #startOne(at: number): Promise<Server> {
    const ahead = this.#choice.aheadSeconds[at] ?? 0
    return startServer({
      args: ['reliability/servers/everything-open.ts'],
      cwd: root,
      under: [],
      env: { ...canarySettings, ...(ahead === 0 ? {} : clockAhead(ahead)), QUIRE_SCHEMA: join(import.meta.dirname, 'schema'), NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'quire'), ...this.#choice.env },
      listen: (...streams) => searchOutput('what a gateway wrote', ...streams),
    })
  }
}

async function told({ url }: Server, subscriber: Subscriber, stop: AbortSignal): Promise<void> {
  const events = await subscribe<ToldEvent>({ fetch: (_, init) => fetch(url, { ...init as RequestInit, signal: stop }) }, { query: subscriber.query })
  for (let event = await events.next(); event; event = await events.next()) subscriber.take(event, performance.now())
}

/**
 * The environment of a process whose time of day is wrong, and whose time passes as it should. `faketime` itself stays as a parent
 * of what it runs, which would survive its kill, so only its library is used.
 */
function clockAhead(seconds: number): Record<string, string> {
  const offset = `${seconds > 0 ? '+' : ''}${seconds}s`
  return { LD_PRELOAD: (faketimeLibrary ??= findFaketimeLibrary()), FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' }
}

let faketimeLibrary: string | undefined

function findFaketimeLibrary(): string {
  const { stdout, stderr, error } = spawnSync('faketime', ['-f', '+1s', 'env'], { encoding: 'utf8' })
  const [, library] = /^LD_PRELOAD=(.+)$/m.exec(stdout ?? '') ?? []
  if (library === undefined) throw new Error(`faketime does not say where its library is: ${error?.message ?? stderr}`)
  return library
}
