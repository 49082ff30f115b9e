// A process that writes what it is sent, to a file that others have open, too. fresh-reads.test.ts starts it.

import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Write } from '../../../src/store/store.ts'
import { layout } from '../conformance/shelf.ts'

const store = await openSqliteStore(process.argv[2]!, layout)
process.on('message', (writes: Write[]) => void store.write(writes).then(() => process.send!('written')))
process.on('disconnect', () => void store.close())
