// `npm start` and `quire start`: reads the settings, opens what they name, and listens. What is wrong
// with them is said in a line, not in a stack trace.

import { complain } from './cli/complain.ts'
import { readConfig } from './config.ts'
import { openDomain } from './domain.ts'
import { Exchange } from './exchange.ts'
import { listen } from './listen.ts'
import { openGateway } from './open-gateway.ts'

try {
  const config = readConfig(process.env)
  const exchange = new Exchange(await openGateway(config, await openDomain(config)))
  await listen(config, (request, response) => exchange.answer(request, response), () => exchange.close())
} catch (error) {
  process.exitCode = complain(error)
}
