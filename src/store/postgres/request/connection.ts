// The connections of a store: a pool for reads, which is bounded, and one connection for writes. A read that a lost connection has ended is
// sent again, after a pause, for as long as its operation may take. What a lost connection does to a write is decided in write/.

import postgres from 'postgres'
import { processClock, type Clock } from '../../../clock.ts'
import { currentOperation } from '../../operation-context.ts'
import { StoreOverloadedError, StoreUnavailableError } from '../../store-errors.ts'
import { numbered, type Sql } from '../sql/sql-fragment.ts'
import { isConnectionLost, postgresError } from './errors.ts'
import { PreparedTexts } from './prepared-texts.ts'
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
  readonly #pool: Database
  readonly #writer: Database
  readonly #prepared: PreparedTexts
  readonly #running: RunningQueries
  readonly #maxReads: number
  #reserved: WriteConnection | undefined
  #closing: Promise<void> | undefined

  constructor(options: ConnectionOptions) {
    this.clock = options.clock ?? processClock
    this.#pool = openDatabase(options, options.pool, { statement_timeout: maxWaitMs, default_transaction_read_only: 'on' })
    this.#writer = openDatabase(options, 1, { lock_timeout: maxWaitMs, idle_in_transaction_session_timeout: 2 * maxWaitMs }, true, () => {
      if (this.#reserved) this.#reserved.isLost = true
    })
    this.#maxReads = options.pool * maxPerConnection
    this.#prepared = new PreparedTexts(options.prepares)
    this.#running = new RunningQueries(this.clock)
  }

  /** Names the database, for locks within this process. */
  get name(): string {
    const { host, port, database } = this.#pool.options
    return `${host.join()}:${port.join()}/${database}`
  }

  /** One statement on a connection of the pool. */
  read: Run = async (statement) => {
    const operation = currentOperation()
    operation?.check()
    const untilMs = this.clock.now() + Math.min(maxWaitMs, operation?.remainingMs ?? maxWaitMs)
    for (let tries = 0; ; tries++) {
      this.checkOpen()
      try {
        return await this.#readOnce(statement, untilMs)
      } catch (error) {
        const pauseMs = secondsBetweenTries(tries) * 1000
        if (!isConnectionLost(error) || this.#closing || this.clock.now() + pauseMs > untilMs) throw postgresError(error)
        await this.clock.pause(pauseMs)
        operation?.check()
      }
    }
  }

  async #readOnce(statement: Sql, untilMs: number): Promise<readonly Row[]> {
    if (this.#running.size >= this.#maxReads) throw new StoreOverloadedError()
    const text = numbered(statement)
    const query = this.#pool.unsafe(text, statement.values as never[], { prepare: this.#prepared.has(text) }).values()
    this.#running.add(query, untilMs)
    try {
      return await query
    } finally {
      this.#running.delete(query)
    }
  }

  /** The connection for writes, until it is released. One at a time. */
  async reserve(): Promise<WriteConnection> {
    this.checkOpen()
    const reserved = await this.#writer.reserve()
    return (this.#reserved = new WriteConnection(reserved, this.#prepared))
  }

  checkOpen(): void {
    if (this.#closing) throw new StoreUnavailableError('The store has been closed.')
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all([this.#pool.end({ timeout: 5 }), this.#writer.end({ timeout: 5 })]).then(() => this.#running.close())
    return this.#closing
  }
}

/** The one connection that writes. Statements are sent without waiting for each other. */
export class WriteConnection {
  isLost = false
  #isReleased = false
  readonly #reserved: Reserved
  readonly #prepared: PreparedTexts

  constructor(reserved: Reserved, prepared: PreparedTexts) {
    this.#reserved = reserved
    this.#prepared = prepared
  }

  /** The driver would wait for ever for the answer of a connection that has ended. */
  run: Run = async (statement) => {
    if (this.isLost || this.#isReleased) throw Object.assign(new Error('The connection has ended.'), { code: 'CONNECTION_CLOSED' })
    const text = numbered(statement)
    return this.#reserved.unsafe(text, statement.values as never[], { prepare: this.#prepared.has(text) }).values()
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    if (!this.isLost) this.#reserved.release()
  }
}
