// Long queries on a worker thread: other requests go on meanwhile, and the results are the same.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc, { runs } from '../../fast-check.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqliteStore, type SqliteOptions } from '../../../src/store/sqlite/sqlite-store.ts'
import { Deadlines } from '../../../src/store/timing/deadlines.ts'
import { OperationContext } from '../../../src/store/operation-context.ts'
import type { Condition } from '../../../src/store/query.ts'
import type { Receipt, Store } from '../../../src/store/store.ts'
import { prepareLayout, type SqliteContainer } from '../../../src/store/sqlite/prepare-layout.ts'
import { countEachSql, countSql, queryEachSql, querySql, stopFunction } from '../../../src/store/sqlite/sql/read-sql.ts'
import type { Sql } from '../../../src/store/sqlite/sql/sql-fragment.ts'
import { QueryThreads, type QueryThreadsOptions } from '../../../src/store/sqlite/worker/query-threads.ts'
import { query, things } from '../conformance/random.ts'
import { book, bookKey, books, fill, idsOf, layout, refill } from '../conformance/shelf.ts'
import { directory, newFile } from './new-file.ts'

/** Every query that may be long goes to the worker, however few documents there are. */
const always: SqliteOptions = { longRows: -1 }

async function withStore(options: SqliteOptions, work: (store: Store, file: string) => Promise<void>): Promise<void> {
  const file = newFile()
  const store = await openSqliteStore(file, layout, options)
  try {
    await work(store, file)
  } finally {
    await store.close()
  }
}

const cheap = { op: 'lt', path: ['price'], value: 10 } as const

