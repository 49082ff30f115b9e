// Checks the URL and Host header of a node:http request before anything builds a URL from them: the path comes only from
// the request line, never from the Host header. An absolute URL, as proxies may send it, is reduced to its path.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isHost } from '../auth/request-state.ts'
import { wrapServer } from './wrap-server.ts'

/** The same server behind the check. `refused` is called for a refusal and returns headers for it. */
export function withReadableUrl<S extends object>(server: S, refused: (request: IncomingMessage) => Record<string, string>): S {
  return wrapServer(server, (request, response, next) => (makeReadable(request) ? next() : refuse(response, refused(request))))
}

/** False if the URL or the Host header is invalid. */
function makeReadable(request: IncomingMessage): boolean {
  const { url = '/', headers: { host } } = request
  if (host !== undefined && host !== '' && !isHost(host)) return false
  if (/^https?:\/\//i.test(url)) {
    if (!URL.canParse(url)) return false
    const { pathname, search } = new URL(url)
    request.url = pathname + search
  }
  return request.url!.startsWith('/') && URL.canParse(`http://${host || 'localhost'}${request.url}`)
}

const refusal = JSON.stringify({ errors: [{ message: 'Bad request: the URL cannot be parsed. Check the path and the Host header.', extensions: { code: 'BAD_REQUEST' } }] })

function refuse(response: ServerResponse, headers: Record<string, string>): void {
  // Closes the connection, so a body is not waited for.
  response.writeHead(400, { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(refusal), connection: 'close' })
  response.end(refusal)
}
