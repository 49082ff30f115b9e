// What clients see of errors, and the errors behind that, for whoever has to find out what happened.

import { maskError } from 'graphql-yoga'
import { toldError } from '../errors.ts'

const originals = new WeakMap<object, unknown>()

/** What is answered in place of an error: what we know of it, or that it was unexpected. */
export function masked(error: unknown, message: string, isDev?: boolean): Error {
  const answered = toldError(error) ?? maskError(error, message, isDev)
  if (answered !== error) originals.set(answered, error)
  return answered
}

/** The error that stands behind an answered one. */
export function originalOf(answered: Error): unknown {
  return originals.get(answered) ?? answered
}
