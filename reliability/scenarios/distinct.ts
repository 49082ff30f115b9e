// Tens of thousands of requests of which no two are alike, by every way in: whatever is kept of them has a size, so memory must stay
// within a bound and stop growing.

import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { progress, outcome, type Outcome } from '../scenario.ts'
import { startLibrary } from '../servers/start-library.ts'

/**
 * `maxMb` is the bound of resident memory while it runs: V8 takes up to 130 MB for new objects, and collects old ones only when there are
 * several times as many as after the last collection. `maxGrowthMb` is that of the last third after garbage collection.
 */
export const defaults = { requests: 90_000, connections: 10, maxMb: 640, maxGrowthMb: 15 }

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

export async function run({ requests, connections, maxMb, maxGrowthMb }: typeof defaults): Promise<Outcome> {
  const server = await startLibrary({ nodeOptions: ['--expose-gc'] })
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const beforeMb = await collectedMb(server.pid)
  let [next, peakMb, failed] = [0, 0, 0]
  const after: number[] = []
  const ask = async (): Promise<void> => {
    while (next < requests * ((after.length + 1) / 3)) {
      const at = next++
      if (!(await isAnswered(server.port, agent, sent(at)))) failed++
      if (at % 500 === 0) peakMb = Math.max(peakMb, residentMb(server.pid))
    }
  }
  for (let third = 1; third <= 3; third++) {
    await Promise.all(Array.from({ length: connections }, ask))
    after.push(await collectedMb(server.pid))
    progress(`${next} requests: ${residentMb(server.pid).toFixed(0)} MB after garbage collection, at most ${peakMb.toFixed(0)} MB until then`)
  }
  const caches = await cachedBytes(server.port)
  agent.destroy()
  await server.stop()
  const growthMb = after[2]! - after[1]!
  return outcome({
    lines: [
      `${requests.toLocaleString('en-US')} requests of which no two are alike: resident memory ${beforeMb.toFixed(0)} MB before, at most ${peakMb.toFixed(0)} MB meanwhile (limit ${maxMb}), after garbage collection ${after.map((mb) => mb.toFixed(0)).join(', ')} MB at each third of them (limit of the last ${maxGrowthMb} MB more). Not answered: ${failed}.`,
      `Caches at the end, by their own estimates: ${caches}.`,
    ],
    data: { beforeMb, peakMb, after, failed },
    holds: peakMb <= maxMb && growthMb <= maxGrowthMb && failed === 0,
  })
}

/** Each kind of request in turn. */
function sent(at: number): Sent {
  const json = { 'content-type': 'application/json' }
  const post = (body: object, headers: Record<string, string> = {}): Sent => ({ method: 'POST', path: '/graphql', headers: { ...json, ...headers }, body: JSON.stringify(body) })
  const query = `query Q${at} { books(first: ${1 + (at % 30)}) { nodes { a${at}: name authors { name } } } }`
  switch (at % 9) {
    case 0: case 1: return post({ query: `query Q${at - (at % 9)} { books(first: 3) { nodes { id } } }` })
    case 2: return post({ query })
    case 3: return post({ query }, { 'quire-trace': '1' })
    case 4: return { method: 'GET', path: `/graphql?query=${encodeURIComponent(query)}`, headers: { 'graphql-require-preflight': '1' } }
    case 5: return post({ query: `{ nothing${at} }` })
    case 6: return post({ query: `{ books { # ${at}` })
    case 7: return post({ query: 'query ($id: ID!, $first: Int) { author(id: $id) { name } books(first: $first) { nodes { name } } }', variables: { id: `a${at}`, first: at % 1000 } })
    default: return post({ query: 'mutation ($id: ID!) { deletePublisher(input: { id: $id }) { publisher { id } } }', variables: { id: `none-${at}` } })
  }
}

function isAnswered(port: number, agent: Agent, { body, ...asked }: Sent): Promise<boolean> {
  return new Promise((resolve) => {
    const sending = request({ host: '127.0.0.1', port, agent, ...asked }, (response) => response.resume().once('end', () => resolve(response.statusCode! < 500)))
    sending.once('error', () => resolve(false)).end(body)
  })
}

async function cachedBytes(port: number): Promise<string> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return [...metrics.matchAll(/^quire_cache_bytes\{cache="(\w+)"\} (\d+)/gm)].map(([, cache, bytes]) => `${cache} ${(Number(bytes) / 1024 / 1024).toFixed(1)} MB`).join(', ')
}

async function collectedMb(pid: number): Promise<number> {
  // The second collection removes what finalizers of the first released.
  for (let time = 0; time < 2; time++) {
    process.kill(pid, 'SIGUSR2')
    await pause(1500)
  }
  return residentMb(pid)
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}
