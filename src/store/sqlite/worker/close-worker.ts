// Ends a thread that has a connection to the file.

import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'

export async function closeWorker(worker: Worker): Promise<void> {
  const exited = once(worker, 'exit')
  // Otherwise a process with nothing else to do would end before the thread has closed the file.
  worker.ref()
  // The thread closes its connection first, so that the last connection here removes the write-ahead log.
  worker.postMessage('close', [])
  await exited
}