/** Whether the event loop has to turn before the work is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<boolean> {
  let done = false
  const working = work().then(() => (done = true))
  for (let step = 0; step < 100; step++) await new Promise<void>((resolve) => process.nextTick(resolve))
  const turns = !done
  await working
  return turns
}

test('the event loop goes on while a long query runs, and a short query runs at once', () =>
  withStore({ longRows: 1000 }, async (store) => {
    await fill(store, Array.from({ length: 999 }, (_, at) => book(`b${at}`, { price: at })))
    expect(await turnsDuring(async () => store.count(books()))).toBe(false)
    await store.write([book('b1000', { price: 1 }), book('b1001', { price: 1 })])
    expect(await turnsDuring(async () => store.count(books()))).toBe(true)
    const byName = { path: ['name'], descending: false }
    expect(await turnsDuring(async () => store.query(books({ where: { op: 'gte', path: ['price'], value: 0 }, orderBy: byName })))).toBe(true)
    expect(await turnsDuring(async () => store.query(books({ where: { op: 'not', condition: cheap }, orderBy: byName })))).toBe(true)
    expect(await turnsDuring(async () => store.query(books({ where: cheap, orderBy: byName })))).toBe(false)
    expect(await turnsDuring(async () => store.query(books({ where: { op: 'gte', path: ['name'], value: 'Book' }, orderBy: byName })))).toBe(false)
    expect(await turnsDuring(async () => store.query(books()))).toBe(false)
    expect(await turnsDuring(async () => store.count(books({ where: { op: 'eq', path: ['pub-id'], value: 'p1' } })))).toBe(false)
    expect(await turnsDuring(async () => store.readMany('books', [bookKey('b1')]))).toBe(false)
  }))

test('the query of a plan runs on the writing connection, where it sees uncommitted writes', () =>
  withStore(always, async (store) => {
    const [, etags] = await Promise.all([
      store.write([book('b1', { price: 1 })]),
      store.atomically(async () => [book('b2', { found: await store.count(books({ where: cheap })) })]),
    ])
    expect(etags).toHaveLength(1)
    expect((await store.readMany('books', [bookKey('b2')]))[0]!.body.found).toBe(1)
  }))

test('random queries return the same as without a worker', async () => {
  const [here, elsewhere] = [newFile(), newFile()]
  const stores = [await openSqliteStore(here, layout), await openSqliteStore(elsewhere, layout, always)] as const
  await fc.assert(fc.asyncProperty(things, query, async (documents, asked) => {
    for (const store of stores) await refill(store, 'things', documents)
    const answers = await Promise.all(stores.map(async (store) => [(await store.query(asked)).map(({ key, body, bytes }) => ({ key, body, bytes })), await store.count(asked)]))
    expect(answers[1]).toEqual(answers[0])
  }), { seed: 1, numRuns: runs(60) })
  await Promise.all(stores.map((store) => store.close()))
})

test('a query sees acknowledged writes, and a write during the query is not hidden by its cached result', () =>
  withStore(always, async (store) => {
    for (let at = 0; at < 20; at++) {
      await store.write([book(`b${at}`, { price: at % 2 })])
      expect(await store.count(books({ where: cheap }))).toBe(at + 1)
      // The query starts before a write and returns after it. Whether or not it has seen the write, the next query does.
      const [asked] = await Promise.all([store.query(books({ where: cheap })), store.write([book('b0', { price: -1 - at })])])
      expect(asked).toHaveLength(at + 1)
      expect((await store.readMany('books', [bookKey('b0')]))[0]!.body.price).toBe(-1 - at)
      expect((await store.query(books({ where: cheap })))[0]!.body.price).toBe(-1 - at)
    }
  }))

test('it is metered as one round trip with its duration', () =>
  withStore(always, async (store) => {
    await store.write([book('b1', { price: 1 })])
    const receipts: Receipt[] = []
    await store.query(books({ where: cheap }), (receipt) => receipts.push(receipt))
    expect(receipts).toMatchObject([{ operation: 'query', container: 'books', documents: 1, wave: 0 }])
    expect(receipts[0]!.durationMs).toBeGreaterThan(0)
  }))

test('it fails with the same messages', () =>
  withStore(always, async (store, file) => {
    const here = await openSqliteStore(file, layout, { longRows: Infinity })
    const database = new DatabaseSync(file)
    database.exec('DROP TABLE books')
    database.close()
    const failures = await Promise.all([store, here].map((each) => Promise.try(() => each.query(books({ where: cheap }))).then(String, String)))
    expect(failures[0]).toBe(`Error: Cannot read the SQLite store ${file}: no such table: books.`)
    expect(failures[1]).toBe(failures[0])
    await here.close()
  }))

test('a process that only closes its store waits until that is done, and leaves one file', async () => {
  const file = newFile()
  const child = fork(join(import.meta.dirname, 'closing-process.ts'), [file], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const [[code], [said]] = await Promise.all([once(child, 'exit'), once(child, 'message')])
  expect([code, said]).toEqual([0, 'closed'])
  expect(readdirSync(directory).filter((name) => name.startsWith(basename(file)))).toEqual([basename(file)])
})

test('closing waits for the running query and rejects all later ones', async () => {
  const file = newFile()
  const store = await openSqliteStore(file, layout, always)
  await store.write([book('b1', { price: 1 })])
  const asked = store.query(books({ where: cheap }))
  await store.close()
  expect(idsOf(await asked)).toEqual(['b1'])
  await expect(async () => store.query(books({ where: cheap }))).rejects.toThrow(`Cannot read the SQLite store ${file}: database is not open.`)
})

test('a query whose operation has been stopped when its turn comes is not run', () =>
  withStore({ ...always, queryThreads: 1 }, async (store) => {
    await fill(store, Array.from({ length: 10 }, (_, at) => book(`b${at}`, { price: at })))
    let gone = false
    const namesOf = async (value: number) => (await store.query(books({ where: { op: 'lt', path: ['price'], value }, orderBy: { path: ['name'], descending: false } }))).length
    const wanted = namesOf(10)
    const unwanted = new OperationContext({ id: 'r1', deadlines: new Deadlines(60_000), isGone: () => gone }).run(async () => namesOf(5)).catch((error: unknown) => (error as Error).name)
    const last = namesOf(9)
    gone = true
    expect(await Promise.all([wanted, unwanted, last])).toEqual([10, 'HungUpError', 9])
  }))

/** No document matches, which SQLite tells from the index alone. */
const noneByIndex: Condition = { op: 'not', condition: { op: 'gte', path: ['name'], value: '' } }

