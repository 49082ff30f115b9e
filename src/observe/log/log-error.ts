// Logs errors that operators have to look into. An exception is logged with message and stack; an error of GraphQL itself
// only with its path, because its message quotes the document.

import { GraphQLError } from 'graphql'
import { codeOf } from '../../graphql-errors.ts'
import { originalOf } from '../masked-errors.ts'
import type { Log } from './log.ts'
import { requestState } from '../../auth/request-state.ts'

export function logError(log: Log, answered: GraphQLError, request: Request): void {
  const code = codeOf(answered)
  const err = thrown(originalOf(answered))
  const line = { requestId: requestState(request).id, code, ...(answered.path ? { at: answered.path.join('.') } : {}) }
  // The reason without a stack: the caller's stack does not say why the store failed.
  if (code === 'STORE_UNAVAILABLE') log.warn({ ...line, ...(err ? { reason: err.message } : {}) }, 'The store did not answer.')
  else if (code === 'IDENTITY_UNAVAILABLE') log.warn({ ...line, ...(err ? { reason: err.message } : {}) }, 'The key server did not answer.')
  else log.error({ ...line, ...(err ? { err } : {}) }, 'Unexpected error in an operation.')
}

/** The exception inside the GraphQL errors that wrap it, if there is one. */
function thrown(error: unknown): Error | undefined {
  if (error instanceof GraphQLError) return thrown(error.originalError)
  return error instanceof Error && !isFromGraphQL(error) ? error : undefined
}

/** Yoga's executor rethrows GraphQL's own errors as plain errors, so the stack has to tell them apart. */
function isFromGraphQL({ stack = '' }: Error): boolean {
  const thrower = stack.split('\n').find((line) => /^\s+at /.test(line)) ?? ''
  return /node_modules\/(graphql|@graphql-tools\/executor)\//.test(thrower.replaceAll('\\', '/'))
}
