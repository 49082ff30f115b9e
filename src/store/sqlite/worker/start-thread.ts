// Starts a thread of the SQLite store. Each has its own connection to the file; close-worker.ts ends it.

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** Nothing that a thread is sent outlives its answer. By default V8 would let forty megabytes of it pile up before it collects them. */
const maxYoungGenerationSizeMb = 8

/** `name` is the file of the thread, which is beside this one: TypeScript in a checkout, JavaScript in the package. */
export function startThread(name: string, workerData: { readonly file: string; readonly [name: string]: unknown }): Worker {
  const thread = new Worker(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url), { workerData, execArgv: ['--disable-warning=ExperimentalWarning'], resourceLimits: { maxYoungGenerationSizeMb } })
  // It keeps the process running only while something waits for it.
  thread.unref()
  return thread
}
