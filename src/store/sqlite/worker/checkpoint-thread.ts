// The thread that copies the write-ahead log into the file. checkpointer.ts starts it.

import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from '../connection.ts'

const { file } = workerData as { readonly file: string }
let connection: SqliteConnection | undefined

parentPort!.on('message', (request: 'checkpoint' | 'close') => {
  if (request === 'close') {
    connection?.close()
    parentPort!.close()
    return
  }
  try {
    connection ??= new SqliteConnection(file, { readOnly: false, pageCacheMb: 2 })
    // PASSIVE does not wait for readers or writers. The second time, only what was committed during the first is left to copy.
    for (let time = 0; time < 2; time++) connection.get('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // A full or failing disk: writers meet it themselves, and report it.
  }
  parentPort!.postMessage('done', [])
})
