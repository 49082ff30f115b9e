// What the PostgreSQL store does when connections, answers and the server itself are lost.

import postgres from 'postgres'
import { describe, expect, onTestFinished, test } from 'vitest'
import { processClock, type Clock } from '../../../src/clock.ts'
import { OperationContext } from '../../../src/store/operation-context.ts'
import { writeLockKey } from '../../../src/store/postgres/open/open-postgres.ts'
import { openPostgresStore, type PostgresSetting } from '../../../src/store/postgres/postgres-store.ts'
import { maxWaitMs } from '../../../src/store/postgres/request/connection.ts'
import { StoreOverloadedError, StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { Deadlines } from '../../../src/store/timing/deadlines.ts'
import { followAll, idsAndFates } from '../conformance/following.ts'
import { book, bookKey, books, idsOf, increment, layout, priceOf } from '../conformance/shelf.ts'
import { newSchema, postgresUrl } from './local.ts'
import { startProxy, type Proxy } from './proxy.ts'

interface Disturbed {
  readonly store: Store
  readonly proxy: Proxy
  /** Past the proxy. */
  readonly sql: postgres.Sql
  readonly schema: string
}

async function openDisturbed(more: Partial<PostgresSetting> = {}): Promise<Disturbed> {
  const { setting, drop } = await newSchema()
  const address = new URL(setting.url)
  const proxy = await startProxy({ host: address.hostname, port: Number(address.port || 5432) })
  address.host = `127.0.0.1:${proxy.port}`
  const store = await openPostgresStore({ ...setting, ...more, url: String(address) }, layout)
  const sql = postgres(setting.url, { max: 2, onnotice: () => undefined })
  onTestFinished(async () => {
    await store.close()
    await proxy.close()
    await sql.end()
    await drop()
  })
  return { store, proxy, sql, schema: setting.schema }
}

/** Every reader waits until the returned function is called. */
async function lockBooks(sql: postgres.Sql, schema: string): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = sql.begin(async (transaction) => {
    await transaction.unsafe(`LOCK TABLE "${schema}".books IN ACCESS EXCLUSIVE MODE`)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  return async () => {
    release.resolve()
    await holding
  }
}

describe('postgres', () => {
  test.each(['before', 'after'] as const)('a commit whose connection is lost %s the server has carried it out is made exactly once', async (when) => {
    const { store, proxy } = await openDisturbed()
    await store.write([book('b1', { price: 0 })])
    proxy.loseCommit(when)
    const [etag] = await increment(store, 'b1')
    const [found] = await store.readMany('books', [bookKey('b1')])
    expect(found).toMatchObject({ etag, body: { price: 1 } })
    expect(idsAndFates(await followAll(store))).toEqual(['b1'])
  })

  test.each(['before', 'after'] as const)('all writers that share a commit lost %s learn what became of it', async (when) => {
    const { store, proxy } = await openDisturbed()
    await store.write([book('b1', { price: 0 })])
    proxy.loseCommit(when)
    const writes = [...Array.from({ length: 20 }, () => increment(store, 'b1')), store.write([book('b2')]), store.write([{ ...book('b1'), only: 'if-absent' }])]
    const outcomes = await Promise.allSettled(writes)
    expect(outcomes.map(({ status }) => status)).toEqual([...Array.from({ length: 21 }, () => 'fulfilled'), 'rejected'])
    expect(await priceOf(store, 'b1')).toBe(20)
  })

  test('reads and writes go on after all connections have ended, and none is lost or made twice', async () => {
    const { store, proxy } = await openDisturbed()
    await store.write([book('b1', { price: 0 })])
    for (let round = 0; round < 5; round++) {
      const work = Promise.all([...Array.from({ length: 10 }, () => increment(store, 'b1')), ...Array.from({ length: 20 }, () => store.query(books()))])
      await store.ping()
      proxy.cut()
      await work
    }
    expect(await priceOf(store, 'b1')).toBe(50)
  })

  // 1 is before the server knows of the connection, 2 is the first statement, and 3 comes after its answer.
  test.each([1, 2, 3, 4])('reads and writes wait for a connection that lasts while new ones end when they send for the time %i', async (nth) => {
    const { store, proxy } = await openDisturbed()
    await store.write([book('b1', { price: 0 })])
    for (let round = 0; round < 5; round++) {
      proxy.cutEarly(4, nth)
      proxy.cut()
      await Promise.all([increment(store, 'b1'), store.query(books())])
    }
    expect(await priceOf(store, 'b1')).toBe(5)
  })

  test('a write that finds no connection for too long fails as unavailable, and the next is made once there is one', async () => {
    let lateMs = 0
    const ends = new Set<() => void>()
    const after: Clock['after'] = (ms, call, keepsAlive) => (ms < maxWaitMs ? processClock.after(ms, call, keepsAlive) : (ends.add(call), () => void ends.delete(call)))
    const { store, proxy } = await openDisturbed({ clock: { ...processClock, now: () => processClock.now() + lateMs, after } })
    proxy.cutEarly(Infinity, 1)
    const writing = expect(store.write([book('b1')])).rejects.toBeInstanceOf(StoreUnavailableError)
    lateMs = maxWaitMs
    for (const end of ends) end()
    await writing
    proxy.cutEarly(0, 1)
    await store.write([book('b2')])
    expect(idsOf(await store.query(books()))).toEqual(['b2'])
  })

  test('a plan that is interrupted by the end of its connection runs again', async () => {
    const { store, sql, schema } = await openDisturbed()
    const beside = postgres(await postgresUrl(), { max: 1, onnotice: () => undefined })
    onTestFinished(() => beside.end())
    const [[besidePid] = []] = await beside`SELECT pg_backend_pid(), pg_advisory_lock(hashtext(${schema}))`.values()
    await store.write([book('b1', { price: 0 })])
    let runs = 0
    await store.atomically(async () => {
      const price = await priceOf(store, 'b1')
      if (runs++ === 0) await sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid::bigint << 32 | objid::bigint = ${writeLockKey(schema)}::bigint`
      return [book('b1', { price: price + 1 })]
    })
    expect([runs, await priceOf(store, 'b1')]).toEqual([2, 1])
    // Other tests hold locks on this server.
    expect(await beside`SELECT pg_backend_pid()`.values()).toEqual([[besidePid]])
  })

  test('a write that the database refuses fails alone, and those that share its commit are made', async () => {
    const { store, sql, schema } = await openDisturbed()
    await sql.unsafe(`ALTER TABLE "${schema}".books ADD CONSTRAINT cheap CHECK ((json ->> 'price')::numeric < 100)`)
    const outcomes = await Promise.allSettled([1, 2, 300, 4].map((price) => store.write([book(`b${price}`, { price })])))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(idsOf(await store.query(books()))).toEqual(['b1', 'b2', 'b4'])
  })

  test('while there is no server a read fails at the deadline of its operation, as unavailable', async () => {
    const { store, proxy } = await openDisturbed()
    await proxy.close()
    const operation = new OperationContext({ id: 'o1', deadlines: new Deadlines(300) })
    await expect(operation.enter(async () => store.query(books()))).rejects.toBeInstanceOf(StoreUnavailableError)
  })

  test('reads that give up before they are connected take no connection from later ones', async () => {
    const { store, proxy } = await openDisturbed()
    const release = proxy.hold()
    const operation = new OperationContext({ id: 'o1', deadlines: new Deadlines(200) })
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => operation.enter(async () => store.query(books()))))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    release()
    expect(await store.query(books())).toEqual([])
  })

  test('a read fails at its deadline although the server cannot be told to cancel it', async () => {
    const { store, proxy, sql, schema } = await openDisturbed()
    await store.query(books())
    const release = await lockBooks(sql, schema)
    proxy.refuse()
    const operation = new OperationContext({ id: 'o1', deadlines: new Deadlines(200) })
    await expect(operation.enter(async () => store.query(books()))).rejects.toBeInstanceOf(StoreUnavailableError)
    await release()
  })

  test('a statement that nobody waits for any more is cancelled in the server', async () => {
    const { store, sql, schema } = await openDisturbed()
    await store.write([book('b1')])
    const release = await lockBooks(sql, schema)
    const operation = new OperationContext({ id: 'o1', deadlines: new Deadlines(200) })
    await expect(operation.enter(async () => store.query(books()))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await expect.poll(async () => (await sql`SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND wait_event_type = 'Lock' AND query LIKE ${`%${schema}%`}`).length).toBe(0)
    await release()
  })

  test('more reads than the pool can take are refused rather than kept', async () => {
    const { store } = await openDisturbed()
    const outcomes = await Promise.allSettled(Array.from({ length: 300 }, async () => store.query(books())))
    const refused = outcomes.filter(({ status }) => status === 'rejected').map((outcome) => (outcome as PromiseRejectedResult).reason as unknown)
    // Two connections with a hundred each.
    expect(refused).toHaveLength(100)
    for (const error of refused) expect(error).toBeInstanceOf(StoreOverloadedError)
  })
})
