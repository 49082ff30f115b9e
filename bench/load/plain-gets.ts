// GETs of one path, one after the other with a short pause, for as long as asked: how a probe feels a gateway.

import { setTimeout as pause } from 'node:timers/promises'

export async function runPlainGets(port: number, path: string, seconds: number): Promise<{ readonly p50Ms: number; readonly p99Ms: number }> {
  const latencies: number[] = []
  for (const untilMs = performance.now() + seconds * 1000; performance.now() < untilMs; await pause(5)) {
    const sentMs = performance.now()
    await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer()
    latencies.push(performance.now() - sentMs)
  }
  const sorted = latencies.toSorted((a, b) => a - b)
  const quantile = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
}
