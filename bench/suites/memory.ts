// Measures the memory of a request while it waits for the store: a thousand requests wait at once, each on its own connection,
// and the suite compares the heap with and without them. A plain node:http server shows the share of the connections.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { WaitingRequests } from '../load/waiting-requests.ts'
import { operations } from '../operations/operations.ts'
import { writeSampleDatabase } from '../data/sample.ts'
import { interleaved } from '../interleaved.ts'
import { short, table, times } from '../report/table.ts'
import { median, ratio, spread } from '../statistics.ts'
import type { Order, MemoryUse } from '../servers/memory-server.ts'
import { chosen, type Suite } from '../suite.ts'

const inFlight = 1000

interface Case {
  readonly name: string
  readonly title: string
  readonly server: 'bare' | 'quire'
  readonly query: string
  /** The container whose reads are paused. The last wave reads it. */
  readonly container: string
}

const query = (name: string) => operations.find((operation) => operation.name === name)!

const cases: readonly Case[] = [
  { name: 'bare', title: 'node:http alone', server: 'bare', query: query('A').query, container: 'bare' },
  { name: 'point', title: 'one book by its id', server: 'quire', query: query('point').query, container: 'books' },
  { name: 'A', title: 'A, waiting for the books', server: 'quire', query: query('A').query, container: 'books' },
  { name: 'A-looked-up', title: 'A looked up, waiting for the authors', server: 'quire', query: query('A').lookedUp!, container: 'authors' },
  { name: 'B', title: 'B, waiting for the publishers: the last wave', server: 'quire', query: query('B').query, container: 'publishers' },
]

export const memory: Suite = async (options) => {
  const database = await writeSampleDatabase('memory.db')
  const entries = chosen(cases, options)
  const rounds = options.quick ? 2 : options.rounds
  const measured = await interleaved(rounds, entries, (each) => {
    options.progress(`${inFlight} requests waiting: ${each.title}`)
    return measureWaiting(each, database)
  })
  const rows = entries.map((each) => ({ name: each.name, title: each.title, rounds: measured.get(each)! }))
  const heap = (row: (typeof rows)[number]) => row.rounds.map(({ heapBytes }) => heapBytes)
  return {
    how: `each ${rounds} times, in a new process`,
    tables: table(['request', 'heap kB each (min–max)', 'process kB each', 'heap kB each, once answered', `heap, times ${rows[0]!.title}`], rows.map((row) => [
      row.title,
      `${kilobytes(median(heap(row)))} (${kilobytes(spread(heap(row)).min)}–${kilobytes(spread(heap(row)).max)})`,
      kilobytes(median(row.rounds.map(({ residentBytes }) => residentBytes))),
      kilobytes(median(row.rounds.map(({ leftBytes }) => leftBytes))),
      times(ratio(heap(row), heap(rows[0]!))),
    ])),
    data: { inFlight, rows },
  }
}

/** Bytes per request: on the heap, of the whole process, and on the heap after all requests are answered. */
async function measureWaiting({ server, query: text, container }: Case, database: string) {
  const child = fork(join(import.meta.dirname, '../servers/memory-server.ts'), [server], {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
    env: { ...process.env, NODE_ENV: 'production', QUIRE_LOG: 'warn', QUIRE_STORE: `sqlite:${database}` },
  })
  const tell = async <Answer>(order: Order): Promise<Answer> => {
    child.send(order)
    const [answer] = (await once(child, 'message')) as [Answer]
    return answer
  }
  const waiting = async (wanted: number): Promise<void> => {
    for (const untilMs = performance.now() + maxWaitMs; ;) {
      const count = await tell<number>({ kind: 'count' })
      if (count >= wanted) return
      if (performance.now() > untilMs) throw new Error(`Requests are missing: after ${maxWaitMs / 1000} s only ${count} of ${wanted} wait for the store.`)
      await pause(10)
    }
  }
  const client = new WaitingRequests(text)
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    // The warm-up compiles code and fills caches before the first measurement.
    client.send(port, batchSize)
    await client.answered()
    await pause(settleMs)
    const before = await tell<MemoryUse>({ kind: 'measure' })
    await tell({ kind: 'pause', container })
    for (let sent = batchSize; sent <= inFlight; sent += batchSize) {
      client.send(port, batchSize)
      await waiting(sent)
    }
    const during = await tell<MemoryUse>({ kind: 'measure' })
    await tell({ kind: 'release' })
    await client.answered()
    await pause(settleMs)
    const after = await tell<MemoryUse>({ kind: 'measure' })
    const each = (bytes: number) => bytes / inFlight
    return { heapBytes: each(during.heapBytes - before.heapBytes), residentBytes: each(during.residentBytes - before.residentBytes), leftBytes: each(after.heapBytes - before.heapBytes) }
  } finally {
    client.close()
    // The server exits on disconnect.
    if (child.connected) child.disconnect()
  }
}

/** Few enough connections at a time for a busy server to accept; the system would queue or refuse more. */
const batchSize = 50

/** Generous: a batch arrives within milliseconds. */
const maxWaitMs = 20_000

/** Time for connections to close and finalizers to run. */
const settleMs = 200

function kilobytes(bytes: number): string {
  return short(Math.max(0, bytes) / 1024)
}
