// Load at a fixed rate, whether or not answers arrive, as independent clients send it. Without a rate it sends as fast as
// connections are answered. Refusals are counted and are not errors.

import { Connection, requestBytes } from './connection.ts'

export interface PacedLoad {
  readonly port: number
  readonly bodies: readonly string[]
  readonly connections: number
  readonly seconds: number
  /** Requests due per second, on connections that are already open. */
  readonly perSecond?: number
  /** Whether a request waits for a free connection, as in clients with a pool; its latency counts from when it was due. */
  readonly waits?: boolean
  /** Whether every connection is open, and has had an answer, before the first request counts. At a fixed rate it always is. */
  readonly opensFirst?: boolean
  /** A later answer does not count as good. */
  readonly goodWithinMs?: number
}

export interface PacedResult {
  readonly seconds: number
  /** Requests that were due. */
  readonly due: number
  /** Answered in time with 200. */
  readonly good: number
  readonly late: number
  /** Answered with 503 or 429. */
  readonly refused: number
  /** Any other status, a broken connection, or no free connection to send it on. */
  readonly failed: number
  readonly goodPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** How long it took until every connection was open and had had an answer; 0 if they opened while it was measured. */
  readonly openedMs: number
}

export async function runPacedLoad({ port, bodies, connections, seconds, perSecond, waits = false, opensFirst = perSecond !== undefined, goodWithinMs = 2000 }: PacedLoad): Promise<PacedResult> {
  const requests = bodies.map((body) => requestBytes(body))
  const counts = { due: 0, good: 0, late: 0, refused: 0, failed: 0 }
  const latencies: number[] = []
  const idle: Connection[] = []
  const all = new Set<Connection>()
  let startedMs = performance.now()
  let untilMs = startedMs + seconds * 1000
  let inFlight = 0
  let isOver = false
  let allSent = perSecond === undefined
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const endWhenAnswered = (): void => {
    if (isOver && allSent && inFlight === 0) end()
  }

  /** Called when a connection breaks while it waits for an answer. */
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
    inFlight++
    broken.set(connection, () => {
      counts.failed++
      inFlight--
      endWhenAnswered()
    })
    connection.send(requests[counts.due++ % requests.length]!, ({ status }) => {
      const nowMs = performance.now()
      broken.delete(connection)
      inFlight--
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
  let openedMs = 0
  if (opensFirst) {
    await Promise.all(Array.from({ length: connections }, openFirst))
    openedMs = performance.now() - startedMs
    startedMs = performance.now()
    untilMs = startedMs + seconds * 1000
  }
  if (perSecond === undefined) for (let count = 0; count < connections; count++) send(idle.pop() ?? open(), performance.now())
  else {
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
    // Requests without an answer by then count as failed.
    setTimeout(end, 15_000).unref()
  }, seconds * 1000)
  await ended
  clearInterval(pace)
  counts.failed += inFlight
  if (!allSent) {
    counts.failed += dueInAll - counts.due
    counts.due = dueInAll
  }
  for (const connection of all) connection.close()
  const sorted = Float64Array.from(latencies).toSorted()
  const quantile = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { ...counts, seconds, goodPerSecond: counts.good / seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99), openedMs }
}
