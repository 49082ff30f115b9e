// Every field that Quire logs. Logging one that is not in this list does not compile; docs/observability.md explains each.

export const logFields = [
  // Which of several processes, in every line that it writes.
  'worker',
  // In every line about a request.
  'requestId',
  // An answered request.
  'method', 'path', 'status', 'durationMs',
  // The operation of the request.
  'operation', 'operationName', 'roundTrips', 'requestCharge', 'estimated', 'errors',
  // An error.
  'code', 'at', 'err', 'reason',
  // The change feed.
  'times', 'part', 'setAside', 'changes',
  // Start and shutdown, and messages of Yoga.
  'address', 'requests', 'afterMs', 'from',
] as const

/**
 * The fields of a log line. There are no others.
 *
 * @example
 * ```ts
 * const fields: LogFields = { requestId: 'r1', status: 200 }
 * ```
 */
export type LogFields = { readonly [field in (typeof logFields)[number]]?: unknown }
