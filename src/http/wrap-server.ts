// Puts a step in front of a server: node:http requests go through the step first. Everything else about the server (its
// `fetch`, its `dispose`) stays as it is.

import { IncomingMessage, type ServerResponse } from 'node:http'

type Server = (...given: unknown[]) => unknown

/** Answers the request, or passes it on with `next`. */
export type Step = (request: IncomingMessage, response: ServerResponse, next: () => unknown) => unknown

export function wrapServer<S extends object>(server: S, step: Step): S {
  const serve = (...given: unknown[]): unknown => {
    const [request, response] = given
    const next = (): unknown => (server as unknown as Server)(...given)
    return request instanceof IncomingMessage ? step(request, response as ServerResponse, next) : next()
  }
  // node:http calls a handler through `apply`, which must reach the step and not the server behind it.
  return new Proxy(serve, {
    has: (_, name) => Reflect.has(server, name),
    get: (own, name) => Reflect.get(name === 'apply' || name === 'call' || name === 'bind' ? own : server, name) as unknown,
  }) as unknown as S
}
