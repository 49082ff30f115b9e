// `quire bench` and `npm run bench`: runs suites, prints their tables and updates docs/benchmarks.md.

import { availableParallelism, loadavg } from 'node:os'
import { readArguments } from './arguments.ts'
import { publish } from './report/publish.ts'
import type { Suite } from './suite.ts'
import { UsageError } from './usage-error.ts'

/** A suite is imported only when it runs. The first is the default. */
const suites: Record<string, () => Promise<Suite>> = {
  throughput: async () => (await import('./suites/throughput.ts')).throughput,
  varying: async () => (await import('./suites/throughput.ts')).varying,
  mix: async () => (await import('./suites/throughput.ts')).mix,
  caches: async () => (await import('./suites/caches.ts')).caches,
  cold: async () => (await import('./suites/cold.ts')).cold,
  latency: async () => (await import('./suites/latency.ts')).latency,
  cosmos: async () => (await import('./suites/cosmos.ts')).cosmos,
  workers: async () => (await import('./suites/workers.ts')).workers,
  clients: async () => (await import('./suites/clients.ts')).clients,
  growth: async () => (await import('./suites/growth.ts')).growth,
  'growth-writes': async () => (await import('./suites/growth-writes.ts')).growthWrites,
  writes: async () => (await import('./suites/writes.ts')).writes,
  memory: async () => (await import('./suites/memory.ts')).memory,
  startup: async () => (await import('./suites/startup.ts')).startup,
  tracing: async () => (await import('./suites/tracing.ts')).tracing,
}

/** Returns the exit code. */
export async function runBench(given: readonly string[]): Promise<number> {
  // Exiting also kills the servers: see start-server.ts.
  process.once('SIGINT', () => {
    console.error('Stopped. Measurements are discarded; run the command again to start over.')
    process.exit(130)
  })
  try {
    await run(given)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    return 2
  }
}

async function run(given: readonly string[]): Promise<void> {
  const { help, names, options, json, flags } = readArguments(given, Object.keys(suites))
  if (help !== undefined) return console.log(help)
  // Read before a suite runs, so that it shows the load of other processes only.
  const [loadBefore = 0] = loadavg()
  if (loadBefore > availableParallelism() / 4) options.progress(`Other processes use this machine: the load is ${loadBefore.toFixed(1)}. Expect wide spreads.`)
  for (const name of names) {
    const result = await (await suites[name]!())(options)
    console.log(json ? JSON.stringify(result.data) : `\n${result.tables}\n`)
    // `--only` leaves rows out, and docs/benchmarks.md needs them all.
    if (!options.only) publish({ suite: name, command: ['npm run bench --', name, ...flags].join(' '), loadBefore, options, result })
  }
}
