// A process that is killed while its writers share commits has lost no acknowledged write and left nothing
// half-written.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { bookKey, layout } from '../conformance/shelf.ts'
import { newFile } from './new-file.ts'

test.each([1, 40, 301])('killed after %i acknowledged writes, it has lost none of them', async (most) => {
  const file = newFile()
  const child = fork(join(import.meta.dirname, 'acknowledging-process.ts'), [file], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const acknowledged: string[] = []
  child.on('message', (id: string) => {
    if (acknowledged.push(id) === most) child.kill('SIGKILL')
  })
  await once(child, 'exit')
  const store = await openSqliteStore(file, layout)
  const found = await store.readMany('books', acknowledged.slice(0, 1000).map(bookKey))
  expect(found.filter((document) => document === undefined)).toEqual([])
  expect(acknowledged.length).toBeGreaterThanOrEqual(most)
  expect(await store.count({ container: 'reviews' })).toBe(await store.count({ container: 'books' }))
  await store.close()
})
