// `quire bench`, and `npm run bench`: runs one suite or several, prints their tables, and writes them where the
// documentation shows them.

import { availableParallelism, loadavg } from 'node:os'
import { readArguments } from './arguments.ts'
import { installPeers } from './install-peers.ts'
import { publish } from './report/publish.ts'
import type { Suite } from './suite.ts'
import { UsageError } from './usage-error.ts'

/** Loaded when they are chosen. The first is what runs when nothing is said. */
const suites: Record<string, () => Promise<Suite>> = {
  throughput: async () => {
    installPeers()
    return (await import('./suites/throughput.ts')).throughput
  },
  latency: async () => (await import('./suites/latency.ts')).latency,
  growth: async () => (await import('./suites/growth.ts')).growth,
  writes: async () => (await import('./suites/writes.ts')).writes,
  memory: async () => (await import('./suites/memory.ts')).memory,
  startup: async () => (await import('./suites/startup.ts')).startup,
  tracing: async () => (await import('./suites/tracing.ts')).tracing,
}

/** Answers with the exit code. */
export async function runBench(given: readonly string[]): Promise<number> {
  // Servers that are under way go with this process.
  process.once('SIGINT', () => {
    console.error('Stopped. What was measured so far is thrown away; the same command begins again.')
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
  // Before anything of ours runs, so that it says what others do.
  const [loadBefore = 0] = loadavg()
  if (loadBefore > availableParallelism() / 4) options.progress(`Others use this machine too: its load is ${loadBefore.toFixed(1)}. Expect wide spreads.`)
  for (const name of names) {
    const result = await (await suites[name]!())(options)
    console.log(json ? JSON.stringify(result.data) : `\n${result.tables}\n`)
    // A table with some of its rows missing is not for others to read.
    if (!options.only) publish({ suite: name, command: ['npm run bench --', name, ...flags].join(' '), loadBefore, options, result })
  }
}
