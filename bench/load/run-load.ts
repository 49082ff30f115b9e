// Load by a fixed number of connections, each of which sends its next request as soon as the last one is answered. An answer
// is checked only as far as needed to notice a wrong one.

import { Connection, requestBytes } from './connection.ts'

export interface Load {
  readonly port: number
  /** Sent in rotation. */
  readonly bodies: readonly string[]
  readonly headers?: Record<string, string>
  readonly connections: number
  readonly seconds: number
  /** The check of every answer: as long as the first one to the same request, or without errors. */
  readonly answers?: 'same length' | 'no errors'
}

export interface LoadResult {
  readonly answered: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  readonly longestMs: number
  /** CPU use of the load, from 0 to 1 core. Near 1, the load was the limit and not the server. */
  readonly ownCpu: number
}

export async function runLoad({ port, bodies, headers, connections, seconds, answers = 'same length' }: Load): Promise<LoadResult> {
  const requests = bodies.map((body) => requestBytes(body, headers))
  const lengths: (number | undefined)[] = requests.map(() => undefined)
  const latencies: number[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const open: Connection[] = []
  let next = 0
  let running = connections
  const cpu = process.cpuUsage()
  const started = performance.now()
  const until = started + seconds * 1000

  const send = (connection: Connection): void => {
    const at = next++ % requests.length
    const sent = performance.now()
    connection.send(requests[at]!, ({ status, bytes, hasErrors }) => {
      const now = performance.now()
      latencies.push(now - sent)
      lengths[at] ??= bytes
      if (status !== 200 || hasErrors || (answers === 'same length' && lengths[at] !== bytes)) {
        reject(new Error(`Wrong answer: status ${status}, ${bytes} bytes${hasErrors ? ' with errors' : ''}; the first had ${lengths[at]} bytes. Request: ${bodies[at]}`))
      } else if (now < until) send(connection)
      else if (--running === 0) resolve()
    })
  }
  for (let count = 0; count < connections; count++) {
    const connection = new Connection(port, answers === 'no errors', reject)
    open.push(connection)
    send(connection)
  }
  try {
    await promise
  } finally {
    for (const connection of open) connection.close()
  }
  const elapsedMs = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  const sorted = Float64Array.from(latencies).toSorted()
  const quantile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { answered: sorted.length, seconds: elapsedMs / 1000, p50Ms: quantile(0.5), p99Ms: quantile(0.99), p999Ms: quantile(0.999), longestMs: sorted.at(-1)!, ownCpu: (user + system) / 1000 / elapsedMs }
}
