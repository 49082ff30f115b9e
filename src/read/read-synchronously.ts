// Reads without a wave. Waves gather what is asked for side by side, which takes promises, a turn of the microtask queue
// and a tick. Whoever asks for one thing at a time has nothing to gather, and a store inside of this process that has it
// in hand has nothing to wait for.

import { currentOperation } from '../store/operation-context.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'

/** What goes wrong is a rejection, as it is where there are waves. */
export function askAtOnce<Answer>(ask: () => MaybePromise<Answer>): MaybePromise<Answer> {
  try {
    // As between waves: what nobody waits for any more is not read.
    currentOperation()?.check()
    return ask()
  } catch (error) {
    return Promise.reject(error)
  }
}
