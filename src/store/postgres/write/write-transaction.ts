// One transaction of a group of writers: the lock that keeps others out, the sequences of the feed, and the mark by which a commit whose
// answer was lost is told from one that was not made.

import { InDoubtError } from '../../store-errors.ts'
import { maxWaitMs, type Connections, type Row, type WriteConnection } from '../request/connection.ts'
import { isConnectionLost } from '../request/errors.ts'
import type { FeedStatements } from '../sql/feed-sql.ts'
import { raw, sql, type Sql } from '../sql/sql-fragment.ts'

export interface TransactionParts {
  readonly feed: FeedStatements
  /** The key of the lock that all writers of a schema share. */
  readonly lockKey: string
  /** Names this store among the writers of its schema. */
  readonly writer: string
}

export class WriteTransaction {
  /** Why the database will not commit it. */
  failure: unknown
  readonly #connections: Connections
  readonly #parts: TransactionParts
  readonly #connection: WriteConnection
  #state: 'open' | 'committing' | 'ended' = 'open'
  #isPlanning = true
  #hasWritten = false
  #sequence = 0
  #sequenceBefore = 0
  #at = 0

  /** Waits until no other gateway writes. */
  static async begin(connections: Connections, parts: TransactionParts): Promise<WriteTransaction> {
    const connection = await connections.reserve()
    const transaction = new WriteTransaction(connections, parts, connection)
    try {
      // Sent together. Each statement sees what was committed before it began, so the state is read after the lock is held.
      const [, , [state]] = await Promise.all([connection.run(raw('BEGIN')), connection.run(lockSql(parts)), connection.run(parts.feed.state)])
      const [sequence, lastAt, now] = state as [number, number, number]
      transaction.#sequence = transaction.#sequenceBefore = sequence
      transaction.#at = Math.max(lastAt, Math.floor(now))
      return transaction
    } catch (error) {
      await transaction.end()
      throw error
    }
  }

  private constructor(connections: Connections, parts: TransactionParts, connection: WriteConnection) {
    this.#connections = connections
    this.#parts = parts
    this.#connection = connection
  }

  /** Whether its writes could still be committed together with more. */
  get isOpen(): boolean {
    return this.#state === 'open'
  }

  /** Whether its writer has written nothing yet. From its first look at what it will write, it is committed with the others or not at all. */
  get isPlanning(): boolean {
    return this.isOpen && this.#isPlanning
  }

  beginPlan(): void {
    this.#isPlanning = true
  }

  /** False if it is too late: the writers before have been committed, and others may have written since. */
  beginWrites(): boolean {
    this.#isPlanning = false
    return this.isOpen
  }

  /** The time of its changes. */
  get at(): number {
    return this.#at
  }

  /** The next sequence of the feed. */
  nextSequence(): number {
    return ++this.#sequence
  }

  /** The sequence of the newest change. */
  get sequence(): number {
    return this.#sequence
  }

  read = async (statement: Sql): Promise<readonly Row[]> => {
    try {
      return await this.#connection.run(statement)
    } catch (error) {
      this.failure ??= error
      throw error
    }
  }

  write(statement: Sql): Promise<readonly Row[]> {
    this.#hasWritten = true
    return this.read(statement)
  }

  /** Throws an error of a lost connection if nothing was written, and an InDoubtError if that is not known. */
  async commit(): Promise<void> {
    this.#state = 'committing'
    if (this.failure !== undefined) throw this.failure
    if (!this.#hasWritten) return this.end()
    const { feed, writer } = this.#parts
    const mark = nextMark()
    try {
      const statements = [...(this.#sequence > this.#sequenceBefore ? [feed.advance(this.#sequence, this.#at)] : []), feed.mark(writer, mark), raw('COMMIT')]
      await Promise.all(statements.map((statement) => this.#connection.run(statement)))
      this.#state = 'ended'
    } catch (error) {
      this.failure ??= error
      await this.end()
      if (!isConnectionLost(error) || !(await this.#wasMade(mark, error))) throw error
    }
  }

  /** Rolls it back unless it is committed. */
  async end(): Promise<void> {
    const isOver = this.#state === 'ended'
    this.#state = 'ended'
    if (!isOver) await this.#connection.run(raw('ROLLBACK')).catch(() => undefined)
    this.#connection.release()
  }

  /** Asked under the same lock, so the lost transaction has ended, either way. */
  async #wasMade(mark: number, cause: unknown): Promise<boolean> {
    const { clock } = this.#connections
    const untilMs = clock.now() + maxWaitMs
    for (;;) {
      let connection: WriteConnection | undefined
      try {
        connection = await this.#connections.reserve()
        const [, , [found]] = await Promise.all([connection.run(raw('BEGIN')), connection.run(lockSql(this.#parts)), connection.run(this.#parts.feed.markOf(this.#parts.writer))])
        await connection.run(raw('ROLLBACK'))
        return found?.[0] === mark
      } catch (error) {
        if (clock.now() > untilMs || !isConnectionLost(error)) throw new InDoubtError('The connection to PostgreSQL was lost during a commit, and it is unknown whether the commit succeeded.', { cause })
        await clock.pause(20 + clock.random() * 200)
      } finally {
        connection?.release()
      }
    }
  }
}

function lockSql({ lockKey }: TransactionParts): Sql {
  return sql`SELECT pg_advisory_xact_lock(${lockKey}::bigint)`
}

let marks = 0

/** Never the same twice in this process, whose stores have writers of their own. */
function nextMark(): number {
  return ++marks
}
