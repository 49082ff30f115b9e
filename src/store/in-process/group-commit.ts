// Writers of one store, one after the other; those that wait at the same time share a commit. Most of the time of a small
// write is the commit, because the disk has to confirm it, so sharing one is much faster.
//
// Each writer gets the same guarantees as if it were alone. Its plan reads committed documents and those that earlier
// writers of the group have written; no other reader sees the latter. A writer gets its result only when the group has
// been committed, whether it succeeded or failed: an error may be due to what another writer of the group has written,
// and is true only if that is committed. A writer that fails is undone alone. If the commit fails, all have failed.
//
// A writer with many documents leaves the group (large-changesets.ts): those before it are committed, and those that wait are
// served when it has ended.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailableError } from '../store-errors.ts'
import { checkNotInPlan } from './atomic-plan.ts'
import { CommitGroup, type Turn, type Writer } from './commit-group.ts'
import type { TransactionEngine } from './transaction-engine.ts'
import { withLock } from './with-lock.ts'

/** How long a writer waits for another process, which may be writing a large changeset. As long as a request may take by default. */
export const maxWaitMs = 30_000

export class GroupCommit {
  readonly #engine: TransactionEngine
  readonly #waiting: Writer[] = []
  #isServing = false

  constructor(engine: TransactionEngine) {
    this.#engine = engine
  }

  /** Runs the work while no other writer does, and resolves when its writes are committed. */
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
    const group = new CommitGroup(this.#engine)
    for (let writer = this.#waiting.shift(); writer; writer = await this.#next(group)) await group.add(writer)
    group.end()
  }

  /** The next writer of a group: one that waits, or that comes while the event loop handles requests that have already arrived. */
  async #next(group: CommitGroup): Promise<Writer | undefined> {
    if (group.isFull || !this.#engine.isInTransaction()) return undefined
    if (this.#waiting.length === 0 || group.isTurnOver) {
      await nextTurn()
      group.beginTurn()
    }
    // Whatever has happened in that turn, a writer is served in a transaction only.
    return this.#engine.isInTransaction() ? this.#waiting.shift() : undefined
  }
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
