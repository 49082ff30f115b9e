// How long an operation takes when the store is far away. Every call of the store takes 10 ms, so the
// waves of the account say how long the operation has to take; the rest is what Quire adds. The store
// is in memory and in this process, and so takes nothing else.

import { setTimeout as pause } from 'node:timers/promises'
import { openMemoryStore } from '../../src/store/memory.ts'
import { readExamples } from '../data/examples.ts'
import { interleaved } from '../interleaved.ts'
import { short, table } from '../report/table.ts'
import { askGateway, openSampleGateway } from '../servers/sample-gateway.ts'
import { spread } from '../statistics.ts'
import { lateStore } from '../stores/late-store.ts'
import { chosen, type Suite } from '../suite.ts'

const delayMs = 10

export const latency: Suite = async (options) => {
  const near = await openSampleGateway({ store: openMemoryStore })
  const gateway = await openSampleGateway({ store: async (layout) => lateStore(await openMemoryStore(layout), delayMs) })
  const operations = await Promise.all(chosen(readExamples(), options).map(async ({ name, query }) => {
    const { extensions } = await askGateway(near, query, { 'quire-trace': '1' })
    return { name, waves: extensions!.quire!.made.waves, run: () => askGateway(gateway, query) }
  }))
  // What a wait of 10 ms itself takes on this machine, beside everything else.
  const entries = [{ name: 'one wait, nothing else', waves: 1, run: (): Promise<unknown> => pause(delayMs) }, ...operations]
  options.progress(`${operations.length} operations over a store that takes ${delayMs} ms`)
  const timed = (entry: (typeof entries)[number]) => timeOf(entry.run)
  await interleaved(20, entries, timed)
  const runs = options.rounds * (options.quick ? 5 : 20)
  const measured = await interleaved(runs, entries, timed)
  await Promise.all([near.dispose(), gateway.dispose()])
  const rows = entries.map((entry) => ({ name: entry.name, waves: entry.waves, dueMs: entry.waves * delayMs, ms: spread(measured.get(entry)!) }))
  return {
    how: `each ${runs} times, in one process`,
    tables: table(
      ['operation', 'waves', 'waves × 10 ms', 'measured ms (min–max)', 'above ms', 'times'],
      rows.map(({ name, waves, dueMs, ms }) => [name, String(waves), String(dueMs), `${short(ms.median)} (${short(ms.min)}–${short(ms.max)})`, short(ms.median - dueMs), short(ms.median / dueMs)]),
    ),
    data: { delayMs, rows },
  }
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}
