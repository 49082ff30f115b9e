// `npm start` and `quire start`: reads the settings, opens what they name, and listens. What is wrong
// with them is said in a line, not in a stack trace.

import { printError } from './cli/print-error.ts'
import { readConfig } from './config.ts'
import { openDomain } from './serve/domain.ts'
import { GatewaySwap } from './serve/gateway-swap.ts'
import { listen } from './serve/listen.ts'
import { openGateway, openLog } from './serve/open-gateway.ts'

try {
  const config = readConfig(process.env)
  const log = openLog(config)
  const exchange = new GatewaySwap(await openGateway(config, await openDomain(config), log))
  await listen(config, log, exchange)
} catch (error) {
  process.exitCode = printError(error)
}
