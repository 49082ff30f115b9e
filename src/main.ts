// `npm start` and `quire start`: reads the settings, opens what they name, and listens. What is wrong
// with them is said in a line, not in a stack trace.

import { complain } from './cli/complain.ts'
import { readConfig } from './config.ts'
import { openDomain } from './domain.ts'
import { Exchange } from './exchange.ts'
import { listen } from './listen.ts'
import { openGateway, openLog } from './open-gateway.ts'

try {
  const config = readConfig(process.env)
  const log = openLog(config)
  const exchange = new Exchange(await openGateway(config, await openDomain(config), log))
  await listen(config, log, exchange)
} catch (error) {
  process.exitCode = complain(error)
}
