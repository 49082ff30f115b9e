// SQLite files for the tests of one test file, in a temporary folder that is removed when they have ended.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, vi } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { layout } from '../conformance/shelf.ts'

export const directory = mkdtempSync(join(tmpdir(), 'quire-sqlite-'))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0

/** A path where no file is yet. */
export function newFile(): string {
  return join(directory, `${files++}.db`)
}

/** Opens a store on a new file while no time passes, so that no group of writers ends because of its age. */
export async function withTimelessStore(work: (store: Store, file: string) => Promise<void>): Promise<void> {
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const file = newFile()
  const store = await openSqliteStore(file, layout)
  try {
    await work(store, file)
  } finally {
    vi.restoreAllMocks()
    await store.close()
  }
}
