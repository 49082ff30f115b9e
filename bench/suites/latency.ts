// Measures the latency of operations when the store is far away. Every store call takes 10 ms, so the waves in the cost report
// give the minimum latency, and the rest is overhead of Quire. The server is its own process and gets one request at a time over a
// socket. The baseline is a node:http server that waits 10 ms once: it includes the delay of the timer and the socket, too.

import { join } from 'node:path'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { readExamples } from '../data/examples.ts'
import { interleaved } from '../interleaved.ts'
import { OneConnection } from '../load/one-connection.ts'
import { short, table } from '../report/table.ts'
import { startServer, type Server } from '../servers/start-server.ts'
import { spread } from '../statistics.ts'
import { chosen, type Suite } from '../suite.ts'

const delayMs = 10

interface Entry {
  readonly name: string
  readonly waves: number
  readonly server: Server
  readonly body: string
}

export const latency: Suite = async (options) => {
  const [bare, quire] = await Promise.all([startSlow('bare'), startSlow()])
  try {
    const entries: Entry[] = [{ name: 'node:http, waiting once', waves: 1, server: bare, body: '{}' }]
    for (const { name, query } of chosen(readExamples(), options)) entries.push({ name, waves: await wavesOf(query, quire), server: quire, body: JSON.stringify({ query }) })
    options.progress(`${entries.length - 1} operations over a store that takes ${delayMs} ms`)
    const runs = options.rounds * (options.quick ? 5 : 20)
    const clients = new Map([bare, quire].map((server) => [server, new OneConnection(server.port)]))
    const timed = ({ server, body }: Entry) => clients.get(server)!.timeOf(body)
    await interleaved(50, entries, timed)
    const measured = await interleaved(runs, entries, timed)
    for (const client of clients.values()) client.close()
    const rows = entries.map((entry) => ({ name: entry.name, waves: entry.waves, dueMs: entry.waves * delayMs, ms: spread(measured.get(entry)!) }))
    return {
      how: `each ${runs} times, one after the other, over a socket`,
      tables: table(
        ['operation', 'waves', 'waves × 10 ms', 'measured ms (min–max)', 'above ms', 'times'],
        rows.map(({ name, waves, dueMs, ms }) => [name, String(waves), String(dueMs), `${short(ms.median)} (${short(ms.min)}–${short(ms.max)})`, short(ms.median - dueMs), short(ms.median / dueMs)]),
      ),
      data: { delayMs, rows },
    }
  } finally {
    await Promise.all([bare.stop(), quire.stop()])
  }
}

function startSlow(...args: string[]): Promise<Server> {
  return startServer({ args: [join(import.meta.dirname, '../servers/slow-store-server.ts'), ...args], env: { BENCH_DELAY_MS: String(delayMs) } })
}

async function wavesOf(query: string, server: Server): Promise<number> {
  const { errors, extensions } = (await server.ask(JSON.stringify({ query }), { 'quire-trace': '1' })) as { errors?: unknown; extensions?: { quire?: CostReport } }
  if (errors || !extensions?.quire) throw new Error(`Cannot read the waves of an operation: ${errors ? JSON.stringify(errors) : 'its answer has no cost report'}\n${query}`)
  return extensions.quire.made.waves
}
