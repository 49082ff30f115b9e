// The address of a request of node:http, before anyone makes a URL of it: the path is what the first line says and
// never what stands in the Host header, and what cannot be a URL is refused in a sentence. One that is written in
// full, as proxies may write it, means its path.

import { IncomingMessage, type ServerResponse } from 'node:http'

type Server = (...given: unknown[]) => unknown

/** The same server, which is never asked for an address that it could not read. `refused` says which headers a refusal has. */
export function withReadableAddress<S extends object>(server: S, refused: (request: IncomingMessage) => Record<string, string>): S {
  const serve = (...given: unknown[]): unknown => {
    const [request, response] = given
    if (!(request instanceof IncomingMessage) || makeReadable(request)) return (server as unknown as Server)(...given)
    return refuse(response as ServerResponse, refused(request))
  }
  return new Proxy(serve, {
    has: (_, name) => Reflect.has(server, name),
    get: (own, name) => Reflect.get(name === 'apply' || name === 'call' || name === 'bind' ? own : server, name) as unknown,
  }) as unknown as S
}

/** Whether a text is a host with or without a port, and nothing besides. */
export function isHost(text: string): boolean {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{0,5})?$/i.test(text) && URL.canParse(`http://${text}`)
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
