// CORS: which other sites' pages may read answers. With no origins there are no CORS headers, so browsers let none. Cookies
// are never allowed: viewers are identified by the authorization header, which only a program can set.

import type { Plugin } from 'graphql-yoga'
import type { Origins } from '../http-options.ts'

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
    return origins === 'any' ? '*' : origins.includes(origin) ? origin : undefined
  }
  return {
    onRequest(event) {
      const { request, fetchAPI } = event
      const wanted = request.headers.get('access-control-request-headers')
      if (request.method !== 'OPTIONS' || !allowed(request)) return
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
