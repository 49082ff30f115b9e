// Errors that a client causes or can do something about. Everything else is masked on its way out.

import { GraphQLError } from 'graphql'
import { ConflictError, InDoubtError, StoreUnavailableError, TooLargeError } from './store/store.ts'

export type ErrorCode = 'BAD_USER_INPUT' | 'NOT_FOUND' | 'REFERENCE_MISSING' | 'REFERENCED' | 'CONFLICT' | 'UNAUTHENTICATED' | 'STORE_UNAVAILABLE'
  | 'BAD_REQUEST' | 'REQUEST_ENTITY_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'PREFLIGHT_REQUIRED' | 'LIMIT_EXCEEDED' | 'QUERY_TOO_COSTLY' | 'INTROSPECTION_DISABLED' | 'UNTRUSTED_DOCUMENT'

export function badInput(message: string): GraphQLError {
  return clientError('BAD_USER_INPUT', message)
}

export function clientError(code: ErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}

/** The code under which an error is answered. What goes wrong at a place in the answer without anybody having said so is ours. */
export function codeOf(error: GraphQLError): string {
  const said = knownError(error) ?? (isSaid(error) ? error : undefined)
  if (!said) return unexpected
  return String(said.extensions['code'] ?? (error.path === undefined ? 'BAD_USER_INPUT' : unexpected))
}

const unexpected = 'INTERNAL_SERVER_ERROR'

/** Whether someone running this gateway could do something about it, and wants to find it in the logs. */
export function isOurFault(code: string): boolean {
  return code === unexpected || code === 'STORE_UNAVAILABLE'
}

/** Whether it was thrown as an answer, and not by accident. */
function isSaid(error: Error): boolean {
  return error instanceof GraphQLError && (!error.originalError || isSaid(error.originalError))
}

/** What to call an error that no client sees. */
export function nameOf(error: unknown): string {
  return (knownError(error)?.extensions['code'] as string | undefined) ?? (error instanceof Error ? error.name : 'Error')
}

/** What clients are told of errors that come from the store. Undefined for what they had better not know. */
export function knownError(error: unknown): GraphQLError | undefined {
  const original = error instanceof GraphQLError ? error.originalError : error
  const [code, message] = original instanceof InDoubtError ? (['STORE_UNAVAILABLE', 'The store failed, and whether this was written is not known. Look before you try again.'] as const)
    : original instanceof StoreUnavailableError ? (['STORE_UNAVAILABLE', 'The store does not answer at the moment. Try again.'] as const)
    : original instanceof TooLargeError ? (['BAD_USER_INPUT', original.message] as const)
    : original instanceof ConflictError ? (['CONFLICT', 'Someone else changed the same documents at the same moment. Try again.'] as const) : []
  if (!code) return undefined
  const { nodes, path } = error instanceof GraphQLError ? error : {}
  return new GraphQLError(message, { extensions: { code }, ...(nodes ? { nodes } : {}), ...(path ? { path } : {}) })
}
