// How the fast path answers: what Yoga's plugins do for a request (identity, admission, log, metrics, headers), done here
// for requests that never reach them.

import { arrivalOf, fromNode, type IncomingRequest } from '../auth/request-state.ts'
import type { Observation } from '../observe/create-observers.ts'
import type { ServerParts } from './create-server.ts'
import type { FastPathOptions } from './fast-path.ts'
import type { HttpSettings } from './http-options.ts'
import type { Admission } from './limits/admission.ts'
import { overloaded, overloadedAnswer } from './limits/overload.ts'
import { answerHeaders } from './plugins/use-answer-headers.ts'
import { originHeaders } from './plugins/use-origins.ts'

export function fastPathOptions({ operations, observation, site }: ServerParts, { limits, origins, trusted, identity }: HttpSettings, admission: Admission): FastPathOptions<IncomingRequest> {
  const headers = Object.entries({ ...answerHeaders, ...originHeaders(origins) }).flat()
  const answer: typeof operations.answer = identity ? async (asked, request, message) => {
    arrivalOf(request).viewer = await identity.viewerOf(request.headers)
    return operations.answer(asked, request, message)
  } : (...asked) => operations.answer(...asked)
  return {
    path: '/graphql',
    // Traced and compressed requests go through Yoga, and cross-origin ones where any are allowed.
    notWith: ['quire-trace', ...(origins.length > 0 ? ['origin'] : []), 'content-encoding'],
    maxBytes: limits.bodyBytes,
    maxNesting: limits.nesting,
    ...(trusted ? { textOf: (wanted: object) => trusted.textOf(wanted) } : {}),
    arrive: fromNode,
    answer: (asked, request, message) => admission.within(() => answer(asked, request, message), () => {
      observation.observers.refuse({ request, errors: [overloaded()] })
      return overloadedAnswer
    }, true),
    answered(request, status) {
      site.countFastAnswer(status !== 200)
      countAnswer(observation, request, status)
      return ['x-request-id', arrivalOf(request).id, ...headers]
    },
  }
}

/** For answers that Yoga's plugins do not see. */
export function countAnswer({ requestLog, metrics }: Observation, request: IncomingRequest, status: number): void {
  requestLog?.answered(request, status)
  metrics?.answered(request, status)
}
