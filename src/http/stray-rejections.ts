// GraphQL.js abandons promises: if one row of a list fails and nulls the list, the promises of other rows may reject later
// with no handler. The answer, with its error, has been sent by then, but Node would end the process and every other
// request with it. So unhandled rejections with a path in an answer are ignored; all others end the process as usual.

import { GraphQLError } from 'graphql'

/** For the whole process, however many gateways it has. */
export function ignoreStrayRejections(): void {
  if (process.listeners('unhandledRejection').includes(onRejection)) return
  process.on('unhandledRejection', onRejection)
}

export function isStray(reason: unknown): boolean {
  return reason instanceof GraphQLError && reason.path !== undefined
}

function onRejection(reason: unknown): void {
  if (!isStray(reason) && process.listenerCount('unhandledRejection') === 1) throw reason
}
