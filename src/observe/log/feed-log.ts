// What goes wrong with the change feed, as lines of the log: once when it begins, and once when it is over.

import { nameOf } from '../../errors.ts'
import type { Log } from './log.ts'
import type { Observer } from '../observers.ts'

export function createFeedLog(log: Log): Observer {
  return {
    stumble(error, times) {
      const line = { code: nameOf(error), times }
      if (times === 1) log.error({ ...line, err: error }, 'The change feed could not be followed; it is tried again.')
      else log.debug(line, 'The change feed still cannot be followed.')
    },
    recover() {
      log.warn({}, 'The change feed is followed again.')
    },
    propagate({ part, setAside }) {
      if (setAside > 0) log.warn({ code: 'DEAD_LETTER', part, setAside }, 'Changes could not be propagated and were set aside: "quire dead-letters" lists them.')
    },
  }
}
