// Writers of one store, one after the other; those that wait at the same time share a commit. Most of the time of a small
// write is the commit, because the disk has to confirm it, so sharing one is much faster.
//
// Each writer gets the same guarantees as if it were alone. Its plan reads committed documents and those that earlier
// writers of the group have written; no other reader sees the latter. A writer gets its result only when the group has
// been committed, whether it succeeded or failed: an error may be due to what another writer of the group has written,
// and is true only if that is committed. A writer that fails is undone alone. If the commit fails, all have failed.
//
// A writer with many documents leaves the group (write-apart.ts): those before it are committed, and those that wait are
// served when it has ended.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { InDoubtError, StoreUnavailableError } from '../store-errors.ts'
import { withLock } from './with-lock.ts'
import { checkNotInPlan } from './atomic-plan.ts'

/** The transactions of an engine, as group commits use them. */
export interface TransactionEngine {
  readonly clock: Clock
  /** Engines with the same lock write one after the other. */
  readonly lock: unknown
  /** How many writers may share a commit: 1 if other readers would see uncommitted writes. */
  readonly maxWritersPerCommit: number
  /** Starts a transaction, in which no other process writes. False if another process is writing; within this process the lock is held already. */
  begin(): boolean
  /** Whether the transaction is still open: a write can fail so badly that the database rolls everything back. */
  isInTransaction(): boolean
  /** Makes the writes of the transaction durable and visible, and ends it. */
  commit(): void
  /** The same, and starts the next transaction. False if another process has written in between. */
  commitAndBegin(): boolean
  /** Undoes uncommitted writes and ends the transaction. */
  rollback(): void
}

/** How long a writer waits for another process, which may be writing a large changeset. As long as a request may take by default. */
export const maxWaitMs = 30_000

/** A group that is older than this takes no more writers, so that its first writer does not wait too long. About thirty writers with their effects fit in. */
const maxGroupMs = 30

/** After this time a group lets the event loop run, so that pending reads are served and new writers can join. */
const maxTurnMs = 5

/** A plan that takes longer than this, perhaps because it waits for an earlier writer's result, no longer delays the earlier writers. */
const slowPlanMs = 20

/** What the work of a writer knows of its group. */
export interface Turn {
  /** Whether the transaction has ended, so that others may have written since the work read something. */
  readonly hasEnded: boolean
  /** Commits the writers before this one and ends the transaction. The writer still keeps all others of this process out. */
  leave(): void
}

interface Writer {
  readonly work: (turn: Turn) => Promise<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

export class GroupCommit {
  readonly #engine: TransactionEngine
  readonly #waiting: Writer[] = []
  #isServing = false

  constructor(engine: TransactionEngine) {
    this.#engine = engine
  }

