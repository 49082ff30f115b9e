// Logs failures of the change feed: a line when they begin, one when they end, and debug lines in between.

import { nameOf } from '../../graphql-errors.ts'
import type { Log } from './log.ts'
import type { Observer } from '../observers.ts'

export function createFeedLog(log: Log): Observer {
  return {
    feedFailed(error, times) {
      const line = { code: nameOf(error), times }
      if (times === 1) log.error({ ...line, err: error }, 'Cannot read the change feed. Snapshots fall behind until a retry succeeds.')
      else log.debug(line, 'Still cannot read the change feed.')
    },
    feedRecovered() {
      log.warn({}, 'The change feed is being read again.')
    },
    propagate({ part, setAside }) {
      if (setAside > 0) log.warn({ code: 'DEAD_LETTER', part, setAside }, 'Changes could not be propagated and became dead letters. "quire dead-letters" lists them.')
    },
  }
}
