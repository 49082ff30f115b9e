// The address of a request of node:http, before anyone makes a URL of it: the path is what the first line says and
// never what stands in the Host header, and what cannot be a URL is refused in a sentence. One that is written in
// full, as proxies may write it, means its path.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isHost } from '../auth/arrival.ts'
import { wrapServer } from './wrap-server.ts'

/** The same server, which is never asked for an address that it could not read. `refused` says which headers a refusal has. */
export function withReadableUrl<S extends object>(server: S, refused: (request: IncomingMessage) => Record<string, string>): S {
  return wrapServer(server, (request, response, next) => (makeReadable(request) ? next() : refuse(response, refused(request))))
}

/** False where there is nothing to be made of it. */
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

const refusal = JSON.stringify({ errors: [{ message: 'The address of this request cannot be read. Look at its path and its Host header.', extensions: { code: 'BAD_REQUEST' } }] })

function refuse(response: ServerResponse, headers: Record<string, string>): void {
  // Whatever body comes along is not waited for.
  response.writeHead(400, { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(refusal), connection: 'close' })
  response.end(refusal)
}
