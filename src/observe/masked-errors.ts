// Replaces errors with what clients may see of them, and remembers the originals for the log.

import { maskError } from 'graphql-yoga'
import { visibleError } from '../errors.ts'

const originals = new WeakMap<object, unknown>()

/** Shows the code and message of a known error. Masks an unexpected one, unless `isDev`. */
export function maskedError(error: unknown, message: string, isDev?: boolean): Error {
  const answered = visibleError(error) ?? maskError(error, message, isDev)
  if (answered !== error) originals.set(answered, error)
  return answered
}

/** The error that was thrown, behind the one that was answered. */
export function originalOf(answered: Error): unknown {
  return originals.get(answered) ?? answered
}
