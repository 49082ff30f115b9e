// A thread that runs long queries: it receives statements and returns rows. query-threads.ts starts it.
//
// SQLite cannot be told from outside to stop. So long statements call a function of this thread for about every thousandth row
// (read-sql.ts), which throws once the other side has set the number of the query in shared memory, or when its turn is over. A turn
// is so many calls, and not so many milliseconds, since a thread that gets no processor would use up its turn by waiting.

import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection, type Row } from '../connection.ts'
import { stopFunction } from '../sql/read-sql.ts'
import type { Sql } from '../sql/sql-fragment.ts'

export interface ThreadRequest extends Sql {
  readonly number: number
  /** Its turn: how many thousand rows it may look at. */
  readonly maxSteps: number
}

export interface ThreadResponse {
  readonly number: number
  readonly rows?: readonly Row[]
  /** About how many thousand rows it looked at. */
  readonly steps?: number
  readonly isStopped?: boolean
  readonly error?: { readonly message: string; readonly errcode: number | undefined }
}

export interface ThreadData {
  readonly file: string
  /** One 32-bit number: the last query that is to be stopped. */
  readonly stop: SharedArrayBuffer
}

const { file, stop } = workerData as ThreadData
const stopped = new Int32Array(stop)
let connection: SqliteConnection | undefined
let running = 0
let [steps, maxSteps] = [0, 0]

// Where processors are few, the thread that answers requests goes first. On Linux this is about the calling thread, elsewhere about the whole process.
if (process.platform === 'linux') setPriority(10)

parentPort!.on('message', (request: ThreadRequest | 'close') => {
  if (request === 'close') {
    connection?.close()
    parentPort!.close()
    return
  }
  parentPort!.postMessage(responseTo(request), [])
})

function responseTo({ number, maxSteps: turn, text, values }: ThreadRequest): ThreadResponse {
  running = number
  steps = 0
  maxSteps = turn
  try {
    connection ??= open()
    return { number, rows: connection.all({ text, values }), steps }
  } catch (error) {
    if (isStopped()) return { number, isStopped: true }
    // SQLite's own error: query-threads.ts adds the name of the file.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error)
    return { number, error: { message: cause.message, errcode: 'errcode' in cause ? Number(cause.errcode) : undefined } }
  }
}

function open(): SqliteConnection {
  return new SqliteConnection(file, { readOnly: true, pageCacheMb: 8, functions: { [stopFunction]: shouldContinue } })
}

function shouldContinue(): number {
  steps++
  if (isStopped()) throw new Error('The query was cancelled, or its turn is over.')
  return 1
}

function isStopped(): boolean {
  return steps > maxSteps || Atomics.load(stopped, 0) === running
}
