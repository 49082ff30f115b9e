// Errors that a client causes or can do something about. Everything else is masked on its way out.

import { GraphQLError } from 'graphql'

export type ErrorCode = 'BAD_USER_INPUT' | 'NOT_FOUND' | 'REFERENCE_MISSING' | 'REFERENCED' | 'CONFLICT' | 'STORE_UNAVAILABLE'

export function badInput(message: string): GraphQLError {
  return clientError('BAD_USER_INPUT', message)
}

export function clientError(code: ErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}
