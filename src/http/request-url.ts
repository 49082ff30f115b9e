// Checks the URL and Host header of a node:http request before anything builds a URL from them: the path comes only from
// the request line, never from the Host header. An absolute URL, as proxies may send it, is reduced to its path.

import type { IncomingMessage } from 'node:http'
import { isHost } from '../auth/request-state.ts'
import { withStep, type FrameworkRequest, type Listener } from './listener.ts'
import { refuse, type Refusal } from './refuse.ts'

/** The same listener behind the check. `refused` is called for a refusal and returns headers for it. */
export function withReadableUrl(listener: Listener, refused: (request: IncomingMessage) => Record<string, string>): Listener {
  return withStep(listener, (request, response, next) => (makeReadable(request) ? next() : refuse(response, unreadable, refused(request))))
}

const unreadable: Refusal = { status: 400, code: 'BAD_REQUEST', message: 'Bad request: the URL cannot be parsed. Check the path and the Host header.' }

/** False if the URL or the Host header is invalid. */
function makeReadable(request: FrameworkRequest): boolean {
  const { url = '/', headers: { host } } = request
  if (host !== undefined && host !== '' && !isHost(host)) return false
  if (/^https?:\/\//i.test(url)) {
    if (!URL.canParse(url)) return false
    const { pathname, search } = new URL(url)
    request.url = pathname + search
    // Yoga prefers it to the URL.
    if (request.originalUrl !== undefined) request.originalUrl = request.url
  }
  return request.url!.startsWith('/') && URL.canParse(`http://${host || 'localhost'}${request.url}`)
}
