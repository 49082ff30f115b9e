// A gateway over the press of bench/data/press, and the two requests that show whether others wait: `/health` and one book.

import { join } from 'node:path'
import { pressFolder } from '../data/press-database.ts'
import { probe, type Tail } from '../load/probe.ts'
import { startServer, type Server } from './start-server.ts'

export function startPress(file: string, effects: string): Promise<Server> {
  return startServer({ args: [join(import.meta.dirname, 'quire.ts')], env: { QUIRE_STORE: `sqlite:${file}`, QUIRE_SCHEMA: pressFolder, QUIRE_EFFECTS: effects, BENCH_GATEWAY: JSON.stringify({ openWrites: true }) } })
}

const askHealth = (server: Server) => fetch(new URL('/health', server.url))
const askPoint = (server: Server) => server.ask(JSON.stringify({ query: '{ book(id: "few-1") { name } }' }))

/** The first requests of a process take longer, whatever else happens. */
export async function warmUpPress(server: Server): Promise<void> {
  for (let time = 0; time < 200; time++) await Promise.all([askHealth(server).then((answer) => answer.text()), askPoint(server)])
}

export interface Others {
  readonly health: Tail
  readonly point: Tail
}

/** What others feel until `stop`. */
export function probePress(server: Server): { readonly stop: () => Promise<Others> } {
  const [health, point] = [probe(() => askHealth(server)), probe(() => askPoint(server))]
  return {
    stop: async () => {
      const [healthMs, pointMs] = await Promise.all([health.stop(), point.stop()])
      return { health: healthMs, point: pointMs }
    },
  }
}

export const othersHead = ['/health p99 ms', '/health max ms', 'point p99 ms', 'point max ms']

export function othersCells({ health, point }: Others): number[] {
  return [health.p99Ms, health.maxMs, point.p99Ms, point.maxMs]
}
