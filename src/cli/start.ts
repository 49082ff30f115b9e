// `quire start` and `npm start`: opens the gateway that the settings describe, and listens.

import { readConfig } from '../config/config.ts'
import { settledEnvironment, type Options } from '../config/config-file.ts'
import { joinWorkers } from '../serve/workers/worker-process.ts'
import type { CliCommand } from './command/command.ts'
import { errorText, printError } from './command/print-error.ts'

export const command: CliCommand = {
  settings: ['schema', 'store', 'port', 'host', 'workers'],
  readsSettings: true,
  options: { '--development': 'the development profile, unless NODE_ENV is production' },
  help: `
The production profile has no GraphiQL, rejects writes that no rule allows, and adds a cost report only when a request
asks for one. NODE_ENV=development changes all of that; so does --development, which "npm start" uses.

On SIGTERM and SIGINT, /ready answers 503 at once. Quire accepts connections for drainMs longer, answers every
request that has begun, and closes what is open, all within 10 seconds. A second signal ends it at once.

With --workers N, N processes serve the port, and one more starts them, replaces those that end, and obeys
signals. On SIGHUP it starts new ones with the settings and the schema as they are then, and the old ones end when
they have answered their last requests. If the new ones cannot start, the old ones go on and the log says why.

Exits with 0 after a signal, with 1 when requests had to be cut off or after an unexpected error, with 2 when it
cannot start.

Example:
  $ PORT=8080 quire start                  serves http://127.0.0.1:8080/graphql
  $ quire start --workers auto             serves with one process for each core
  $ quire start --config live.json         reads its settings from another file
  $ NODE_ENV=development quire start       serves with GraphiQL and open writes`,
  async run(options: Options & { development?: boolean }) {
    // Only "development" opens the gateway: any other NODE_ENV, also none, is production.
    if (!options.development && process.env['NODE_ENV'] !== 'development') process.env['NODE_ENV'] = 'production'
    return runStart(() => settledEnvironment(process.env, options))
  },
}

/** `settled` reads the environment and the config file. Answers with the exit code when it cannot start. Otherwise it serves until a signal ends it. */
export async function runStart(settled: () => Promise<NodeJS.ProcessEnv>): Promise<number | undefined> {
  const worker = joinWorkers()
  try {
    const env = await settled()
    const config = readConfig(env)
    if (config.workers > 1 && !worker) {
      // Its workers read the settings themselves, so its own environment stays as it is. It serves nothing, and loads nothing for that.
      const { runPrimary } = await import('../serve/workers/run-primary.ts')
      await runPrimary(config, async () => readConfig(await settled()))
      return undefined
    }
    Object.assign(process.env, env)
    const { serve } = await import('../serve/serve.ts')
    await serve(config, worker)
    return undefined
  } catch (error) {
    if (!worker) return printError(error)
    await worker.link.failed(errorText(error))
    return process.exit(2)
  }
}
