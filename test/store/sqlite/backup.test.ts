// A backup, and an export at one moment, of a SQLite file that is written all the time: both show one moment.

import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backupFile } from '../../../src/store/sqlite/backup/backup-file.ts'
import { restoreFile } from '../../../src/store/sqlite/backup/restore-file.ts'
import { SqliteConnection } from '../../../src/store/sqlite/connection.ts'
import { sqliteKind } from '../../../src/store/sqlite/sqlite-kind.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ownLayout, markSeeded } from '../../../src/store/own-container.ts'
import type { ContainerLayout, Store, Write } from '../../../src/store/store.ts'

const layout: ContainerLayout[] = [ownLayout, ...['ones', 'others'].map((name) => ({ name, partitionKey: [['id']], indexes: [] }))]
const none = { signal: new AbortController().signal, onProgress: () => {} }

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'quire-backup-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The same document in both containers, in one write. */
function pair(number: number): Write[] {
  const id = `n${number}`
  return ['ones', 'others'].map((container) => ({ kind: 'put', container, key: { partition: [id], id }, body: { id, text: 'x'.repeat(500) } }))
}

/** Enough that copying takes several steps. */
async function filled(file: string): Promise<Store> {
  const store = await openSqliteStore(file, layout)
  await markSeeded(store)
  for (let batch = 0; batch < 40; batch++) await store.write(Array.from({ length: 100 }, (_, at) => pair(batch * 100 + at)).flat())
  return store
}

async function counts(store: Store): Promise<number[]> {
  return Promise.all(['ones', 'others'].map(async (container) => store.count({ container })))
}

/** Writes pairs while the work runs. Returns how many there were in the end, and the result of the work. */
async function writingMeanwhile<T>(store: Store, work: () => Promise<T>): Promise<[number, T]> {
  const done = new AbortController()
  let number = 4000
  const writing = (async () => {
    // Many writers share a commit, as they do in a gateway.
    while (!done.signal.aborted) await Promise.all(Array.from({ length: 50 }, () => store.write(pair(number++))))
  })()
  const result = await work().finally(() => done.abort())
  await writing
  return [number, result]
}

test('a backup of a file that is written all the time has one moment', async () => {
  const [file, copy] = [join(folder, 'store.db'), join(folder, 'backups', 'copy.db')]
  const store = await filled(file)
  const steps: number[] = []
  const [written] = await writingMeanwhile(store, () => backupFile(file, copy, (pages) => void steps.push(pages), none.signal))
  expect(steps.length).toBeGreaterThan(2)
  expect(await counts(store)).toEqual([written, written])
  await store.close()
  expect(readdirSync(join(folder, 'backups'))).toEqual(['copy.db'])
  const restored = await openSqliteStore(copy, layout)
  const [ones, others] = await counts(restored)
  expect(ones).toBe(others)
  expect(ones).toBeGreaterThanOrEqual(4000)
  expect(ones).toBeLessThan(written)
  await restored.close()
})

test('a store that is opened at one moment shows that one, whatever is written', async () => {
  const file = join(folder, 'store.db')
  const store = await filled(file)
  const frozen = await sqliteKind.openAtOneMoment!({ kind: 'sqlite', file }, layout)
  const moment = frozen.moment()
  const [written] = await writingMeanwhile(store, async () => {
    for (let look = 0; look < 5; look++) {
      await new Promise((resolve) => setImmediate(resolve))
      expect(await counts(frozen)).toEqual([4000, 4000])
    }
  })
  expect(written).toBeGreaterThan(4000)
  expect(frozen.moment()).toBe(moment)
  expect((await frozen.readMany('ones', [{ partition: ['n4000'], id: 'n4000' }]))[0]).toBeUndefined()
  await frozen.close()
  await store.close()
})

test('a backup overwrites nothing, and one that is stopped leaves nothing', async () => {
  const [file, copy] = [join(folder, 'store.db'), join(folder, 'copy.db')]
  await (await filled(file)).close()
  const before = readdirSync(folder)
  // What a process that was killed has left goes with the next backup of that name. This one is beyond any process id.
  writeFileSync(`${copy}.partial-99999999`, 'half')
  await expect(backupFile(file, copy, none.onProgress, AbortSignal.abort())).rejects.toThrow()
  expect(readdirSync(folder)).toEqual(before)
  writeFileSync(copy, 'mine')
  await expect(backupFile(file, copy, none.onProgress, none.signal)).rejects.toThrow(/exists/)
})

