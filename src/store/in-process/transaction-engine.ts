// The transactions of an engine, and the errors of those that end badly. Who shares a transaction is decided in group-commit.ts.

import type { Clock } from '../../clock.ts'
import { InDoubtError, StoreUnavailableError } from '../store-errors.ts'

/** The transactions of an engine. */
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

export function lostTransaction(cause?: unknown): StoreUnavailableError {
  return new StoreUnavailableError('The store rolled the transaction back before it was committed. Nothing was written; try again.', { cause })
}

export function inDoubt(cause: unknown): InDoubtError {
  return new InDoubtError(`${cause instanceof Error ? cause.message : String(cause)} The commit failed, and it is not known whether anything was written.`, { cause })
}
