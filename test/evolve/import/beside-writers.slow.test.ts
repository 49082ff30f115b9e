// An import while others write: it loses no change of theirs, leaves no snapshot that differs from its source, and does not give
// up because of one busy document.

import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { importFiles, type ImportOptions } from '../../../src/evolve/import/import-files.ts'
import { readMapping } from '../../../src/evolve/import/mapping/read-mapping.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ConflictError, StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import { Writer } from '../../../src/write/writer.ts'
import { newFile } from '../../store/sqlite/new-file.ts'
import { zooFolder, zooSdl } from './zoo.ts'

const declaration = readDeclaration(zooSdl)
const cages = 300

async function importCages(store: Store, options: ImportOptions = {}): Promise<void> {
  const rows = Array.from({ length: cages }, (_, at) => `k${at},Cage ${at},,,,,,Keeper One,Old`)
  const folder = zooFolder({ 'cages.csv': ['no,name,size,year,state,tags,place,keeper,house', ...rows].join('\n'), 'visits.csv': 'cage,visitor,mark\n' })
  await importFiles(declaration, store, await readMapping(join(folder, 'zoo.json'), folder, declaration.model), options)
}

async function findings(store: Store): Promise<string[]> {
  const found: string[] = []
  for await (const { kind, at } of checkStore(declaration, store)) found.push(`${kind} ${at}`)
  return [...new Set(found)]
}

/** The store, with something done as soon as the import has read keepers for its cages. */
function whenKeepersAreRead(store: Store, act: () => void): Store {
  return {
    ...store,
    readMany: (container, keys, meter) => {
      const read = store.readMany(container, keys, meter)
      if (container === 'keepers') act()
      return read
    },
  }
}

describe.each([
  { name: 'memory', open: () => openMemoryStore(declaration.layout) },
  { name: 'SQLite', open: () => openSqliteStore(newFile(), declaration.layout) },
])('on $name', ({ open }) => {
  test('a keeper who is renamed in the moment of reading has the new name in every cage, also if the import is stopped then', async () => {
    const store = await open()
    onTestFinished(() => store.close())
    const stopping = new AbortController()
    const renames: Promise<unknown>[] = []
    // As another request would: not as a part of what the import does.
    const outside = AsyncLocalStorage.snapshot()
    const rename = (): void => void renames.push(outside(() =>
      new Writer(declaration, store).write(async (change) => ({ keeper: await change.update('Keeper', { id: 'keeper-one', name: `Name ${renames.length}` }) })).catch(() => undefined)))
    let created = 0
    const importing = importCages(whenKeepersAreRead(store, rename), {
      signal: stopping.signal,
      onProgress: (done) => {
        if (done > 2 && created++ > 1) stopping.abort()
      },
    })
    await expect(importing).rejects.toThrow()
    await Promise.all(renames)
    expect(await store.count({ container: 'cages', type: 'cage' })).toBeGreaterThan(0)
    expect((await findings(store)).filter((finding) => finding.endsWith('Cage.keepers'))).toEqual([])
    await importCages(store)
    expect(await findings(store)).toEqual([])
  })

  test('a document that the import changes is changed in its snapshots in the same moment', async () => {
    const store = await open()
    onTestFinished(() => store.close())
    await importCages(store)
    await new Writer(declaration, store).write(async (change) => ({ keeper: await change.update('Keeper', { id: 'keeper-one', name: 'Renamed' }) }))
    const stopping = new AbortController()
    const importing = importCages(store, { signal: stopping.signal, onProgress: (done) => void (done > cages && stopping.abort()) })
    await expect(importing).rejects.toThrow()
    expect(await store.readMany('keepers', [{ partition: ['keeper-one'], id: 'keeper-one' }])).toMatchObject([{ body: { name: 'Keeper One' } }])
    expect(await findings(store)).toEqual([])
  })
})

/** A store that is atomic per partition, where others change some documents whenever they are about to be written. */
function contended(store: Store, isBusy: (write: Write, attempt: number) => boolean): { readonly store: Store; readonly attempts: Map<string, number>; readonly calls: () => number } {
  const attempts = new Map<string, number>()
  let calls = 0
  const write = async (writes: readonly Write[]): Promise<string[]> => {
    calls++
    for (const each of writes) {
      const attempt = (attempts.get(each.key.id) ?? 0) + 1
      attempts.set(each.key.id, attempt)
      if (isBusy(each, attempt)) throw new ConflictError(each.container, each.key, 'changed')
    }
    return store.write(writes)
  }
  return { store: { ...store, supports: { ...store.supports, atomic: 'partition', batch: { writes: 100, bytes: 1e6 } }, write }, attempts, calls: () => calls }
}

describe('on a store without one atomic scope', () => {
  test('a busy document is tried again on its own, and the others are not written again and again with it', async () => {
    const { store, attempts } = contended(await openMemoryStore(declaration.layout), ({ container, key }, attempt) => container === 'cages' && key.id === 'k7' && attempt <= 24)
    await importCages(store)
    expect(attempts.get('k7')).toBeGreaterThan(24)
    expect(attempts.get('k299')).toBeLessThanOrEqual(6)
    expect(await findings(store)).toEqual([])
  })

  test('a document that is always busy stops it, with what to do, and the others are imported', async () => {
    const { store } = contended(await openMemoryStore(declaration.layout), ({ container, key }) => container === 'cages' && key.id === 'k299')
    const error = await importCages(store).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(StoreUnavailableError)
    expect((error as Error).message).toMatch(/cages\/k299.*Run the same command again/)
    expect(await store.count({ container: 'cages', type: 'cage' })).toBe(cages - 1)
  }, 60_000)
})
