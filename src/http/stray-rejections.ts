// GraphQL.js lets go of promises: when one row of a list fails at once and takes the list with it, what other
// rows are waiting for may fail a moment later, and nobody listens any more. The answer has been given by then,
// with its error. Node would end the process all the same, and with it every other request, so errors that have
// a place in an answer are left at that. Whatever else nobody listens to ends the process as it always did.

import { GraphQLError } from 'graphql'

/** For the whole process, however many gateways it has. */
export function leaveStrayRejections(): void {
  if (process.listeners('unhandledRejection').includes(onRejection)) return
  process.on('unhandledRejection', onRejection)
}

export function isStray(reason: unknown): boolean {
  return reason instanceof GraphQLError && reason.path !== undefined
}

function onRejection(reason: unknown): void {
  if (!isStray(reason) && process.listenerCount('unhandledRejection') === 1) throw reason
}
