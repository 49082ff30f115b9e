// Errors that are our fault, as lines of the log. Of an exception it is told what it says and where it was
// thrown; of what GraphQL itself complains about only the place, because its messages quote documents.

import { GraphQLError } from 'graphql'
import { codeOf } from '../../errors.ts'
import { originalOf } from '../masked-errors.ts'
import type { Log } from './log.ts'
import { arrivalOf } from '../../auth/request-state.ts'

export function logError(log: Log, answered: GraphQLError, request: Request): void {
  const code = codeOf(answered)
  const err = thrown(originalOf(answered))
  const line = { requestId: arrivalOf(request).id, code, ...(answered.path ? { at: answered.path.join('.') } : {}) }
  // Where the store was asked from does not say why it did not answer.
  if (code === 'STORE_UNAVAILABLE') log.warn({ ...line, ...(err ? { reason: err.message } : {}) }, 'The store did not answer.')
  else if (code === 'IDENTITY_UNAVAILABLE') log.warn({ ...line, ...(err ? { reason: err.message } : {}) }, 'The key server did not answer.')
  else log.error({ ...line, ...(err ? { err } : {}) }, 'Something went wrong that should not.')
}

/** The exception below all the wrapping, if there is one. */
function thrown(error: unknown): Error | undefined {
  if (error instanceof GraphQLError) return thrown(error.originalError)
  return error instanceof Error && !isOfGraphQL(error) ? error : undefined
}

/** Yoga's executor makes plain errors of what GraphQL complains about, so where it was thrown has to tell. */
function isOfGraphQL({ stack = '' }: Error): boolean {
  const thrower = stack.split('\n').find((line) => /^\s+at /.test(line)) ?? ''
  return /node_modules\/(graphql|@graphql-tools\/executor)\//.test(thrower.replaceAll('\\', '/'))
}
