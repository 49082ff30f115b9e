// `quire dead-letters` as a process: it lists dead letters, and retries them with --retry.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { readSdl } from '../../src/model/sdl/read-sdl.ts'
import { deadLetter } from '../../src/feed/dead-letters.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'

const sdl = `
  type Cage @document(container: "cages") { id: ID! keeper: Keeper @snapshot(at: "keeper", fields: ["name"]) }
  type Keeper @document(container: "keepers") { id: ID! name: String! }
`
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-dead-letters-'))
  writeFileSync(join(folder, 'zoo.graphql'), sdl)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const openStore = () => openSqliteStore(join(folder, 'zoo.db'), readDeclaration(readSdl(sdl)).layout)

function quire(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', 'dead-letters', ...args], {
    env: { ...process.env, QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}` }, encoding: 'utf8',
  })
  return { status, out: stdout.trim().split('\n'), err: stderr.trim() }
}

test('a dead letter is listed, and gone after a retry that works', async () => {
  const key = { partition: ['k'], id: 'k' }
  const keeper = { id: 'k', name: 'New' }
  const store = await openStore()
  await store.write([
    { kind: 'put', container: 'keepers', key, body: keeper },
    { kind: 'put', container: 'cages', key: { partition: ['c'], id: 'c' }, body: { id: 'c', keeper: { id: 'k', name: 'Old' } } },
    deadLetter({ container: 'keepers', key, deleted: false, body: keeper, at: 0, position: 1 }, new Error('The lights were out.')),
  ])
  await store.close()

  expect(quire()).toEqual({
    status: 1, err: '', out: ['keepers/k (1970-01-01T00:00:00.000Z): The lights were out.', '1 change could not be propagated. "quire dead-letters --retry" tries again.'],
  })
  expect(quire('--json')).toEqual({ status: 1, err: '', out: ['{"container":"keepers","id":"k","reason":"The lights were out.","at":0}'] })
  expect(quire('--retry')).toEqual({ status: 0, err: '', out: ['There are no dead letters.'] })

  const after = await openStore()
  const [cage] = await after.readMany('cages', [{ partition: ['c'], id: 'c' }])
  await after.close()
  expect(cage!.body['keeper']).toEqual({ id: 'k', name: 'New' })
})

test('a missing store is one line and exit code 2', () => {
  expect(quire()).toEqual({
    status: 2, out: [''], err: expect.stringContaining(join(folder, 'zoo.db')),
  })
})
