// Errors that are our fault, as lines of the log. Of an exception everything is told but what else hangs on
// it; of what GraphQL itself complains about only the place, because its messages quote documents.

import { GraphQLError } from 'graphql'
import { codeOf } from '../errors.ts'
import { originalOf } from '../masked-errors.ts'
import type { Log } from './log.ts'
import { arrivalOf } from './request.ts'

export function logFault(log: Log, answered: GraphQLError, request: Request): void {
  const code = codeOf(answered)
  const err = thrown(originalOf(answered))
  const line = { requestId: arrivalOf(request).id, code, ...(answered.path ? { at: answered.path.join('.') } : {}) }
  // Where the store was asked from does not say why it did not answer.
  if (code === 'STORE_UNAVAILABLE') log.warn({ ...line, ...(err ? { reason: err.message } : {}) }, 'The store did not answer.')
  else log.error({ ...line, ...(err ? { err } : {}) }, 'Something went wrong that should not.')
}

/** The exception below all the wrapping, if there is one. */
function thrown(error: unknown): Error | undefined {
  if (error instanceof GraphQLError) return thrown(error.originalError)
  return error instanceof Error ? error : undefined
}
