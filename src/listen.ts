// The HTTP server: it listens where the settings say, prints one line with the address when it is ready,
// and closes in order when it is told to end. What answers requests is not known here.

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { ConfigError, type Config } from './config.ts'
import type { Log } from './observe/log.ts'
import { builtPages, isBuilt, notBuilt } from './site/graphiql-page.ts'

export async function listen({ port, host, development, identity }: Config, log: Log, answer: RequestListener, close: () => Promise<unknown>): Promise<void> {
  const server = createServer(answer)
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    await close()
    throw new ConfigError(whyNot(error as NodeJS.ErrnoException, port, host), { cause: error })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close()
      void close().then(() => process.exit(0))
    })
  }
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  if (development && !identity) console.warn('Development: everyone may read and write, because no identity is configured. NODE_ENV=production closes writes.')
  if (development && !isBuilt(builtPages)) console.warn(notBuilt)
  const ready = `http://${host.includes(':') ? `[${host}]` : host}:${actual}/graphql`
  console.log(`Quire is ready at ${ready}`)
  log.info({ address: ready }, 'ready')
}

function whyNot({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Give another one with PORT or --port, or stop what listens there.`
  if (code === 'EACCES') return `Port ${port} is not for you to listen on. Give one above 1023 with PORT or --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `HOST is "${host}", which is no address of this machine. Write 127.0.0.1, or 0.0.0.0 for every address it has.`
  return `It cannot listen on ${host}, port ${port}: ${message}.`
}
