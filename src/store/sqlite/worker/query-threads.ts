// Runs long queries on a few threads, each with its own connection, so that other requests go on meanwhile. A thread starts
// when it is first needed. It sees everything that was committed before, and its errors are those of a connection here.
//
// Turns are fair by what a statement takes, which is unknown before it has run. So each statement gets a short turn first. If
// it is not done by the end, it is stopped, joins the long ones and begins again there; the next time it joins them at once.
// Long ones never run on the last thread, so a short one waits for short ones alone, however many long ones there are.
// Long ones are served in the order in which they came. Those that would wait too long are refused, and so are those that
// are too many: each holds a place among the operations of the gateway while it waits.
//
// The way to a thread and back takes about fifty microseconds, in which SQLite looks at about a hundred index entries,
// and rows have to be copied between the threads. So only queries that look at many rows and return few gain by it.

import { currentOperation, type OperationContext } from '../../operation-context.ts'
import { StoreOverloadedError } from '../../store-errors.ts'
import type { Row } from '../connection.ts'
import type { Sql } from '../sql/sql-fragment.ts'
import { sqliteError } from '../sqlite-errors.ts'
import { StoppableThread } from './stoppable-thread.ts'

export interface QueryThreadsOptions {
  /** A query that may have to look at more documents than this is long. */
  readonly longRows?: number | undefined
  readonly threads?: number | undefined
  /** How long a query may wait for its turn. */
  readonly maxWaitMs?: number | undefined
}

/** SQLite looks at so many documents in some milliseconds, or in some ten if it has to look into them. */
const defaultLongRows = 2000

/** One for short turns and one for long ones: a thread with its connection takes about 20 MB. */
const defaultThreads = 2

/** How many queries may wait for each thread. Long ones are well below the operations that a gateway runs at once. */
const maxWaitingPerThread = { short: 100, long: 32 }

/** A short turn: so many thousand rows. SQLite looks at them in some milliseconds, or in some ten if it has to look into each. */
const shortTurn = 8

/** How often to look for cancelled queries. */
const lookEveryMs = 25

/** How many statements are known to be long. */
const maxKnown = 256

interface QueuedQuery {
  readonly sql: Sql
  readonly operationContext: OperationContext | undefined
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: unknown) => void
  /** Since it waits or runs. */
  sinceMs: number
}

interface RunningQuery extends QueuedQuery {
  readonly turn: Turn
  isStopped: boolean
}

type Turn = 'short' | 'long'

