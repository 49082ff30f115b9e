// Replaces errors with what clients may see of them, and remembers the originals for the log.

import { GraphQLError } from 'graphql'
import { maskError } from 'graphql-yoga'
import { visibleError } from '../graphql-errors.ts'

const originals = new WeakMap<object, unknown>()

/**
 * Shows the code and message of a known error. Of an unexpected one, production shows only that it happened; in development,
 * its message is shown, and its stack is in `extensions.originalError`.
 */
export function maskedError(error: unknown, message: string, development = false): Error {
  const answered = visibleError(error) ?? maskError(error, development ? unmasked(error, message) : message, development)
  if (answered !== error) originals.set(answered, error)
  return answered
}

function unmasked(error: unknown, message: string): string {
  const thrown = error instanceof GraphQLError ? (error.originalError ?? error) : error
  return thrown instanceof Error && thrown.message !== '' ? `Unexpected error: ${thrown.message}` : message
}

/** The error that was thrown, behind the one that was answered. */
export function originalOf(answered: Error): unknown {
  return originals.get(answered) ?? answered
}
