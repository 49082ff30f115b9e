// The connections of a store: a pool for reads, which is bounded, and one connection for writes. A read that a lost connection has ended is
// sent again, after a pause, for as long as its operation may take. What a lost connection does to a write is decided in write/.

import postgres from 'postgres'
import { processClock, type Clock } from '../../../clock.ts'
import { currentOperation } from '../../operation-context.ts'
import { StoreOverloadedError, StoreUnavailableError } from '../../store-errors.ts'
import { numbered, type Sql } from '../sql/sql-fragment.ts'
import { isConnectionLost, postgresError } from './errors.ts'
import { cancelQuery, type DriverQuery } from './cancel-query.ts'
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

/** A driver with the settings that all connections share. JIT would compile statements that take less time than compiling. */
export function openDatabase({ url, prepares }: ConnectionOptions, max: number, parameters: Record<string, string | number>, onclose = (): void => undefined): Database {
  return postgres(url, {
    max, prepare: prepares, fetch_types: false, connect_timeout: 10, idle_timeout: 300, keep_alive: 10, backoff: secondsBetweenTries, onnotice: () => undefined, onclose,
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
    const running = { cancel: () => cancelQuery(query as unknown as DriverQuery) }
    this.#running.add(running, untilMs)
    try {
      return await query
    } catch (error) {
      if (isConnectionLost(error)) this.#replace(pool)
      throw error
    } finally {
      this.#running.delete(running)
    }
  }

  /** A driver that was about to send something when its connection ended never sends anything again on that connection. */
  #replace(pool: Database): void {
    if (pool !== this.#pool || this.#closing) return
    this.#pool = openPool(this.#options)
    // What other connections still read may end.
    void pool.end({ timeout: 5 })
  }

  /** The connection for writes, until it is released. One at a time. Throws if it ends before, or if there is none for too long. */
  async reserve(): Promise<WriteConnection> {
    this.checkOpen()
    if (!this.#writer || this.#writer.isLost) this.#writer = openWriter(this.#options)
    const writer = this.#writer
    const stopTimer = this.clock.after(maxWaitMs, () => lose(writer, 'CONNECT_TIMEOUT'), true)
    try {
      return new WriteConnection(writer, await unlessLost(writer, reserveOpen(writer)), this.#prepared)
    } catch (error) {
      lose(writer, 'CONNECTION_CLOSED')
      throw error
    } finally {
      stopTimer()
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

/** Its connections only read. With `target_session_attrs=read-write` they may not say so: the driver would take the server for a standby. */
function openPool(options: ConnectionOptions): Database {
  const pool = openDatabase(options, options.pool, { statement_timeout: maxWaitMs })
  const { target_session_attrs: attribute, connection } = pool.options
  if (attribute !== 'read-write') connection.default_transaction_read_only = true
  return pool
}

/** A driver with one connection, which is not used again once it has ended. */
interface Writer {
  readonly database: Database
  isConnected: boolean
  isLost: boolean
  /** What waits for the connection or an answer: the driver tells it of some ends only. */
  readonly onLost: Set<(error: Error) => void>
}

function openWriter(options: ConnectionOptions): Writer {
  const writer: Writer = {
    isConnected: false,
    isLost: false,
    onLost: new Set(),
    database: openDatabase(options, 1, { lock_timeout: maxWaitMs, idle_in_transaction_session_timeout: 2 * maxWaitMs }, () => lose(writer, 'CONNECTION_CLOSED')),
  }
  return writer
}

/** The driver reserves only a connection that is open, and opens one for the first statement. */
async function reserveOpen(writer: Writer): Promise<Reserved> {
  if (!writer.isConnected) await writer.database.unsafe('SELECT 1')
  writer.isConnected = true
  return writer.database.reserve()
}

function lose(writer: Writer, code: LostCode): void {
  if (writer.isLost) return
  writer.isLost = true
  for (const reject of writer.onLost) reject(lostConnection(code))
  // It would connect again and again.
  void writer.database.end({ timeout: 0 })
}

/** The driver would wait for ever for a connection, or the answer of one, that has ended. */
async function unlessLost<Answer>(writer: Writer, answer: Promise<Answer>): Promise<Answer> {
  const lost = Promise.withResolvers<never>()
  writer.onLost.add(lost.reject)
  try {
    return await Promise.race([answer, lost.promise])
  } finally {
    writer.onLost.delete(lost.reject)
  }
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

  run: Run = async (statement) => {
    if (this.#writer.isLost || this.#isReleased) throw lostConnection('CONNECTION_CLOSED')
    const text = numbered(statement)
    return unlessLost(this.#writer, this.#reserved.unsafe(text, statement.values as never[], { prepare: this.#prepared.has(text) }).values())
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    if (!this.#writer.isLost) this.#reserved.release()
  }
}

type LostCode = 'CONNECTION_CLOSED' | 'CONNECT_TIMEOUT'

function lostConnection(code: LostCode): Error {
  const message = code === 'CONNECT_TIMEOUT' ? `There was no connection for ${maxWaitMs / 1000} seconds.` : 'The connection has ended.'
  return Object.assign(new Error(message), { code })
}