export class QueryThreads {
  readonly longRows: number
  readonly #file: string
  readonly #maxWaitMs: number
  readonly #threads: readonly StoppableThread<RunningQuery>[]
  readonly #waiting: Readonly<Record<Turn, Set<QueuedQuery>>> = { short: new Set(), long: new Set() }
  /** The texts of statements that were not done after a short turn. */
  readonly #long = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(file: string, { longRows = defaultLongRows, threads = defaultThreads, maxWaitMs = 2000 }: QueryThreadsOptions = {}) {
    this.#file = file
    this.longRows = longRows
    this.#maxWaitMs = maxWaitMs
    this.#threads = Array.from({ length: threads }, () => new StoppableThread<RunningQuery>(file, {
      rows: (query, rows, steps) => this.#answered(query, steps, () => query.resolve(rows)),
      failed: (query, error) => this.#answered(query, Infinity, () => query.reject(this.#error(error.message, error.errcode))),
      stopped: (query) => this.#begunAgain(query),
    }))
  }

  all(sql: Sql): Promise<readonly Row[]> {
    if (this.#isClosed) return Promise.reject(this.#error('database is not open'))
    const turn = this.#long.has(sql.text) ? 'long' : 'short'
    if (this.#isFull(turn)) return Promise.reject(refused(currentOperation()))
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>()
    this.#waiting[turn].add({ sql, operationContext: currentOperation(), resolve, reject, sinceMs: performance.now() })
    this.#serve()
    return promise
  }

  /** What runs is answered, unless its deadline passes; what waits is not. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const queries of Object.values(this.#waiting)) for (const query of queries) {
      queries.delete(query)
      query.reject(this.#error('database is not open'))
    }
    await Promise.all(this.#threads.map((thread) => thread.close()))
    clearInterval(this.#timer)
  }

  #serve(): void {
    for (const [at, thread] of this.#threads.entries()) {
      if (thread.running) continue
      const next = this.#next('short') ?? (at > 0 || this.#threads.length === 1 ? this.#next('long') : undefined)
      if (next) thread.run({ ...next.query, turn: next.turn, isStopped: false, sinceMs: performance.now() }, next.query.sql, next.turn === 'short' ? shortTurn : Infinity)
    }
    const isIdle = this.#threads.every(({ running }) => !running)
    if (isIdle) {
      clearInterval(this.#timer)
      this.#timer = undefined
    } else this.#timer ??= setInterval(() => this.#look(), lookEveryMs).unref()
  }

  /** The next query of a kind whose operation has not been stopped; those before it are rejected. */
  #next(turn: Turn): { readonly query: QueuedQuery; readonly turn: Turn } | undefined {
    for (const query of this.#waiting[turn]) {
      this.#waiting[turn].delete(query)
      const reason = stopReason(query)
      if (reason === undefined) return { query, turn }
      query.reject(reason)
    }
    return undefined
  }

  /** From time to time while queries run: ends cancelled queries, and waits that are too long. */
  #look(): void {
    const nowMs = performance.now()
    for (const thread of this.#threads) {
      const query = thread.running
      if (!query || query.isStopped) continue
      const reason = stopReason(query)
      if (reason === undefined) continue
      query.reject(reason)
      query.isStopped = true
      thread.stop()
    }
    for (const queries of Object.values(this.#waiting)) for (const query of queries) {
      const reason = stopReason(query) ?? (nowMs - query.sinceMs > this.#maxWaitMs ? refused(query.operationContext) : undefined)
      if (reason === undefined) continue
      queries.delete(query)
      query.reject(reason)
    }
  }

  #answered(query: RunningQuery, steps: number, tell: () => void): void {
    // Values differ and data changes: what was long once may be short now.
    if (query.turn === 'long' && steps <= shortTurn) this.#long.delete(query.sql.text)
    tell()
    if (!this.#isClosed) this.#serve()
  }

  /** After the end of its short turn, or because it was cancelled. */
  #begunAgain(query: RunningQuery): void {
    if (this.#isClosed) return query.reject(this.#error('database is not open'))
    const reason = stopReason(query)
    // The client may have gone since the last look. A query that is never rejected would hold its place for ever.
    if (reason) query.reject(reason)
    else {
      this.#long.add(query.sql.text)
      if (this.#long.size > maxKnown) this.#long.delete(this.#long.values().next().value!)
      this.#waitLong({ ...query, sinceMs: performance.now() })
      // Of the same statement, all that came before this was known.
      for (const other of this.#waiting.short) if (other.sql.text === query.sql.text && this.#waiting.short.delete(other)) this.#waitLong(other)
    }
    this.#serve()
  }

  #waitLong(query: QueuedQuery): void {
    if (this.#isFull('long')) query.reject(refused(query.operationContext))
    else this.#waiting.long.add(query)
  }

  #isFull(turn: Turn): boolean {
    return this.#waiting[turn].size >= maxWaitingPerThread[turn] * this.#threads.length
  }

  #error(message: string, errcode?: number): Error {
    return sqliteError(this.#file, 'read', Object.assign(new Error(message), { errcode }))
  }
}

/** The whole operation is refused: to answer the rest of it would be in vain, and to ask again would take a turn from others. */
function refused(operationContext: OperationContext | undefined): StoreOverloadedError {
  const reason = new StoreOverloadedError()
  operationContext?.refuse(reason)
  return reason
}

/** Why a query was cancelled. */
function stopReason({ operationContext }: QueuedQuery): Error | undefined {
  return operationContext?.stopReason()
}
