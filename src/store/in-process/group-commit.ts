// Writers of one store, one after the other, and those that wait at the same moment in one commit. A
// commit costs most of what a small write does, since the disk has to confirm it; shared, it costs each
// of them a part.
//
// What a writer may rely on is the same as if it were alone. Its plan reads what is committed and what
// the writers before it in the group have written, so it works on what will be there; nobody else sees
// any of that. It is answered once the commit is made, whether it has succeeded or failed: an error may
// be due to what another writer of the group has written, and is true only when that is. A writer that
// fails is undone alone. If the commit fails, all of them have failed.

import { setImmediate as othersTurn, setTimeout as pause } from 'node:timers/promises'
import { InDoubtError, StoreUnavailableError } from '../store.ts'
import { withLock } from '../with-lock.ts'
import { checkNotInPlan } from './atomic-plan.ts'

/** What writers need of an engine. */
export interface Writable {
  /** Engines with the same one write in turns. */
  readonly queue: unknown
  /** How many writers may share a commit: 1 where others would see what they write before it is made. */
  readonly mostInCommit: number
  /** From here to `release` only this engine writes. False when another process has it; it has its turn already. */
  hold(): boolean
  /** Whether it still does, with all that was written since: a write can fail so badly that everything is undone. */
  isHeld(): boolean
  /** Makes lasting and visible what was written since `hold`. */
  commit(): void
  /** The same, and goes on holding. False when another process got in between. */
  commitAndHold(): boolean
  /** Undoes what is not committed. */
  release(): void
}

/** How long a writer waits for one in another process. */
const mostWaitMs = 5000

/** Nobody joins a group that is older than this: its first writer has waited long enough. Some thirty writers with all that follows fit into it. */
const mostGroupMs = 30

/** After so long of it, requests that only read have their turn, and those that write come to join. */
const mostTurnMs = 5

/** A plan that takes its time, perhaps because it waits for a writer before it, keeps those waiting no longer than this. */
const patienceMs = 20

interface Writer {
  readonly work: () => Promise<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

export class Commits {
  readonly #engine: Writable
  readonly #waiting: Writer[] = []
  #called = false

  constructor(engine: Writable) {
    this.#engine = engine
  }

  /** Runs the work while nobody else writes, and answers when what it wrote is committed. */
  async join<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    checkNotInPlan(this.#engine.queue)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.push({ work: asCaller(work), resolve, reject })
    this.#call()
    return promise as Promise<Answer>
  }

  #call(): void {
    if (this.#called || this.#waiting.length === 0) return
    this.#called = true
    void this.#serveInTurn()
  }

  async #serveInTurn(): Promise<void> {
    try {
      await withLock(this.#engine.queue, () => this.#serve())
    } catch {
      // Everybody has been told what became of their writes; whoever comes next is told what is wrong.
    } finally {
      this.#called = false
      // Whoever came too late for this group is behind those of other stores that were there before.
      this.#call()
    }
  }

  async #serve(): Promise<void> {
    try {
      await holdPatiently(this.#engine)
    } catch (error) {
      for (const writer of this.#waiting.splice(0)) writer.reject(error)
      this.#engine.release()
      return
    }
    const group = new Group(this.#engine)
    for (let writer = this.#waiting.shift(); writer; writer = await this.#next(group)) await group.add(writer)
    group.end()
  }

  /** The next writer of a group: one that waits, or comes while requests that have arrived already are looked at. */
  async #next(group: Group): Promise<Writer | undefined> {
    if (group.isFull || !this.#engine.isHeld()) return undefined
    if (this.#waiting.length === 0 || group.hasHadItsTurn) {
      await othersTurn()
      group.beginTurn()
    }
    return this.#waiting.shift()
  }
}

/** Those that share a commit, and what each is to be told once it is made. */
class Group {
  readonly #engine: Writable
  readonly #beganMs = performance.now()
  #turnBeganMs = this.#beganMs
  #size = 0
  #members: Member[] = []
  #patience: NodeJS.Timeout | undefined

  constructor(engine: Writable) {
    this.#engine = engine
  }

  get isFull(): boolean {
    return this.#size >= this.#engine.mostInCommit || performance.now() - this.#beganMs > mostGroupMs
  }

  get hasHadItsTurn(): boolean {
    return performance.now() - this.#turnBeganMs > mostTurnMs
  }

  beginTurn(): void {
    this.#turnBeganMs = performance.now()
  }

  async add({ work, resolve, reject }: Writer): Promise<void> {
    this.#size++
    this.#bePatient()
    const member = await work().then(
      (answer): Member => ({ tell: () => resolve(answer), reject }),
      (error: unknown): Member => ({ error, tell: () => reject(error), reject }),
    )
    this.#members.push(member)
    if (!this.#engine.isHeld()) this.#lose(lost(member.error), member)
  }

  end(): void {
    clearTimeout(this.#patience)
    this.#settle(() => this.#engine.commit())
    this.#engine.release()
  }

  /** Those before are told when a plan takes too long, and it goes on, if possible with nobody having written in between. */
  #bePatient(): void {
    if (this.#patience) this.#patience.refresh()
    else if (this.#members.length > 0) this.#patience = setTimeout(() => this.#settle(() => this.#engine.commitAndHold()), patienceMs)
  }

  #settle(commit: () => void): void {
    try {
      if (this.#members.length > 0) commit()
    } catch (error) {
      return this.#lose(error)
    }
    for (const { tell } of this.#members.splice(0)) tell()
  }

  /**
   * What they wrote is undone. Whoever caused it is told what happened, and so is the first, who had
   * nobody before him: the errors of others may come from what is no longer so.
   */
  #lose(error: unknown, culprit?: Member): void {
    for (const [at, member] of this.#members.splice(0).entries()) {
      if (member.error !== undefined && (at === 0 || member === culprit)) member.tell()
      else member.reject(error)
    }
  }
}

interface Member {
  readonly error?: unknown
  readonly tell: () => void
  readonly reject: (error: unknown) => void
}

export function lost(cause?: unknown): StoreUnavailableError {
  return new StoreUnavailableError('The store was lost before what was written could be committed. Nothing was written; try again.', { cause })
}

export function inDoubt(cause: unknown): InDoubtError {
  return new InDoubtError(`${cause instanceof Error ? cause.message : String(cause)} It failed while it committed, and whether anything was written is not known.`, { cause })
}

/** Waiting for another process is done by asking again, after a moment that is never the same, so that reads and other requests go on meanwhile. */
async function holdPatiently(engine: Writable): Promise<void> {
  const until = performance.now() + mostWaitMs
  while (!engine.hold()) {
    if (performance.now() > until) throw new StoreUnavailableError(`Another process kept the store to itself for ${mostWaitMs} ms.`)
    await pause(1 + Math.random() * 9)
  }
}

/**
 * The work as part of whoever asks for it here, though it runs in a turn that another writer may have asked for. What goes
 * on behind a promise is part of whatever asked for that; AsyncLocalStorage.snapshot() would be the plain way, and takes
 * many times as long.
 */
function asCaller<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  const { promise: called, resolve: call } = Promise.withResolvers<void>()
  const answer = called.then(work)
  return () => {
    call()
    return answer
  }
}
