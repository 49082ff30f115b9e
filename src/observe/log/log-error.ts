// Logs errors that operators have to look into. An exception is logged with message and stack; an error that GraphQL made
// itself with the part of its message that quotes no document, because the log holds no values of documents.

import { GraphQLError } from 'graphql'
import { codeOf } from '../../graphql-errors.ts'
import { originalOf } from '../masked-errors.ts'
import type { Log } from './log.ts'
import { requestState } from '../../auth/request-state.ts'

export function logError(log: Log, answered: GraphQLError, request: Request): void {
  const code = codeOf(answered)
  const error = innermost(originalOf(answered))
  const err = error instanceof Error && !isFromGraphQL(error) ? error : undefined
  const reason = err ? err.message : reasonOf(error)
  const line = { requestId: requestState(request).id, code, ...(answered.path ? { at: answered.path.join('.') } : {}) }
  const because = reason === undefined ? {} : { reason }
  // The reason without a stack: the caller's stack does not say why the store failed.
  if (code === 'STORE_UNAVAILABLE') log.warn({ ...line, ...because }, 'The store did not answer.')
  else if (code === 'IDENTITY_UNAVAILABLE') log.warn({ ...line, ...because }, 'The key server did not answer.')
  else if (code === 'DOCUMENT_INVALID') log.error({ ...line, ...because }, 'A stored document does not fit its schema.')
  else log.error({ ...line, ...(err ? { err } : because) }, 'Unexpected error in an operation.')
}

/** The error inside the GraphQL errors that wrap it. */
function innermost(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? innermost(error.originalError) : error
}

/** GraphQL.js makes some of its errors as plain errors, and resolvers may throw a GraphQLError, so the stack has to tell them apart. */
function isFromGraphQL({ stack = '' }: Error): boolean {
  const thrower = stack.split('\n').find((line) => /^\s+at /.test(line)) ?? ''
  return /node_modules\/graphql\//.test(thrower.replaceAll('\\', '/'))
}

/** Messages that name only types and fields. */
const quotesNothing = /^(Cannot return null for non-nullable field|Expected Iterable)/
/** `Int cannot represent non-integer value: …`: the value comes last. */
const quotesAtTheEnd = /^[\w "]+ cannot represent [\w -]+(?=: )/

/** Why GraphQL made an error; undefined if its message may quote a document. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return `Unexpected error value: ${String(error)}`
  // A resolver threw something that is not an Error: its own message, as in an exception.
  if (error.name === 'NonErrorThrown') return error.message
  return quotesNothing.test(error.message) ? error.message : quotesAtTheEnd.exec(error.message)?.[0]
}
