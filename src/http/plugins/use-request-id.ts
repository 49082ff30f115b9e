// Every request has an id: the one it brings, if that is fit for it, or a new one. Logs, spans and errors
// quote it, and it is in the headers of the answer.

import type { Plugin } from 'graphql-yoga'
import { arrivalOf } from '../../auth/arrival.ts'

export function useRequestId(): Plugin {
  return {
    onRequest({ request }) {
      arrivalOf(request)
    },
    onResponse({ request, response }) {
      response.headers.set('x-request-id', arrivalOf(request).id)
    },
  }
}
