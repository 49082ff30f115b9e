// Writers of one store, one after the other; those that wait at the same time share a transaction, and so the commit, which takes most of
// the time of a small write. A lock of the database keeps the writers of other gateways out from the first read of the first plan until
// the commit is visible, so a plan needs no other protection, and the feed's sequences are in the order of commits.
//
// A writer learns its result when the group has been committed. If a transaction is lost or interrupted before, its writers run again. If
// the answer to a commit is lost, the mark that the transaction leaves in `quire writers` tells whether it was made.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { checkNotInPlan } from '../../in-process/atomic-plan.ts'
import { maxWaitMs, type Connections } from '../request/connection.ts'
import { isConnectionLost, isInterrupted, postgresError } from '../request/errors.ts'
import { InDoubtError, StoreUnavailableError } from '../../store-errors.ts'
import { WriteTransaction, type TransactionParts } from './write-transaction.ts'

/** Enough to make the commit a small part of each write, and few enough that the first writer need not wait long. */
const maxGroup = { writers: 100, ms: 30 }

/** A plan that takes longer, perhaps because it waits for an earlier writer's result, no longer delays the earlier writers. */
const slowPlanMs = 50

/** How often a writer runs again. */
const maxTries = 20

/** Undefined if the transaction ended before the work could write: it runs again. */
type Work = (transaction: WriteTransaction) => Promise<unknown>

interface Writer {
  readonly work: Work
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
  readonly untilMs: number
  tries: number
  /** It has failed in a group, so it runs by itself, where the error is its own. */
  isAlone: boolean
}

export class WriteQueue {
  readonly #connections: Connections
  readonly #parts: TransactionParts
  readonly #lock: string
  readonly #waiting: Writer[] = []
  #isServing = false
  #current: WriteTransaction | undefined

  constructor(connections: Connections, parts: TransactionParts, lock: string) {
    this.#connections = connections
    this.#parts = parts
    this.#lock = lock
  }

  /** The transaction that is open, for the reads of its plans. */
  get current(): WriteTransaction | undefined {
    return this.#current?.isOpen ? this.#current : undefined
  }

  /** Runs the work while no other writer does, and resolves when its writes are committed. */
  async run<Answer>(work: (transaction: WriteTransaction) => Promise<Answer | undefined>): Promise<Answer> {
    checkNotInPlan(this.#lock)
    this.#connections.checkOpen()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.push({ work: inCallersContext(work), resolve, reject, untilMs: this.#connections.clock.now() + maxWaitMs, tries: 0, isAlone: false })
    if (!this.#isServing) void this.#serve()
    return promise as Promise<Answer>
  }

  async #serve(): Promise<void> {
    this.#isServing = true
    while (this.#waiting.length > 0) await this.#serveGroup()
    this.#isServing = false
  }

  async #serveGroup(): Promise<void> {
    const done: Outcome[] = []
    let transaction: WriteTransaction
    try {
      transaction = this.#current = await WriteTransaction.begin(this.#connections, this.#parts)
    } catch (error) {
      return this.#pauseAfter(error)
    }
    try {
      await this.#runWriters(transaction, done)
      await transaction.commit()
      for (const { tell } of done) tell()
    } catch (error) {
      // Unless it is in doubt, nothing of the transaction was written.
      for (const { writer } of done.toReversed()) {
        if (error instanceof InDoubtError) writer.reject(error)
        else this.#requeue(writer)
      }
      if (isConnectionLost(error)) await this.#pauseAfter(error)
    } finally {
      this.#current = undefined
      await transaction.end()
    }
  }

  async #runWriters(transaction: WriteTransaction, done: Outcome[]): Promise<void> {
    const untilMs = this.#connections.clock.now() + maxGroup.ms
    for (let writer = this.#next(done); writer; writer = this.#next(done)) {
      await this.#runWriter(transaction, writer, done)
      if (!transaction.isOpen || writer.isAlone) return
      if (this.#waiting.length === 0) await nextTurn()
      if (done.length >= maxGroup.writers || this.#connections.clock.now() > untilMs) return
    }
  }

  /** A writer that runs alone is first in its group, and last. */
  #next(done: readonly Outcome[]): Writer | undefined {
    return done.length > 0 && this.#waiting[0]?.isAlone ? undefined : this.#waiting.shift()
  }

  /** Throws if the transaction has failed, so that all of its writers run again. */
  async #runWriter(transaction: WriteTransaction, writer: Writer, done: Outcome[]): Promise<void> {
    let early: Promise<void> | undefined
    transaction.beginPlan()
    const stopTimer = done.length === 0 ? undefined : this.#connections.clock.after(slowPlanMs, () => {
      if (!transaction.isPlanning) return
      early = transaction.commit().then(() => done.splice(0).forEach(({ tell }) => tell()))
      early.catch(() => undefined)
    }, true)
    const result = await writer.work(transaction).then((answer) => ({ answer }), (error: unknown) => ({ error }))
    stopTimer?.()
    // The writers before it have been committed, and others may have written what its plan has read.
    if (early || !transaction.isOpen) {
      this.#requeue(writer)
      return early
    }
    if (transaction.failure !== undefined) {
      this.#afterFailure(writer, transaction.failure, done.length === 0)
      throw transaction.failure
    }
    // An error that is not the database's may be due to what an earlier writer has written, and is true only if that is committed.
    done.push({ writer, tell: () => ('error' in result ? writer.reject(result.error) : writer.resolve(result.answer)) })
  }

  /** The database refused a statement, or the connection was lost. What it refuses to one writer alone is that writer's own error. */
  #afterFailure(writer: Writer, failure: unknown, isFirst: boolean): void {
    if (isConnectionLost(failure) || isInterrupted(failure)) return this.#requeue(writer)
    if (isFirst) return writer.reject(postgresError(failure))
    writer.isAlone = true
    this.#requeue(writer)
  }

  #requeue(writer: Writer): void {
    if (++writer.tries >= maxTries) writer.reject(new StoreUnavailableError('The write was interrupted too often. Nothing was written; try again.'))
    else this.#waiting.unshift(writer)
  }

  /** The store takes no writes at the moment. Writers that have waited too long are refused. */
  async #pauseAfter(error: unknown): Promise<void> {
    const { clock } = this.#connections
    const canWait = isConnectionLost(error) || isInterrupted(error)
    for (const writer of this.#waiting.splice(0)) {
      if (canWait && writer.untilMs > clock.now()) this.#waiting.push(writer)
      else writer.reject(postgresError(error))
    }
    await clock.pause(10 + clock.random() * 90)
  }
}

interface Outcome {
  readonly writer: Writer
  readonly tell: () => void
}

/** The work in the async context of the caller, although another writer may start it. */
function inCallersContext<Answer>(work: (transaction: WriteTransaction) => Promise<Answer>): Work {
  const inContext = AsyncLocalStorage.bind(work)
  return (transaction) => inContext(transaction)
}