  /** Runs the work while nobody else writes, and resolves when its writes are committed. */
  async run<Answer>(work: (turn: Turn) => Promise<Answer>): Promise<Answer> {
    checkNotInPlan(this.#engine.lock)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.push({ work: inCallersContext(work), resolve, reject })
    this.#serveWaiting()
    return promise as Promise<Answer>
  }

  #serveWaiting(): void {
    if (this.#isServing || this.#waiting.length === 0) return
    this.#isServing = true
    void this.#serveWithLock()
  }

  async #serveWithLock(): Promise<void> {
    try {
      await withLock(this.#engine.lock, () => this.#serve())
    } catch {
      // All writers of the group have been told their outcome, and the next writer will meet the error itself.
    } finally {
      this.#isServing = false
      // Writers that came too late for this group queue behind those of other stores with the same lock.
      this.#serveWaiting()
    }
  }

  async #serve(): Promise<void> {
    try {
      await beginPatiently(this.#engine)
    } catch (error) {
      for (const writer of this.#waiting.splice(0)) writer.reject(error)
      this.#engine.rollback()
      return
    }
    const group = new Group(this.#engine)
    for (let writer = this.#waiting.shift(); writer; writer = await this.#next(group)) await group.add(writer)
    group.end()
  }

  /** The next writer of a group: one that waits, or that comes while the event loop handles requests that have already arrived. */
  async #next(group: Group): Promise<Writer | undefined> {
    if (group.isFull || !this.#engine.isInTransaction()) return undefined
    if (this.#waiting.length === 0 || group.isTurnOver) {
      await nextTurn()
      group.beginTurn()
    }
    return this.#waiting.shift()
  }
}

/** The writers that share a commit, and the outcome of each, which it is told after the commit. */
class Group implements Turn {
  readonly #engine: TransactionEngine
  readonly #beganMs: number
  #turnBeganMs: number
  #size = 0
  #hasEnded = false
  #outcomes: Outcome[] = []
  #endSlowPlanTimer: (() => void) | undefined

  constructor(engine: TransactionEngine) {
    this.#engine = engine
    this.#beganMs = this.#turnBeganMs = engine.clock.now()
  }

  get isFull(): boolean {
    return this.#size >= this.#engine.maxWritersPerCommit || this.#engine.clock.now() - this.#beganMs > maxGroupMs
  }

  get isTurnOver(): boolean {
    return this.#engine.clock.now() - this.#turnBeganMs > maxTurnMs
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  beginTurn(): void {
    this.#turnBeganMs = this.#engine.clock.now()
  }

  async add({ work, resolve, reject }: Writer): Promise<void> {
    this.#size++
    this.#watchForSlowPlan()
    const outcome = await work(this).then(
      (answer): Outcome => ({ tell: () => resolve(answer), reject }),
      (error: unknown): Outcome => ({ error, tell: () => reject(error), reject }),
    )
    this.#outcomes.push(outcome)
    if (!this.#hasEnded && !this.#engine.isInTransaction()) this.#failAll(lostTransaction(outcome.error), outcome)
  }

  end(): void {
    this.#endSlowPlanTimer?.()
    this.#commitAndTell(() => {
      if (!this.#hasEnded) this.#engine.commit()
    })
    this.#engine.rollback()
  }

  leave(): void {
    this.#endSlowPlanTimer?.()
    const failure = this.#commitAndTell(() => this.#engine.commit())
    this.#hasEnded = true
    this.#engine.rollback()
    // Its plan may have seen what is now undone.
    if (failure !== undefined) throw lostTransaction(failure)
  }

  /** When a plan is slow, the writers before it are committed and told. The plan goes on, with no other write in between if possible. */
  #watchForSlowPlan(): void {
    this.#endSlowPlanTimer?.()
    if (this.#outcomes.length > 0) this.#endSlowPlanTimer = this.#engine.clock.after(slowPlanMs, () => this.#commitSlowly(), true)
  }

  #commitSlowly(): void {
    const failure = this.#commitAndTell(() => {
      this.#hasEnded = !this.#engine.commitAndBegin()
    })
    if (failure !== undefined) this.#hasEnded = true
  }

  /** Returns the error of a commit that failed. */
  #commitAndTell(commit: () => void): unknown {
    try {
      if (this.#outcomes.length > 0) commit()
    } catch (error) {
      this.#failAll(error)
      return error
    }
    for (const { tell } of this.#outcomes.splice(0)) tell()
    return undefined
  }

  /**
   * Their writes are undone. The writer that caused it gets its own error, and so does the first writer, since nobody
   * wrote before it. The errors of the others may be due to writes that are now undone, so they get the group's error.
   */
  #failAll(error: unknown, cause?: Outcome): void {
    for (const [at, outcome] of this.#outcomes.splice(0).entries()) {
      if (outcome.error !== undefined && (at === 0 || outcome === cause)) outcome.tell()
      else outcome.reject(error)
    }
  }
}

interface Outcome {
  readonly error?: unknown
  readonly tell: () => void
  readonly reject: (error: unknown) => void
}

export function lostTransaction(cause?: unknown): StoreUnavailableError {
  return new StoreUnavailableError('The store rolled the transaction back before it was committed. Nothing was written; try again.', { cause })
}

export function inDoubt(cause: unknown): InDoubtError {
  return new InDoubtError(`${cause instanceof Error ? cause.message : String(cause)} The commit failed, and it is not known whether anything was written.`, { cause })
}

/** Waits for another process by trying again after a random pause, so that reads and other requests go on meanwhile. */
async function beginPatiently(engine: TransactionEngine): Promise<void> {
  const { clock } = engine
  const until = clock.now() + maxWaitMs
  while (!engine.begin()) {
    if (clock.now() > until) throw new StoreUnavailableError(`Cannot write: another process has locked the store for ${maxWaitMs} ms.`)
    await clock.pause(1 + clock.random() * 9)
  }
}

/**
 * The work in the async context of the caller, although another writer may start it. A promise's continuation keeps the
 * context in which it was attached. AsyncLocalStorage.snapshot() would be the plain way, and takes many times as long.
 */
function inCallersContext<Answer>(work: (turn: Turn) => Promise<Answer>): (turn: Turn) => Promise<Answer> {
  const { promise: started, resolve: start } = Promise.withResolvers<Turn>()
  const answer = started.then(work)
  return (turn) => {
    start(turn)
    return answer
  }
}
