// Gives every request an id: the one in its x-request-id header if that is safe to log, otherwise a new one. Logs, spans,
// errors and the header of the answer quote it.

import type { Plugin } from 'graphql-yoga'
import { requestState } from '../../auth/request-state.ts'

export function useRequestId(): Plugin {
  return {
    onRequest({ request }) {
      requestState(request)
    },
    onResponse({ request, response }) {
      response.headers.set('x-request-id', requestState(request).id)
    },
  }
}
