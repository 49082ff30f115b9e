// A handler of node:http requests, and steps in front of one. Frameworks on top of node:http leave things in the request
// that are read here: the whole URL, if they cut the path that they mounted a handler at, and the body, if they parsed it.

import { IncomingMessage, type ServerResponse } from 'node:http'

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Answers the request, or passes it on with `next`. */
export type Step = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** The same listener behind a step. Requests that only look like those of node:http, as of HTTP/2 and of test tools, skip it. */
export function withStep(listener: Listener, step: Step): Listener {
  return (request, response) => {
    const next = (): void => listener(request, response)
    if (request instanceof IncomingMessage) step(request, response, next)
    else next()
  }
}

/** What Express and body parsers add. */
export type FrameworkRequest = IncomingMessage & { originalUrl?: string; body?: unknown }
