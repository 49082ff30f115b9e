// CORS: which other sites' pages may read answers. With no origins there are no CORS headers, so browsers let none. Cookies
// are never allowed: viewers are identified by the authorization header, which only a program can set. In development, where
// everyone may write, a page of another site learns why it may not.

import type { Plugin } from 'graphql-yoga'
import type { Origins } from '../http-options.ts'
import { hostnameOf, isLoopback } from '../local-hosts.ts'

/** Headers of every answer: caches must know that answers differ by origin. */
export function originHeaders(origins: Origins): Record<string, string> {
  return origins === 'any' || origins.length === 0 ? {} : { vary: 'origin' }
}

export function useOrigins(origins: Origins): Plugin {
  if (origins.length === 0) return {}
  const always = originHeaders(origins)
  const allowed = (request: Request): string | undefined => {
    const origin = request.headers.get('origin')
    if (origin === null) return undefined
    if (origins === 'any') return '*'
    return (origins === 'local' ? isLocal(origin, request) : origins.includes(origin)) ? origin : undefined
  }
  return {
    onRequest(event) {
      const { request, fetchAPI } = event
      const wanted = request.headers.get('access-control-request-headers')
      if (request.method !== 'OPTIONS') return
      if (!allowed(request)) {
        if (origins === 'local' && request.headers.has('origin')) event.endResponse(new fetchAPI.Response(foreign, { status: 403, headers: { 'content-type': 'application/json; charset=utf-8' } }))
        return
      }
      event.endResponse(new fetchAPI.Response(null, {
        status: 204,
        headers: {
          'access-control-allow-methods': 'GET, POST',
          'access-control-max-age': '600',
          ...(wanted === null ? {} : { 'access-control-allow-headers': wanted }),
        },
      }))
    },
    onResponse({ request, response }) {
      const origin = allowed(request)
      for (const [name, value] of Object.entries(always)) response.headers.append(name, value)
      if (!origin) return
      response.headers.set('access-control-allow-origin', origin)
      response.headers.set('access-control-expose-headers', 'quire-session, x-request-id')
    },
  }
}

const message = 'Forbidden: in development only pages of this machine may use this gateway, because everyone may write. Set QUIRE_ORIGINS (origins) to the origin of the page.'
const foreign = JSON.stringify({ errors: [{ message, extensions: { code: 'FORBIDDEN' } }] })

/** Of this machine, or of the host that was asked, on any port. */
function isLocal(origin: string, request: Request): boolean {
  const page = URL.parse(origin)?.hostname
  return page !== undefined && page !== '' && (isLoopback(page) || page === hostnameOf(request.headers.get('host') ?? ''))
}
