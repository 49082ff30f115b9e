// What is said to those who are sent away because there is too much to do.

import type { GraphQLError } from 'graphql'
import { notNow } from '../errors.ts'

const message = 'There is too much to do at the moment, and this was not begun. Try again.'

export function overloaded(): GraphQLError {
  return notNow('OVERLOADED', message, 503, 1)
}

/** The same, as it goes out the short way: nothing is made for it. */
export const overloadedAnswer = { status: 503, headers: { 'retry-after': '1' }, body: JSON.stringify({ errors: [{ message, extensions: { code: 'OVERLOADED' } }] }) } as const

export function tooManySubscriptions(): GraphQLError {
  return notNow('OVERLOADED', 'As many subscriptions are open as this gateway serves. Try again later.', 503, 10)
}