test.each<[string, (container: SqliteContainer, where: Condition) => Sql]>([
  ['a page', (container, where) => querySql(container, books({ where, orderBy: { path: ['name'], descending: false } }), undefined, true)],
  ['a count', (container, where) => countSql(container, books({ where }), undefined, true)],
  ['pages by value', (container, where) => queryEachSql(container, books({ where }), ['pub-id'], ['p1'], true)],
  ['counts by value', (container, where) => countEachSql(container, books({ where }), ['pub-id'], ['p1'], { stoppable: true })],
])('%s asks for every thousandth row whether to go on, also where no document matches', (_, statement) =>
  withStore({}, async (store, file) => {
    const rows = 3000
    await fill(store, Array.from({ length: rows }, (__, at) => book(`b${at}`, { 'pub-id': 'p1' })))
    const database = new DatabaseSync(file)
    let asked = 0
    database.function(stopFunction, () => ++asked)
    const { text, values } = statement(prepareLayout(database, layout).get('books')!, noneByIndex)
    database.prepare(text).all(...values)
    database.close()
    expect(asked).toBe(Math.floor(rows / 1024))
  }))

/** Ends only if it is stopped. */
const endless = (name: string) => ({ text: `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE quire_continue()) SELECT count(*) AS ${name} FROM numbers`, values: [] })
const short = { text: 'SELECT 1', values: [] }

async function withThreads(options: QueryThreadsOptions, work: (threads: QueryThreads, ask: (name: string) => { readonly outcome: Promise<string>; readonly hangUp: () => void }) => Promise<void>): Promise<void> {
  const file = newFile()
  new DatabaseSync(file).close()
  const threads = new QueryThreads(file, options)
  let allGone = false
  try {
    await work(threads, (name) => {
      let gone = false
      const context = new OperationContext({ id: name, deadlines: new Deadlines(600_000), isGone: () => gone || allGone })
      return { outcome: context.run(async () => threads.all(endless(name))).then(() => 'answered', (error: unknown) => (error as Error).name), hangUp: () => (gone = true) }
    })
  } finally {
    allGone = true
    await threads.close()
  }
}

test('a running query ends when nobody wants it any more, and its thread goes on with the next', () =>
  withThreads({ threads: 1 }, async (threads, ask) => {
    const running = ask('a')
    const next = threads.all(short)
    running.hangUp()
    expect(await running.outcome).toBe('HungUpError')
    expect(await next).toEqual([[1]])
  }))

test('a query that nobody wants any more at the end of its turn is rejected there', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await withThreads({ threads: 1 }, async (threads) => {
    let timesAsked = 0
    const context = new OperationContext({ id: 'a', deadlines: new Deadlines(600_000), isGone: () => ++timesAsked > 1 })
    await expect(context.run(async () => threads.all(endless('a')))).rejects.toThrow('disconnected')
  })
})

test('short queries are answered while any number of long ones run and wait', () =>
  withThreads({ threads: 2 }, async (threads, ask) => {
    const long = ['a', 'b', 'c', 'd', 'e'].map(ask)
    for (let at = 0; at < 20; at++) expect(await threads.all(short)).toEqual([[1]])
    for (const { hangUp } of long) hangUp()
    expect(await Promise.all(long.map(({ outcome }) => outcome))).toEqual(long.map(() => 'HungUpError'))
  }))

test('a long query that waits too long is refused', () =>
  withThreads({ threads: 2, maxWaitMs: 50 }, async (threads, ask) => {
    const [first, second] = [ask('a'), ask('b')]
    expect(await Promise.race([first.outcome, second.outcome])).toBe('StoreOverloadedError')
    expect(await threads.all(short)).toEqual([[1]])
  }))

test('more queries than can be answered in time are refused at once', () =>
  withThreads({ threads: 1 }, async (_, ask) => {
    const asked = Array.from({ length: 40 }, (__, at) => ask(`q${at}`))
    expect(await asked[39]!.outcome).toBe('StoreOverloadedError')
    for (const { hangUp } of asked) hangUp()
    const outcomes = await Promise.all(asked.map(({ outcome }) => outcome))
    expect(outcomes.filter((each) => each === 'HungUpError')).toHaveLength(32)
  }))
