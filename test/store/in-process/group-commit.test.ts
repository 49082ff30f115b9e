// Writers that share a commit, on a real file: what each of them sees and is told, and when. The
// conformance suite shows that each gets the same guarantees as alone.

import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { processClock } from '../../../src/clock.ts'
import { GroupCommit } from '../../../src/store/in-process/group-commit.ts'
import type { TransactionEngine } from '../../../src/store/in-process/transaction-engine.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { followAll, idsAndFates } from '../conformance/following.ts'
import { book, bookKey, books, idsOf, increment, layout, priceOf } from '../conformance/shelf.ts'
import { beforeExec, beforeRun } from '../sqlite/watched-statements.ts'
import { withTimelessStore } from '../sqlite/new-file.ts'

afterEach(() => void vi.restoreAllMocks())

async function idsSeen(by: Store): Promise<unknown> {
  return idsOf(await by.query(books()))
}

/** Calls back at every commit, before it is made. */
function atCommits(before: () => void): () => number {
  let commits = 0
  beforeRun((text) => {
    if (text !== 'COMMIT') return
    commits++
    before()
  })
  return () => commits
}

test('writers that wait at the same time share one commit, and none is acknowledged before it', () =>
  withTimelessStore(async (store) => {
    await store.write([book('b1', { price: 0 })])
    let answered = 0
    const answeredAtCommit: number[] = []
    const commits = atCommits(() => answeredAtCommit.push(answered))
    const all = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? store.write([book(`new ${at}`)]) : increment(store, 'b1')))
    await Promise.all(all.map((each) => each.then(() => answered++)))
    expect([commits(), answeredAtCommit]).toEqual([1, [0]])
    expect(await priceOf(store, 'b1')).toBe(15)
    expect(await store.count({ container: 'books' })).toBe(16)
  }))

test('a group has a maximum size, so that the first writer need not wait for all that come', () =>
  withTimelessStore(async (store) => {
    const commits = atCommits(() => {})
    await Promise.all(Array.from({ length: 250 }, (_, at) => store.write([book(`b${at}`)])))
    expect(commits()).toBe(3)
    expect(await store.count({ container: 'books' })).toBe(250)
  }))

test('a group has a maximum age: later writers are in the next one', () =>
  withTimelessStore(async (store) => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const commits = atCommits(() => {})
    await Promise.all(Array.from({ length: 10 }, (_, at) => store.atomically(async () => {
      now += 20
      return [book(`b${at}`)]
    })))
    expect(commits()).toBe(5)
    expect(await store.count({ container: 'books' })).toBe(10)
  }))

test('only a plan sees the uncommitted writes of its group', () =>
  withTimelessStore(async (store, file) => {
    const other = await openSqliteStore(file, layout)
    const outside = AsyncLocalStorage.snapshot()
    const seen: unknown[] = []
    await Promise.all([
      store.write([book('b1')]),
      store.atomically(async () => {
        seen.push(await idsSeen(store), await outside(() => idsSeen(store)), await idsSeen(other))
        return [book('b2')]
      }),
    ])
    expect(seen).toEqual([['b1'], [], []])
    expect([await idsSeen(store), await idsSeen(other)]).toEqual([['b1', 'b2'], ['b1', 'b2']])
    await other.close()
  }))

test('a writer that fails is undone alone, and told when the others are committed', () =>
  withTimelessStore(async (store) => {
    const told: string[] = []
    atCommits(() => told.push('commit'))
    const outcome = (name: string, writing: Promise<unknown>) => writing.then(() => told.push(`${name} written`), (error: unknown) => told.push(`${name}: ${(error as Error).name}`))
    await Promise.all([
      outcome('first', store.write([book('b1')])),
      outcome('second', store.write([book('b2'), { ...book('b1'), only: 'if-absent' }])),
      outcome('third', store.atomically(() => Promise.reject(new TypeError('changed my mind')))),
      outcome('fourth', store.atomically(async () => [book('b3', { from: idsOf(await store.query(books())) as string[] })])),
    ])
    expect(told).toEqual(['commit', 'first written', 'second: ConflictError', 'third: TypeError', 'fourth written'])
    expect((await store.query(books())).map(({ body }) => [body.id, body.from])).toEqual([['b1', undefined], ['b3', ['b1']]])
    expect(idsAndFates(await followAll(store)).toSorted()).toEqual(['b1', 'b3'])
  }))

test('if the commit fails, all writers fail, also those whose error was due to another writer', () =>
  withTimelessStore(async (store) => {
    atCommits(() => { throw Object.assign(new Error('disk I/O error'), { errcode: 10 }) })
    const outcomes = await Promise.allSettled([
      store.write([book('b1')]),
      store.write([{ ...book('b1'), only: 'if-absent' }]),
    ])
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailableError)).toEqual([true, true])
    vi.restoreAllMocks()
    expect(idsOf(await store.query(books()))).toEqual([])
    await store.write([book('b1')])
    expect(idsOf(await store.query(books()))).toEqual(['b1'])
  }))

test('if SQLite rolls everything back, the writers before are told that nothing was written', () =>
  withTimelessStore(async (store) => {
    // SQLite does this itself when the disk is full: it rolls the whole transaction back.
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec')
    const first = store.write([book('b1')])
    const second = store.write([book('b2')])
    const rollBack = (): void => (exec.mock.contexts[0] as DatabaseSync).exec('ROLLBACK')
    let inserts = 0
    beforeRun((text) => {
      if (!text.startsWith('INSERT INTO "books"') || ++inserts < 2) return
      rollBack()
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
    })
    const [one, two] = await Promise.allSettled([first, second])
    expect(one).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('rolled the transaction back') } })
    expect(two).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('database or disk is full. Free some disk space.') } })
    vi.restoreAllMocks()
    expect(idsOf(await store.query(books()))).toEqual([])
    await store.write([book('b3')])
    expect(idsOf(await store.query(books()))).toEqual(['b3'])
  }))

