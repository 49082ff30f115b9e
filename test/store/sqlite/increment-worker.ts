// A thread that counts up the price of a document, with its own connection to the file: to SQLite
// it is like another process. sqlite-store.test.ts starts it.

import { workerData } from 'node:worker_threads'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { increment, layout } from '../conformance/shelf.ts'

const { file, times }: { file: string; times: number } = workerData
const store = await openSqliteStore(file, layout)
await Promise.all(Array.from({ length: times }, () => increment(store, 'b1')))
await store.close()
