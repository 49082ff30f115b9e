// What is said to those who are sent away because there is too much to do.

import type { GraphQLError } from 'graphql'
import { errorCodes, httpError } from '../../errors.ts'

const message = 'There is too much to do at the moment, and this was not begun. Try again.'

export function overloaded(): GraphQLError {
  return httpError('OVERLOADED', message)
}

const { status, retryAfterSeconds } = errorCodes.OVERLOADED

/** The same, as the fast path sends it: made once. */
export const overloadedAnswer = { status, headers: { 'retry-after': String(retryAfterSeconds) }, body: JSON.stringify({ errors: [{ message, extensions: { code: 'OVERLOADED' } }] }) } as const

export function tooManySubscriptions(): GraphQLError {
  return httpError('OVERLOADED', 'As many subscriptions are open as this gateway serves. Try again later.', { retryAfterSeconds: 10 })
}
