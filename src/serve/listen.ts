// The HTTP server: listens on the configured address, and ends in order. The handler that it is given answers the requests.
// Alone, the process prints the address when it is ready and ends on a signal; one of several workers leaves both to its primary.

import { once } from 'node:events'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { announce } from './announce.ts'
import { handleUncaughtErrors } from './uncaught-errors.ts'
import { createHostCheck, hostRefused } from './allowed-hosts.ts'
import { onEndSignal } from './end-signals.ts'
import { listenError } from './listen-error.ts'
import { refuse } from '../http/refuse.ts'
import { Shutdown } from './shutdown.ts'
import type { Log } from '../observe/log/log.ts'

/** Answers requests; a GatewaySwap is one. */
export interface RequestHandler {
  /** How many requests are not answered in full. */
  readonly open: number
  answer: RequestListener
  leave(leaves: boolean): void
  close(): Promise<unknown>
}

/** A slow client must not keep a socket from others. */
const timeouts: ServerOptions = {
  headersTimeout: 10_000,
  // Includes the body: enough for the largest one on a slow line, and an end to those that trickle.
  requestTimeout: 30_000,
  // Longer than load balancers keep idle connections by default: if Quire closed one first, it could cut off a request.
  keepAliveTimeout: 65_000,
  // Node checks every 30 s by default, so the timeouts above would be that inexact.
  connectionsCheckingInterval: 1000,
}

/** An idle connection takes a few kilobytes. */
const maxConnections = 10_000

/**
 * How many new connections the system keeps until Quire accepts them, which it does one at a time between operations. Beyond that
 * it drops them, and clients try again only after a second. Node's default is 511; Linux allows 4096 unless somaxconn says otherwise.
 */
const backlog = 4096

/** How long a socket may be inactive, beyond the deadlines of operations, before a response that the client does not read is cut off. */
const maxIdleMs = 120_000

/** Whom a server tells that it is ready, and who tells it to end. */
export interface Supervision {
  ready(address: string): void
  /** It ends because of an unexpected error, after its last requests. */
  failing(reason: string): void
  onEnd(end: { shutDown(reason: string): void; retire(): void }): void
  /** The last thing before the process exits. */
  leave(): Promise<void>
}

export async function listen(config: Config, log: Log, handler: RequestHandler, supervision?: Supervision): Promise<void> {
  const { port, host, load, drainMs } = config
  const isAllowed = createHostCheck(config)
  const server = createServer(timeouts, (request, response) => {
    // Answered here, because load balancers have to know at once, without a call to the store.
    if (shutdown.isRunning && request.url === '/ready') response.writeHead(503, { 'cache-control': 'no-store', connection: 'close' }).end()
    else if (isAllowed?.(request.headers.host) === false) refuse(response, hostRefused, { 'cache-control': 'no-store' })
    else handler.answer(request, response)
  })
  server.maxConnections = maxConnections
  server.timeout = maxIdleMs + 2 * load.deadlineMs
  const shutdown = new Shutdown(server, { log, drainMs, maxRetiringMs: 2 * load.deadlineMs, leave: (leaves) => handler.leave(leaves), close: () => handler.close(), open: () => handler.open, exit: (code) => void exit(code, supervision) })
  try {
    await once(server.listen({ port, host, backlog }), 'listening')
  } catch (error) {
    await handler.close()
    throw new ConfigError(listenError(error as NodeJS.ErrnoException, port, host), { cause: error })
  }
  if (supervision) supervision.onEnd({ shutDown: (reason) => shutdown.begin(reason, 0), retire: () => shutdown.retire('replaced', 0) })
  else onEndSignal((signal, code) => shutdown.begin(signal, 0, code))
  handleUncaughtErrors(log, (reason) => {
    if (!supervision) return shutdown.fail(reason)
    supervision.failing(reason)
    shutdown.retire(reason, 1)
  })
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  const ready = `http://${host.includes(':') ? `[${host}]` : host}:${actual}/graphql`
  if (supervision) supervision.ready(ready)
  else announce(ready, config)
  log.info({ address: ready }, 'ready')
}

async function exit(code: number, supervision: Supervision | undefined): Promise<void> {
  await supervision?.leave()
  process.exit(code)
}
