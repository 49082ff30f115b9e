// The process that `quire start` is when there are several workers: it starts them, prints the address, and obeys signals.

import cluster from 'node:cluster'
import type { Config } from '../../config/config.ts'
import { ConfigError } from '../../errors.ts'
import { announce } from '../announce.ts'
import { onEndSignal } from '../end-signals.ts'
import { openLog } from '../open-log.ts'
import { Supervisor } from './supervisor.ts'

/** `settings` reads them again. Rejects if the workers cannot start. Otherwise it runs until a signal ends it. */
export async function runPrimary(config: Config, settings: () => Promise<Config>): Promise<void> {
  if (!cluster.isPrimary) throw new ConfigError('Only a primary process can start several workers, and this process is already a cluster worker of another program. Set workers to 1, and let that program start several.')
  // Every connection goes to the next worker in turn: left to the system, most of them would go to few.
  cluster.schedulingPolicy = cluster.SCHED_RR
  // The flags of this process and its arguments are those of its workers. Numbers such as NaN reach the primary as they are.
  cluster.setupPrimary({ serialization: 'advanced' })
  const supervisor = new Supervisor(config, openLog(config))
  let isEnding = false
  onEndSignal((signal, code) => {
    // A second signal ends it at once, and the workers with it: they exit when their primary does.
    if (isEnding) process.exit(code)
    isEnding = true
    void supervisor.end(signal).then((exitCode) => process.exit(exitCode))
  })
  const starting = supervisor.start()
  let reloading: Promise<unknown> = starting
  process.on('SIGHUP', () => {
    reloading = reloading.then(() => supervisor.reload(settings))
  })
  try {
    announce(await starting, config)
  } catch (error) {
    // A signal has ended workers that were not ready yet, which is no error.
    if (!isEnding) throw error
  }
}
