// The HTTP server: it listens where the settings say, prints one line with the address when it is ready,
// and ends in order when it is told to. What answers requests is not known here.

import { once } from 'node:events'
import { constants } from 'node:os'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import { ConfigError, type Config } from '../config.ts'
import { containErrors } from './contain-errors.ts'
import { Ending } from './shutdown.ts'
import type { Log } from '../observe/log/log.ts'
import { builtPages, isBuilt, notBuilt } from '../site/graphiql-page.ts'

/** What answers requests, and how it ends; an exchange is one. */
export interface Answering {
  readonly open: number
  answer: RequestListener
  leave(): void
  close(): Promise<unknown>
}

/** Whoever takes longer to say what he wants, or to take the answer, is keeping a socket from others. */
const patience: ServerOptions = {
  headersTimeout: 10_000,
  // With the body: enough for the largest on a slow line, and the end of those that trickle.
  requestTimeout: 30_000,
  // Longer than usual load balancers keep theirs, so that it is they who close a connection and never we while they send.
  keepAliveTimeout: 65_000,
  // Node looks every 30 s otherwise, and timeouts are only as good as that.
  connectionsCheckingInterval: 1000,
}

/** Open at once, whatever they do. A connection that does nothing takes some kilobytes. */
const mostConnections = 10_000

/** Without a sign of life: an answer that is not taken, beyond the longest that an operation may take. */
const mostSilenceMs = 120_000

export async function listen({ port, host, development, identity, load, drainMs }: Config, log: Log, answering: Answering): Promise<void> {
  const server = createServer(patience, (request, response) => {
    // From the first moment on, and not when the store has been asked.
    if (ending.isEnding && request.url === '/ready') response.writeHead(503, { 'cache-control': 'no-store', connection: 'close' }).end()
    else answering.answer(request, response)
  })
  server.maxConnections = mostConnections
  server.timeout = mostSilenceMs + 2 * load.deadlineMs
  const ending = new Ending(server, { log, drainMs, leave: () => answering.leave(), close: () => answering.close(), open: () => answering.open })
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    await answering.close()
    throw new ConfigError(tokenError(error as NodeJS.ErrnoException, port, host), { cause: error })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => ending.begin(signal, 0, 128 + constants.signals[signal]))
  }
  containErrors(log, (reason) => ending.fail(reason))
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  if (development && !identity) console.warn('Development: everyone may read and write, because no identity is configured. NODE_ENV=production closes writes.')
  if (development && !isBuilt(builtPages)) console.warn(notBuilt)
  const ready = `http://${host.includes(':') ? `[${host}]` : host}:${actual}/graphql`
  console.log(`Quire is ready at ${ready}`)
  log.info({ address: ready }, 'ready')
}

function tokenError({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Give another one with PORT or --port, or stop what listens there.`
  if (code === 'EACCES') return `Port ${port} is not for you to listen on. Give one above 1023 with PORT or --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `HOST is "${host}", which is no address of this machine. Write 127.0.0.1, or 0.0.0.0 for every address it has.`
  return `It cannot listen on ${host}, port ${port}: ${message}.`
}
