// `quire start` and `npm start`: opens the gateway that the settings describe, and listens.

import { readConfig } from '../config/config.ts'
import { readSchemaFolder } from '../serve/schema-folder.ts'
import { CatchUp } from '../serve/catch-up.ts'
import { GatewaySwap } from '../serve/gateway-swap.ts'
import { listen } from '../serve/listen.ts'
import { openGateway, openLog } from '../serve/open-gateway.ts'
import type { CliCommand } from './command.ts'
import { printError } from './print-error.ts'

export const command: CliCommand = {
  settings: ['schema', 'store', 'port', 'host'],
  options: { '--development': 'the development profile, unless NODE_ENV is production' },
  help: `
The production profile has no GraphiQL, rejects writes that no rule allows, and adds a cost report only when a request
asks for one. NODE_ENV=development changes all of that; so does --development, which "npm start" uses.

On SIGTERM and SIGINT, /ready answers 503 at once. Quire accepts connections for drainMs longer, answers every
request that has begun, and closes what is open, all within 10 seconds. A second signal ends it at once.

Exits with 0 after a signal, with 1 when requests had to be cut off or after an unexpected error, with 2 when it
cannot start.

Example:
  $ PORT=8080 quire start                  serves http://127.0.0.1:8080/graphql
  $ quire start --config live.json         reads its settings from another file
  $ NODE_ENV=development quire start       serves with GraphiQL and open writes`,
  async run({ development = false }: { development?: boolean }) {
    // Only "development" opens the gateway: any other NODE_ENV, also none, is production.
    if (!development && process.env['NODE_ENV'] !== 'development') process.env['NODE_ENV'] = 'production'
    return runStart(process.env)
  },
}

/** Answers with the exit code when it cannot start. Otherwise it serves until a signal ends it. */
export async function runStart(env: NodeJS.ProcessEnv): Promise<number | undefined> {
  try {
    const config = readConfig(env)
    const log = openLog(config)
    const schema = await readSchemaFolder(config.schemaFolder)
    let isIncomplete = false
    const gateways = new GatewaySwap(await openGateway(config, schema, log, { whenIncomplete: () => (isIncomplete = true) }))
    const catchUp = new CatchUp()
    await listen(config, log, {
      get open() {
        return gateways.open
      },
      answer: (request, response) => gateways.answer(request, response),
      leave: (leaves) => gateways.leave(leaves),
      async close() {
        await catchUp.stop()
        await gateways.close()
      },
    })
    if (isIncomplete) catchUp.begin({ config, schema, log, open: () => openGateway(config, schema, log), put: (gateway) => gateways.put(gateway) })
    return undefined
  } catch (error) {
    return printError(error)
  }
}
