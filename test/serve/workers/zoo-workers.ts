// Two workers on one SQLite file, and clients that each keep one connection, so that it is known which worker answers.

import { Agent, request as send } from 'node:http'
import { onTestFinished } from 'vitest'
import { startZoo, type Running } from '../../http/load/process.ts'
import { readExposition, sampled } from '../../observe/exposition.ts'

export const sdl = `
  type Cage @document(container: "cages") @writable(by: PUBLIC) { id: ID! name: String! keeper: Keeper @snapshot(at: "keeper", fields: ["name"]) }
  type Keeper @document(container: "keepers") @writable(by: PUBLIC) { id: ID! name: String! }
  extend type Query { pid: Int! wait: String }
  type Subscription { cageChanged: Cage }`

export const resolvers = `
  process.on('SIGUSR2', () => { throw new Error('outside any request') })
  export const resolvers = {
    Query: {
      pid: () => process.pid,
      wait: () => { console.log('waiting'); return new Promise((resolve) => setTimeout(() => resolve('answered'), 1500)) },
    },
    Subscription: { cageChanged: { subscribe: (_, __, { quire }) => quire.changes.of('Cage'), resolve: ({ document }) => document } },
  }`

export interface Client {
  ask(query: string): Promise<{ readonly status: number; readonly data: Record<string, unknown> | null | undefined; readonly codes: readonly string[]; readonly headers: Record<string, unknown> }>
  /** The worker that answers it. */
  pid(): Promise<number>
}

export function startWorkers(env: Record<string, string> = {}): Promise<Running> {
  return startZoo(sdl, resolvers, { QUIRE_WORKERS: '2', QUIRE_METRICS: 'open', ...env })
}

/** A client with one connection, which it opens again when the server has closed it. */
export function clientOf({ port }: Running): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask: Client['ask'] = (query) => {
    const body = JSON.stringify({ query })
    return new Promise((resolve, reject) => {
      const sent = send({ agent, port, host: '127.0.0.1', method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } })
      sent.on('error', reject)
      sent.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { data, errors = [] } = JSON.parse(text) as { data?: Record<string, unknown>; errors?: { extensions: { code: string } }[] }
          resolve({ status: response.statusCode!, data, codes: errors.map(({ extensions }) => extensions.code), headers: response.headers })
        })
      })
      sent.end(body)
    })
  }
  return { ask, pid: async () => (await ask('{ pid }')).data!['pid'] as number }
}

/** A client for each worker. */
export async function clientsOf(running: Running, workers = 2): Promise<Client[]> {
  const byPid = new Map<number, Client>()
  while (byPid.size < workers) {
    const client = clientOf(running)
    byPid.set(await client.pid(), client)
  }
  return [...byPid.values()]
}

export async function metric({ port }: Running, name: string, labels: Record<string, string> = {}): Promise<number> {
  const page = await fetch(`http://127.0.0.1:${port}/metrics`)
  return sampled(readExposition(await page.text()), name, labels)
}