test('a plan may wait for a writer before it', () =>
  withTimelessStore(async (store) => {
    const first = store.write([book('b1', { price: 1 })])
    const second = store.atomically(async () => {
      await first
      return [book('b2', { price: 1 + (await priceOf(store, 'b1')) })]
    })
    await Promise.all([first, second])
    expect(await priceOf(store, 'b2')).toBe(2)
  }))

test('a slow plan runs again if another process writes in between', () =>
  withTimelessStore(async (store, file) => {
    await store.write([book('b1', { price: 0 })])
    const other = new DatabaseSync(file)
    const first = store.write([book('b2')])
    const seen: unknown[] = []
    const plan = store.atomically(async () => {
      const price = await priceOf(store, 'b1')
      if (seen.push(price) === 2) return [book('b1', { price: price + 1 })]
      // From here on others can write, as soon as the earlier writers are committed.
      beforeExec((text, exec) => {
        if (text === 'BEGIN IMMEDIATE') exec(other, `UPDATE books SET etag = 'other', body = json_set(body, '$.price', 7) WHERE id = 'b1'`)
      })
      await first
      return [book('b1', { price: price + 1 })]
    })
    await first
    vi.restoreAllMocks()
    await plan
    expect(seen).toEqual([0, 7])
    expect(await priceOf(store, 'b1')).toBe(8)
    other.close()
  }))

test('each writer runs in the async context of its caller', () =>
  withTimelessStore(async (store) => {
    const callers = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const write = (id: string) => callers.run(id, () => store.atomically(async () => {
      await store.readMany('books', [bookKey(id)])
      seen.push(callers.getStore())
      return [book(id)]
    }))
    await Promise.all(['b1', 'b2', 'b3'].map(write))
    expect(seen).toEqual(['b1', 'b2', 'b3'])
  }))

test('reads go on while many writers write', () =>
  withTimelessStore(async (store) => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const told: string[] = []
    atCommits(() => told.push('commit'))
    const writing = Promise.all(Array.from({ length: 4 }, (_, at) => store.atomically(async () => {
      now += 4
      told.push(`b${at}`)
      return [book(`b${at}`)]
    })))
    setImmediate(() => told.push('another request'))
    await writing
    expect(told).toEqual(['b0', 'b1', 'another request', 'b2', 'b3', 'commit'])
  }))

test('a writer that is refused before it has written does not affect the others', () =>
  withTimelessStore(async (store) => {
    await store.write([book('b1'), book('b2')])
    const [{ etag } = { etag: '' }] = await store.readMany('books', [bookKey('b2')])
    const outcomes = await Promise.allSettled([
      store.write([book('b3')]),
      store.write([{ ...book('b1'), only: 'if-absent' }, { ...book('b2', { price: 9 }), only: { ifMatch: etag } }]),
      store.write([book('b4')]),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(idsOf(await store.query(books()))).toEqual(['b1', 'b2', 'b3', 'b4'])
    expect(await priceOf(store, 'b2')).not.toBe(9)
  }))

test('an unexpected error halfway undoes the whole group once; from then on only the writer that fails is undone', () =>
  withTimelessStore(async (store) => {
    await store.write([book('b1'), book('b2')])
    const known = (await store.readMany('books', [bookKey('b1'), bookKey('b2')])).map((document) => document!)
    const change = (price: number) => known.map(({ key, etag }) => ({ ...book(key.id, { price }), only: { ifMatch: etag } }))
    let updates = 0
    beforeRun((text) => {
      if (text.startsWith('UPDATE "books"') && ++updates === 2) throw Object.assign(new Error('constraint failed'), { errcode: 19 })
    })
    const attempt = async (id: string) => {
      updates = 0
      return (await Promise.allSettled([store.write([book(id)]), store.write(change(9))])).map(({ status }) => status)
    }
    expect(await attempt('b3')).toEqual(['rejected', 'rejected'])
    expect(await attempt('b4')).toEqual(['fulfilled', 'rejected'])
    vi.restoreAllMocks()
    expect(idsOf(await store.query(books()))).toEqual(['b1', 'b2', 'b4'])
    expect(await priceOf(store, 'b1')).not.toBe(9)
  }))

test('a plan that has ended delays nobody: its group is not committed early, and the next writer is in a transaction', async () => {
  const timers = new Set<() => void>()
  let isOpen = false
  // Another process writes whenever the group is committed early.
  const engine: TransactionEngine = {
    lock: {}, maxWritersPerCommit: 100,
    clock: { ...processClock, now: () => 0, after: (_, call) => (timers.add(call), () => void timers.delete(call)) },
    begin: () => (isOpen = true), isInTransaction: () => isOpen,
    commit: () => void (isOpen = false), commitAndBegin: () => (isOpen = false), rollback: () => void (isOpen = false),
  }
  const commits = new GroupCommit(engine)
  const later: Promise<boolean>[] = []
  await Promise.all([
    commits.run(async () => undefined),
    commits.run(async () => void setImmediate(() => {
      for (const call of timers) call()
      later.push(commits.run(async () => isOpen))
    })),
  ])
  expect(await Promise.all(later)).toEqual([true])
})
