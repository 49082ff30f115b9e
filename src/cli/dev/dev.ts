// `quire dev`: a gateway in the development profile that reloads its schema. When the schema folder or the config file
// changes, a new gateway opens next to the old one and replaces it. If it cannot open, the errors are printed and the
// old one keeps serving.

import { readConfig, type Config } from '../../config/config.ts'
import { ConfigError } from '../../errors.ts'
import { configFileOf, settledEnvironment, type Options } from '../../config/config-file.ts'
import { readDeclaration } from '../../relations/declaration.ts'
import { readSchemaFolder } from '../../serve/schema-folder.ts'
import { GatewaySwap } from '../../serve/gateway-swap.ts'
import { listen } from '../../serve/listen.ts'
import { openGateway, openLog } from '../../serve/open-gateway.ts'
import { Memory } from '../../store/memory/memory-store.ts'
import type { CliCommand } from '../command.ts'
import { printError, errorText } from '../print-error.ts'
import { storageOf, migrateMemoryStore } from './migrate-memory-store.ts'
import { watchSources, type Sources } from './watch-sources.ts'

export const command: CliCommand = {
  settings: ['schema', 'store', 'port', 'host'],
  readsSettings: true,
  help: `
The development profile: GraphiQL, everyone may write, every answer has a cost report. When a .graphql file, derive.ts or
resolvers.ts in the schema folder changes, or the config file, a gateway with the new schema replaces the old one on
the same port. The old one finishes the requests it has begun. If the new schema is not valid, the errors are printed and the
old gateway keeps serving until the next valid save.

Stored documents stay, also in memory. In memory, snapshots, lists and counts are recomputed when their storage
changes; on any other store, run "quire check --repair". Documents do not move when you change a partition key or
a stored property: they stay where they are and are no longer found.

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
    const settings = async (): Promise<Config> => readConfig({ ...(await settledEnvironment(env, options)), NODE_ENV: 'development' })
    // The documents of a memory store outlive each gateway.
    const memory = new Memory()
    let config = await settings()
    const schema = await readSchemaFolder(config.schemaFolder)
    let storage = storageOf(readDeclaration(schema.typeDefs, schema.derive, config.tenants !== undefined))
    const log = openLog(config)
    const gateways = new GatewaySwap(await openGateway(config, schema, log, memory))

    const reload = async (changes: readonly string[]): Promise<void> => {
      const startMs = performance.now()
      try {
        const next = await settings()
        // Watch before reading, so that no later save is missed.
        if (next.schemaFolder !== watched.schemaFolder) watching.move(watched = sourcesOf(next))
        const changed = await readSchemaFolder(next.schemaFolder)
        const declaration = readDeclaration(changed.typeDefs, changed.derive, next.tenants !== undefined)
        gateways.put(await openGateway(next, changed, log, memory))
        console.log(`Reloaded in ${Math.round(performance.now() - startMs)} ms: ${changes.join(', ')}.`)
        if (next.port !== config.port || next.host !== config.host) console.log('Port and host stay the same until you restart "quire dev".')
        config = next
        const before = storage
        storage = storageOf(declaration)
        if (storage !== before) await migrateMemoryStore(next, declaration, memory, (line) => console.log(line))
      } catch (error) {
        console.error(`Not reloaded: ${changes.join(', ')}. The previous schema is served until you fix this.\n${errorText(error)}`)
      }
    }

    let reloading = Promise.resolve()
    const sourcesOf = ({ schemaFolder }: Config): Sources => ({ schemaFolder, configFile: configFileOf(options) })
    let watched = sourcesOf(config)
    const watching = watchSources(watched, (changes) => {
      reloading = reloading.then(() => reload(changes))
    })
    await listen(config, log, {
      get open() {
        return gateways.open
      },
      answer: (request, response) => gateways.answer(request, response),
      leave: () => gateways.leave(),
      async close() {
        watching.stop()
        await reloading
        await gateways.close()
      },
    })
    return undefined
  } catch (error) {
    return printError(error)
  }
}
