// `quire dev`: a gateway in the development profile that follows its sources. reloading-gateway.ts replaces it at every save.

import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { configFileOf, configFilesOf, settledEnvironment, type Options } from '../../config/config-file.ts'
import { readConfig } from '../../config/config.ts'
import { ConfigError } from '../../errors.ts'
import { listen } from '../../serve/listen.ts'
import type { CliCommand } from '../command/command.ts'
import { printError } from '../command/print-error.ts'
import { openReloadingGateway } from './reloading-gateway.ts'

export const command: CliCommand = {
  settings: ['schema', 'store', 'port', 'host'],
  readsSettings: true,
  help: `
The development profile: GraphiQL, everyone may write, every answer has a cost report. When a .graphql file, derive.ts,
resolvers.ts or documents.ts in the schema folder changes, or the config file, or a file that any of these import, a gateway
with the new schema replaces the old one on the same port. The old one finishes the requests it has begun. If the new schema
is not valid, the errors are printed and the old gateway keeps serving until the next valid save.

Stored documents stay, also in memory. In memory, snapshots, lists and counts are recomputed when their storage
changes; on any other store, they are computed while it serves. If the stored documents do not fit the new schema,
the last one that fits is served, and the terminal and the landing page say what differs: "quire migrate" helps.

Exits with 0 when you stop it, with 2 when it cannot start.

Example:
  $ quire dev                                  serves quire.config.json here, or the sample library
  $ quire dev --schema schema --store memory   serves a folder of SDL and keeps nothing when it ends
  $ quire dev --port 0                         takes any free port`,
  run: (options: Options) => runDev(process.env, options),
}

/** Answers with the exit code when it cannot start. Otherwise it serves until a signal ends it. */
export async function runDev(env: NodeJS.ProcessEnv, options: Options): Promise<number | undefined> {
  try {
    if (env['NODE_ENV'] === 'production') throw new ConfigError('"quire dev" lets everyone write, so it does not run with NODE_ENV=production. Use "quire start", or unset NODE_ENV.')
    const checkConfigFile = configFileGuard(options)
    const { config, log, handler } = await openReloadingGateway({
      settings: async () => {
        checkConfigFile()
        return readConfig({ ...(await settledEnvironment(env, options)), NODE_ENV: 'development' })
      },
      configFiles: configFilesOf(options),
    })
    await listen(config, log, handler)
    return undefined
  } catch (error) {
    return printError(error)
  }
}

/** Without its config file, Quire would go on with another schema and another store. */
function configFileGuard(options: Options): () => void {
  let last: string | undefined
  return () => {
    const file = configFileOf(options)
    if (existsSync(file)) last = file
    else if (last !== undefined) throw new ConfigError(`${relative(process.cwd(), last)} is gone. Restore it, or restart "quire dev" to serve without it.`)
  }
}
