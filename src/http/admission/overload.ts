// The refusals of a gateway that has reached its load limits.

import type { GraphQLError } from 'graphql'
import { errorCodes } from '../../errors.ts'
import { httpError } from '../../graphql-errors.ts'
import type { NoPlace } from '../subscriptions/open-subscriptions.ts'

const message = 'Overloaded: too many operations are running, and this one was not started. Try again.'

export function overloaded(): GraphQLError {
  return httpError('OVERLOADED', message)
}

const { status, retryAfterSeconds } = errorCodes.OVERLOADED

/** The same answer for the fast path, serialized once. */
export const overloadedAnswer = { status, headers: { 'retry-after': String(retryAfterSeconds) }, body: JSON.stringify({ errors: [{ message, extensions: { code: 'OVERLOADED' } }] }) } as const

export function noPlaceLeft(why: NoPlace): GraphQLError {
  return why === 'all taken'
    ? httpError('OVERLOADED', 'Overloaded: the maximum number of subscriptions is open. Try again later.', { retryAfterSeconds: 10 })
    : httpError('RATE_LIMITED', 'Too many subscriptions: this caller has as many open as one may have. End one, or try again later.', { retryAfterSeconds: 10 })
}
