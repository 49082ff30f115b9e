// Load that does not wait: so many requests a second, whether the answers come or not, as strangers would send
// them. Without a pace it is as fast as the connections are answered. Nothing is wrong with being refused here:
// it is counted.

import { Connection, requestBytes } from '../../bench/load/connection.ts'

export interface PacedLoad {
  readonly port: number
  readonly bodies: readonly string[]
  readonly connections: number
  readonly seconds: number
  /** How many requests are due each second, on connections that are open already. */
  readonly perSecond?: number
  /** Whether a request that finds no connection free is sent when there is one, as clients with a pool do; its time counts from when it was due. */
  readonly waits?: boolean
  /** Answers that come later than this after their request was due are of no use. */
  readonly goodWithinMs?: number
}

export interface PacedResult {
  readonly seconds: number
  /** How many requests were due. */
  readonly due: number
  /** Answered in time and without being refused. */
  readonly good: number
  readonly late: number
  /** Answered with 503 or 429. */
  readonly refused: number
  /** Any other status, a connection that broke, or no connection to send it on, not even later where they wait for one. */
  readonly failed: number
  readonly goodPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export async function runPacedLoad({ port, bodies, connections, seconds, perSecond, waits = false, goodWithinMs = 2000 }: PacedLoad): Promise<PacedResult> {
  const requests = bodies.map((body) => requestBytes(body))
  const counts = { due: 0, good: 0, late: 0, refused: 0, failed: 0 }
  const latencies: number[] = []
  const idle: Connection[] = []
  const all = new Set<Connection>()
  let startedMs = performance.now()
  let untilMs = startedMs + seconds * 1000
  let underWay = 0
  let isOver = false
  let allSent = perSecond === undefined
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const endWhenAnswered = (): void => {
    if (isOver && allSent && underWay === 0) end()
  }

  /** What is done when a connection breaks that waits for an answer. */
  const broken = new Map<Connection, () => void>()
  const open = (): Connection => {
    const connection: Connection = new Connection(port, false, () => {
      if (!all.delete(connection)) return
      const at = idle.indexOf(connection)
      if (at >= 0) idle.splice(at, 1)
      broken.get(connection)?.()
      broken.delete(connection)
    })
    all.add(connection)
    return connection
  }

  const send = (connection: Connection, dueMs: number): void => {
    underWay++
    broken.set(connection, () => {
      counts.failed++
      underWay--
      endWhenAnswered()
    })
    connection.send(requests[counts.due++ % requests.length]!, ({ status }) => {
      const nowMs = performance.now()
      broken.delete(connection)
      underWay--
      if (status === 200) {
        latencies.push(nowMs - dueMs)
        if (nowMs - dueMs <= goodWithinMs) counts.good++
        else counts.late++
      } else if (status === 503 || status === 429) counts.refused++
      else counts.failed++
      if (perSecond === undefined && nowMs < untilMs) send(connection, nowMs)
      else {
        idle.push(connection)
        endWhenAnswered()
      }
    })
  }

  const openFirst = (): Promise<void> => new Promise((resolve) => {
    const connection = open()
    broken.set(connection, resolve)
    connection.send(requests[0]!, () => {
      broken.delete(connection)
      idle.push(connection)
      resolve()
    })
  })

  const dueInAll = Math.ceil(seconds * (perSecond ?? 0))
  let pace: NodeJS.Timeout | undefined
  if (perSecond === undefined) for (let count = 0; count < connections; count++) send(open(), performance.now())
  else {
    await Promise.all(Array.from({ length: connections }, openFirst))
    startedMs = performance.now()
    untilMs = startedMs + seconds * 1000
    pace = setInterval(() => {
      const nowMs = performance.now()
      const dueByNow = nowMs < untilMs ? ((nowMs - startedMs) / 1000) * perSecond : dueInAll
      while (counts.due < dueByNow) {
        const connection = idle.pop() ?? (all.size < connections ? open() : undefined)
        if (connection) send(connection, startedMs + (counts.due / perSecond) * 1000)
        else if (waits) return
        else {
          counts.due++
          counts.failed++
        }
      }
      if (nowMs < untilMs) return
      clearInterval(pace)
      allSent = true
      endWhenAnswered()
    }, 1)
  }
  setTimeout(() => {
    isOver = true
    endWhenAnswered()
    // Whoever has not been answered by then will not be.
    setTimeout(end, 15_000).unref()
  }, seconds * 1000)
  await ended
  clearInterval(pace)
  counts.failed += underWay
  if (!allSent) {
    counts.failed += dueInAll - counts.due
    counts.due = dueInAll
  }
  for (const connection of all) connection.close()
  const sorted = Float64Array.from(latencies).toSorted()
  const quantile = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { ...counts, seconds, goodPerSecond: counts.good / seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
}
