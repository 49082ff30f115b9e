// `npm start`: reads the settings, opens what they name, and listens. What is wrong with them is
// said in a line, not in a stack trace.

import { createServer } from 'node:http'
import { ConfigError, readConfig } from './config.ts'
import { openDomain } from './domain.ts'
import { createGateway } from './gateway.ts'
import { createLog } from './observe/log.ts'
import { DeclarationError } from './model/declaration-error.ts'
import { builtPages, isBuilt, notBuilt } from './site/graphiql-page.ts'
import { openStore } from './store/open-store.ts'
import { SetupError } from './store/store.ts'

try {
  await start()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DeclarationError || error instanceof SetupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const { port, host, development, strategy, effects, openPages, openMetrics, logLevel } = config
  const log = createLog({ level: logLevel, readable: development, secrets: config.store.kind === 'cosmos' && config.store.key ? [config.store.key] : [] })
  const gateway = await createGateway({ ...(await openDomain(config)), store: (layout) => openStore(config.store, layout), development, strategy, effects, openPages, openMetrics, log })
  // Yoga answers every request itself, so there is nothing to wait for here.
  const server = createServer((request, response) => void gateway(request, response))

  server.on('error', (error: NodeJS.ErrnoException) => {
    console.error(error.code === 'EADDRINUSE' ? `Port ${port} is in use. Set PORT to another one, or stop what listens there.` : error.message)
    process.exit(1)
  })
  server.listen(port, host, () => {
    const address = server.address()
    const actual = typeof address === 'object' && address ? address.port : port
    if (development) console.warn('Development: everyone may read and write, because no identity is configured. NODE_ENV=production closes writes.')
    if (development && !isBuilt(builtPages)) console.warn(notBuilt)
    const ready = `http://${host.includes(':') ? `[${host}]` : host}:${actual}/graphql`
    console.log(`Quire is ready at ${ready}`)
    log.info({ address: ready }, 'ready')
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => server.close(() => void Promise.resolve(gateway.dispose()).then(() => process.exit(0))))
  }
}
