// The log of the process. It hides secrets of the store, such as the key of an Azure account.

import type { Config } from '../config/config.ts'
import { createLog, type Log } from '../observe/log/log.ts'
import { kindOf } from '../store/open-store.ts'

/** `worker` is the number of the process, if it is one of several. */
export function openLog({ log: level, development, store }: Config, worker?: number): Log {
  return createLog({ level, readable: development, secrets: kindOf(store).secrets?.(store) ?? [], worker })
}
