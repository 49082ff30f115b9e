// The refusals of a gateway that has reached its load limits.

import type { GraphQLError } from 'graphql'
import { errorCodes } from '../../errors.ts'
import { httpError } from '../../graphql-errors.ts'

const message = 'Overloaded: too many operations are running, and this one was not started. Try again.'

export function overloaded(): GraphQLError {
  return httpError('OVERLOADED', message)
}

const { status, retryAfterSeconds } = errorCodes.OVERLOADED

/** The same answer for the fast path, serialized once. */
export const overloadedAnswer = { status, headers: { 'retry-after': String(retryAfterSeconds) }, body: JSON.stringify({ errors: [{ message, extensions: { code: 'OVERLOADED' } }] }) } as const

export function tooManySubscriptions(): GraphQLError {
  return httpError('OVERLOADED', 'Overloaded: the maximum number of subscriptions is open. Try again later.', { retryAfterSeconds: 10 })
}

export function tooManyOfCaller(max: number): GraphQLError {
  return httpError('RATE_LIMITED', `Too many subscriptions: this caller has ${max} open. End one, or try again later.`, { retryAfterSeconds: 10 })
}
