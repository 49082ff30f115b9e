// A process that starts a long query, closes its store and has nothing else to do. query-threads.test.ts starts it.

import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { book, books, layout } from '../conformance/shelf.ts'

const store = await openSqliteStore(process.argv[2]!, layout, { longRows: -1 })
await store.write([book('b1')])
await store.count(books())
process.channel!.unref()
await store.close()
process.send!('closed')
