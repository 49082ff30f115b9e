// Leaves a store as a killed process does, with writes in its log, fills the disk, and prints why the store cannot be opened.
// full-disk.test.ts runs it where the folder is a small disk.

import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { book, layout } from '../conformance/shelf.ts'

const [folder = '', role] = process.argv.slice(2)
const file = join(folder, 'shelf.db')

if (role === 'killed') {
  const store = await openSqliteStore(file, layout)
  await store.write([book('b1')])
  process.kill(process.pid, 'SIGKILL')
}

spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', import.meta.filename, folder, 'killed'])
// The index of the log does not outlive the machine.
rmSync(`${file}-shm`)
fill(join(folder, 'fill'))
console.log(await openSqliteStore(file, layout).then(() => 'opened', (error: Error) => error.message))

function fill(path: string): void {
  const descriptor = openSync(path, 'w')
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4096))
  } catch {
    closeSync(descriptor)
  }
}
