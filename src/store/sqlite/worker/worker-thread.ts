// The thread that runs long queries: it receives statements and returns rows. query-worker.ts starts it.

import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection, type Row } from '../connection.ts'
import type { Sql } from '../sql/sql-fragment.ts'

export type WorkerRequest = Sql & { readonly number: number }

export interface WorkerResponse {
  readonly number: number
  readonly rows?: readonly Row[]
  readonly error?: { readonly message: string; readonly errcode: number | undefined }
}

const { file } = workerData as { readonly file: string }
let connection: SqliteConnection | undefined

parentPort!.on('message', (request: WorkerRequest | 'close') => {
  if (request === 'close') {
    connection?.close()
    parentPort!.close()
    return
  }
  parentPort!.postMessage(responseTo(request), [])
})

function responseTo({ number, ...sql }: WorkerRequest): WorkerResponse {
  try {
    connection ??= new SqliteConnection(file, { readOnly: true, pageCacheMb: 8 })
    return { number, rows: connection.all(sql) }
  } catch (error) {
    // SQLite's own error: query-worker.ts adds the name of the file.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error)
    return { number, error: { message: cause.message, errcode: 'errcode' in cause ? Number(cause.errcode) : undefined } }
  }
}
