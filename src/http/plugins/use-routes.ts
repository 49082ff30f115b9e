// Answers paths that nothing is served at. The gateway looks at the end of the path only, so that it serves the same wherever it is
// mounted: `/graphql` and `/api/graphql`.

import type { Plugin } from 'graphql-yoga'

/** `/graphql` at the root and below any path, as a URLPattern. */
export const graphqlEndpoint = '/:mount*/graphql{/}?'

const message = 'Nothing is served at this path. Quire serves GraphQL at paths that end in /graphql, such as /api/graphql: send operations there, and route that path to Quire.'
const notFound = JSON.stringify({ errors: [{ message, extensions: { code: 'NOT_FOUND' } }] })

export function useRoutes(): Plugin {
  return {
    onRequest(event) {
      if (/\/graphql\/?$/.test(event.url.pathname)) return
      event.endResponse(new event.fetchAPI.Response(notFound, { status: 404, headers: { 'content-type': 'application/json; charset=utf-8' } }))
    },
  }
}
