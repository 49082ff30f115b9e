// One log line per request, for peers that run with BENCH_LOG: pino at level info, written like Quire's log, to standard error and
// without waiting for it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { destination, pino } from 'pino'

/** The options of Fastify: its own logger writes two lines per request, one when it arrives and one when it is answered. */
export const fastifyOptions = process.env['BENCH_LOG'] ? { logger: { level: 'info', stream: standardError() } } : { logger: false as const }

/** For servers on node:http, which have no log: the line that a user would write. */
export function logRequests(): (request: IncomingMessage, response: ServerResponse) => void {
  if (!process.env['BENCH_LOG']) return () => {}
  const log = pino({ level: 'info', base: null }, standardError())
  return (request, response) => {
    const started = performance.now()
    response.once('finish', () => log.info({ method: request.method, path: request.url, status: response.statusCode, durationMs: performance.now() - started }, 'answered'))
  }
}

function standardError() {
  return destination({ dest: 2, sync: false })
}
