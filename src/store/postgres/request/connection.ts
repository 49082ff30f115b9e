// The connections of a store: a pool for reads, which is bounded, and one connection for writes. A read that a lost connection has ended is
// sent again, after a pause, for as long as its operation may take. What a lost connection does to a write is decided in write/.

import postgres from 'postgres'
import { processClock, type Clock } from '../../../clock.ts'
import { currentOperation } from '../../operation-context.ts'
import { StoreOverloadedError, StoreUnavailableError } from '../../store-errors.ts'
import { numbered, type Sql } from '../sql/sql-fragment.ts'
import { isConnectionLost, postgresError } from './errors.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { RunningQueries } from './running-queries.ts'

export type Row = readonly unknown[]
export type Run = (statement: Sql) => Promise<readonly Row[]>
export type Database = postgres.Sql
export type Reserved = postgres.ReservedSql

export interface ConnectionOptions {
  /** As the driver takes it. */
  readonly url: string
  /** The most connections for reads. */
  readonly pool: number
  /** Whether statements are prepared: not behind a pool that gives each statement another connection. */
  readonly prepares: boolean
  readonly clock?: Clock
}

/** How long a read without a deadline may take, and a writer may wait. */
export const maxWaitMs = 30_000

/** The most reads that run or wait, for each connection. */
const maxPerConnection = 100

const secondsBetweenTries = (tries: number): number => Math.min(1, 0.01 * 2 ** Math.min(tries, 8)) * (0.5 + Math.random())

/**
 * A driver with the settings that all connections share. JIT would compile statements that take less time than compiling. The driver needs
 * no types, but reserves a new connection only if it fetches them.
 */
export function openDatabase({ url, prepares }: ConnectionOptions, max: number, parameters: Record<string, string | number>, reserves = false, onclose = (): void => undefined): Database {
  return postgres(url, {
    max, prepare: prepares, fetch_types: reserves, connect_timeout: 10, idle_timeout: 300, keep_alive: 10, backoff: secondsBetweenTries, onnotice: () => undefined, onclose,
    connection: { application_name: 'quire', client_min_messages: 'warning', jit: 'off', ...parameters },
  })
}

export class Connections {
  readonly clock: Clock
  readonly name: string
  readonly #options: ConnectionOptions
  readonly #prepared: PreparedStatements
  readonly #running: RunningQueries
  #pool: Database
  #writer: Writer | undefined
  #closing: Promise<void> | undefined

  constructor(options: ConnectionOptions) {
    this.clock = options.clock ?? processClock
    this.#options = options
    this.#pool = openPool(options)
    const { host, port, database } = this.#pool.options
    this.name = `${host.join()}:${port.join()}/${database}`
    this.#prepared = new PreparedStatements(options.prepares)
    this.#running = new RunningQueries(this.clock)
  }

  /** One statement on a connection of the pool. */
  read: Run = async (statement) => {
    const operation = currentOperation()
    operation?.check()
    const untilMs = this.clock.now() + Math.min(maxWaitMs, operation?.remainingMs ?? maxWaitMs)
    for (let tries = 0; ; tries++) {
      this.checkOpen()
      try {
        return await this.#readOnce(this.#pool, statement, untilMs)
      } catch (error) {
        const pauseMs = secondsBetweenTries(tries) * 1000
        if (!isConnectionLost(error) || this.#closing || this.clock.now() + pauseMs > untilMs) throw postgresError(error)
        await this.clock.pause(pauseMs)
        operation?.check()
      }
    }
  }

  async #readOnce(pool: Database, statement: Sql, untilMs: number): Promise<readonly Row[]> {
    if (this.#running.size >= this.#options.pool * maxPerConnection) throw new StoreOverloadedError()
    const text = numbered(statement)
    const query = pool.unsafe(text, statement.values as never[], { prepare: this.#prepared.has(text) }).values()
    this.#running.add(query, untilMs)
    try {
      return await query
    } catch (error) {
      if (isConnectionLost(error)) this.#replace(pool)
      throw error
    } finally {
      this.#running.delete(query)
    }
  }

  /** A driver that was about to send something when its connection ended never sends anything again on that connection. */
  #replace(pool: Database): void {
    if (pool !== this.#pool || this.#closing) return
    this.#pool = openPool(this.#options)
    // What other connections still read may end.
    void pool.end({ timeout: 5 })
  }

  /** The connection for writes, until it is released. One at a time. */
  async reserve(): Promise<WriteConnection> {
    this.checkOpen()
    if (this.#writer?.isLost) void this.#writer.database.end({ timeout: 0 })
    if (!this.#writer || this.#writer.isLost) this.#writer = openWriter(this.#options)
    const writer = this.#writer
    try {
      return new WriteConnection(writer, await writer.database.reserve(), this.#prepared)
    } catch (error) {
      writer.isLost = true
      throw error
    }
  }

  checkOpen(): void {
    if (this.#closing) throw new StoreUnavailableError('The store has been closed.')
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all([this.#pool.end({ timeout: 5 }), this.#writer?.database.end({ timeout: 5 })]).then(() => this.#running.close())
    return this.#closing
  }
}

function openPool(options: ConnectionOptions): Database {
  return openDatabase(options, options.pool, { statement_timeout: maxWaitMs, default_transaction_read_only: 'on' })
}

/** A driver with one connection, which is not used again once it has ended. */
interface Writer {
  readonly database: Database
  isLost: boolean
  /** What waits for an answer: the driver tells it of some ends only. */
  readonly onLost: Set<(error: Error) => void>
}

function openWriter(options: ConnectionOptions): Writer {
  const writer: Writer = {
    isLost: false,
    onLost: new Set(),
    database: openDatabase(options, 1, { lock_timeout: maxWaitMs, idle_in_transaction_session_timeout: 2 * maxWaitMs }, true, () => {
      writer.isLost = true
      for (const reject of writer.onLost) reject(lostConnection())
    }),
  }
  return writer
}

/** The one connection that writes. Statements are sent without waiting for each other. */
export class WriteConnection {
  #isReleased = false
  readonly #writer: Writer
  readonly #reserved: Reserved
  readonly #prepared: PreparedStatements

  constructor(writer: Writer, reserved: Reserved, prepared: PreparedStatements) {
    this.#writer = writer
    this.#reserved = reserved
    this.#prepared = prepared
  }

  /** The driver would wait for ever for the answer of a connection that has ended. */
  run: Run = async (statement) => {
    if (this.#writer.isLost || this.#isReleased) throw lostConnection()
    const text = numbered(statement)
    const lost = Promise.withResolvers<never>()
    this.#writer.onLost.add(lost.reject)
    try {
      return await Promise.race([this.#reserved.unsafe(text, statement.values as never[], { prepare: this.#prepared.has(text) }).values(), lost.promise])
    } finally {
      this.#writer.onLost.delete(lost.reject)
    }
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    if (!this.#writer.isLost) this.#reserved.release()
  }
}

function lostConnection(): Error {
  return Object.assign(new Error('The connection has ended.'), { code: 'CONNECTION_CLOSED' })
}