test('a store is restored only when nobody has it open, and only over documents that may be replaced', async () => {
  const [file, copy] = [join(folder, 'store.db'), join(folder, 'copy.db')]
  const store = await filled(file)
  await backupFile(file, copy, none.onProgress, none.signal)
  await store.write(pair(4000))
  const restore = (replace: boolean): Promise<string | undefined> => restoreFile(file, copy, { replace, keptSuffix: 'kept', prepare: async () => {} })
  await expect(restore(true)).rejects.toThrow(/another process/)
  expect(await counts(store)).toEqual([4001, 4001])
  await store.close()
  await expect(restore(false)).rejects.toThrow(/--replace/)
  expect(await restore(true)).toBe(join(folder, 'store.db.kept'))
  expect(readdirSync(folder).toSorted()).toEqual(['copy.db', 'store.db', 'store.db.kept'])
  const contents = async (name: string): Promise<number[]> => {
    const opened = await openSqliteStore(join(folder, name), layout)
    try {
      return await counts(opened)
    } finally {
      await opened.close()
    }
  }
  expect(await contents('store.db')).toEqual([4000, 4000])
  expect(await contents('store.db.kept')).toEqual([4001, 4001])
})

test('a new place, an empty store and a damaged one can be restored; what is no store cannot', async () => {
  const [file, copy] = [join(folder, 'store.db'), join(folder, 'copy.db')]
  await (await filled(file)).close()
  await backupFile(file, copy, none.onProgress, none.signal)
  const restore = (to: string, from = copy, replace = false): Promise<string | undefined> => restoreFile(join(folder, to), from, { replace, keptSuffix: 'kept', prepare: async () => {} })
  expect(await restore('new/store.db')).toBeUndefined()
  await (await openSqliteStore(join(folder, 'empty.db'), layout)).close()
  expect(await restore('empty.db')).toBe(join(folder, 'empty.db.kept'))
  writeFileSync(join(folder, 'damaged.db'), 'no database '.repeat(1000))
  await expect(restore('damaged.db')).rejects.toThrow()
  expect(await restore('damaged.db', copy, true)).toBe(join(folder, 'damaged.db.kept'))
  writeFileSync(join(folder, 'text.db'), 'no database '.repeat(1000))
  await expect(restore('other.db', join(folder, 'text.db'))).rejects.toThrow(/not a store/)
  await expect(restore('other.db', join(folder, 'absent.db'))).rejects.toThrow(/no file/)
  await expect(restore('copy.db')).rejects.toThrow(/store itself/)
  expect(existsSync(join(folder, 'other.db'))).toBe(false)
})

test('a store that is replaced while it is opened is not used', async () => {
  const [file, other] = [join(folder, 'store.db'), join(folder, 'other.db')]
  for (const each of [file, other]) await (await openSqliteStore(each, layout)).close()
  const connection = new SqliteConnection(file, { readOnly: false, pageCacheMb: 1 })
  connection.checkInPlace()
  renameSync(other, file)
  expect(() => connection.checkInPlace()).toThrow(/replaced/)
  connection.close()
})

test('the positions of a restored store are beyond all that its lost writes had', async () => {
  const [file, copy] = [join(folder, 'store.db'), join(folder, 'copy.db')]
  const followed = layout.map((each) => (each.name === 'ones' ? { ...each, followed: true } : each))
  const store = await openSqliteStore(file, followed)
  await store.write(pair(0))
  await backupFile(file, copy, none.onProgress, none.signal)
  const saved = await store.position()
  for (let number = 1; number < 20; number++) await store.write(pair(number))
  const lost = await store.position()
  expect(lost.latest).toBeGreaterThan(saved.latest)
  await store.close()
  await restoreFile(file, copy, { replace: true, keptSuffix: 'kept', prepare: async () => {} })
  const restored = await openSqliteStore(file, followed)
  expect((await restored.position()).earliest).toBeGreaterThan(lost.latest)
  // A follower goes on from where it was.
  const parts = await restored.feedParts()
  const seen = await Promise.all(parts.map(async (part) => restored.changes(part, undefined, 10)))
  expect(seen.flatMap(({ changes }) => changes.map(({ key }) => key.id))).toEqual(['n0'])
  await restored.close()
})

test('a store that is a link stays one: what it names is restored, and kept beside', async () => {
  mkdirSync(join(folder, 'disk'))
  const [link, real, saved] = [join(folder, 'store.db'), join(folder, 'disk/real.db'), join(folder, 'saved.db')]
  const store = await openSqliteStore(real, layout)
  await store.write(pair(1))
  await backupFile(real, saved, none.onProgress, none.signal)
  await store.write(pair(2))
  await store.close()
  symlinkSync(real, link)
  await restoreFile(link, saved, { replace: true, keptSuffix: 'before', prepare: async () => {} })
  expect([lstatSync(link).isSymbolicLink(), readdirSync(join(folder, 'disk')).toSorted()]).toEqual([true, ['real.db', 'real.db.before']])
  const restored = await openSqliteStore(link, layout)
  expect(await counts(restored)).toEqual([1, 1])
  await restored.close()
  rmSync(real)
  await expect(restoreFile(link, saved, { replace: true, keptSuffix: 'again', prepare: async () => {} })).rejects.toThrow(/a link to a missing file/)
})
