// A process that writes pairs of documents, many at a time, and prints each pair when it is acknowledged,
// until it is killed. killed.test.ts starts it.

import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { book, layout, review } from '../conformance/shelf.ts'

const store = await openSqliteStore(process.argv[2]!, layout)
let last = 0
const write = async (): Promise<void> => {
  for (;;) {
    const id = `b${last++}`
    await (last % 2 === 0 ? store.write([book(id), review(id, 'r1')]) : store.atomically(async () => [book(id), review(id, 'r1')]))
    process.send!(id)
  }
}
await Promise.all(Array.from({ length: 8 }, write))
