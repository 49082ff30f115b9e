// The writers that share one commit: when the group is full, when it commits before its last plan has ended, and what each writer
// is told. group-commit.ts says what they are promised.

import { lostTransaction, type TransactionEngine } from './transaction-engine.ts'

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

export interface Writer {
  readonly work: (turn: Turn) => Promise<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The outcome of each writer is kept until the commit, and then told. */
export class CommitGroup implements Turn {
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
    // The caller of this plan has given up.
    this.#endSlowPlanTimer?.()
    this.#outcomes.push(outcome)
    if (!this.#hasEnded && !this.#engine.isInTransaction()) this.#failAll(lostTransaction(outcome.error), outcome)
  }

  end(): void {
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
   * Their writes are undone. The writer that caused it gets its own error, and so does the first writer, because no writer
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
