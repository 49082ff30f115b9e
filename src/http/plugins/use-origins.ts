// Which pages of other sites may read answers. Without any, browsers are told nothing, and so let nobody. Nobody is
// let in with cookies: who asks is said by a header that a program has to set.

import type { Plugin } from 'graphql-yoga'

/** `any` is for development. */
export type Origins = readonly string[] | 'any'

/** What answers say to everybody: another page may be told something else. */
export function originHeaders(origins: Origins): Record<string, string> {
  return origins === 'any' || origins.length === 0 ? {} : { vary: 'origin' }
}

export function useOrigins(origins: Origins): Plugin {
  if (origins.length === 0) return {}
  const same = originHeaders(origins)
  const allowed = (request: Request): string | undefined => {
    const origin = request.headers.get('origin')
    if (origin === null) return undefined
    return origins === 'any' ? '*' : origins.includes(origin) ? origin : undefined
  }
  return {
    onRequest(asked) {
      const { request, fetchAPI } = asked
      const wanted = request.headers.get('access-control-request-headers')
      if (request.method !== 'OPTIONS' || !allowed(request)) return
      asked.endResponse(new fetchAPI.Response(null, {
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
      for (const [name, value] of Object.entries(same)) response.headers.append(name, value)
      if (!origin) return
      response.headers.set('access-control-allow-origin', origin)
      response.headers.set('access-control-expose-headers', 'quire-session, x-request-id')
    },
  }
}
