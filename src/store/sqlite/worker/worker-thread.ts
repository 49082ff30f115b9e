// The thread that long queries run on: statements come, rows go. query-worker.ts starts it.

import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection, type Row } from '../connection.ts'
import type { Sql } from '../sql/sql-fragment.ts'

export type ThreadQuestion = Sql & { readonly number: number }

export interface ThreadAnswer {
  readonly number: number
  readonly rows?: readonly Row[]
  readonly error?: { readonly message: string; readonly errcode: number | undefined }
}

const { file } = workerData as { readonly file: string }
let connection: SqliteConnection | undefined

parentPort!.on('message', (asked: ThreadQuestion | 'close') => {
  if (asked === 'close') {
    connection?.close()
    parentPort!.close()
    return
  }
  parentPort!.postMessage(answerTo(asked), [])
})

function answerTo({ number, ...sql }: ThreadQuestion): ThreadAnswer {
  try {
    connection ??= new SqliteConnection(file, { readOnly: true, pagesMb: 8 })
    return { number, rows: connection.all(sql) }
  } catch (error) {
    // What SQLite said, without what the connection here makes of it: the one who asked does that.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error)
    return { number, error: { message: cause.message, errcode: 'errcode' in cause ? Number(cause.errcode) : undefined } }
  }
}
