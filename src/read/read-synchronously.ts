// A read without a wave. Waves batch reads that are asked for side by side, which takes promises, a turn of the
// microtask queue and a tick. An operation that needs one thing at a time has nothing to batch, and a store in
// this process that has the document in memory can answer synchronously.

import { currentOperation } from '../store/operation-context.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'

/** Errors become rejections, as they are in waves. */
export function readSynchronously<Answer>(read: () => MaybePromise<Answer>): MaybePromise<Answer> {
  try {
    // As between waves: a cancelled operation reads nothing more.
    currentOperation()?.check()
    return read()
  } catch (error) {
    return Promise.reject(error)
  }
}
