// What does not go together with several workers: each is refused with advice, before any worker starts.

import type { Config } from '../../config/config.ts'
import { plainSettings } from '../../config/settings.ts'
import { throwAll } from '../../config/setting-problems.ts'
import { ConfigError } from '../../errors.ts'
import { loadLimitTable } from '../../http/limits/load-limits.ts'
import { kindOf } from '../../store/open-store.ts'

export function checkWorkers({ workers, store, record, load }: Config): void {
  const problems = [
    kindOf(store).isShared(store) ? undefined : `the store is in memory, where each process would have documents of its own. Use sqlite:PATH, postgres://… or cosmos, or one worker.`,
    record === undefined ? undefined : `${plainSettings.record.variable} is set, and a workload is recorded by one process. Record with one worker, or leave it out.`,
    load.operations >= workers ? undefined : `${loadLimitTable.operations.variable} is ${load.operations}, and each worker needs at least one operation. Raise it, or use fewer workers.`,
  ]
  throwAll(problems.filter((problem) => problem !== undefined).map((problem) => new ConfigError(`${plainSettings.workers.variable} is ${workers}: ${problem}`)))
}
