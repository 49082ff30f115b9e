// One run of a compiled operation: what is this request's own.

import type { RequestContext } from '../resolvers.ts'

export interface Run {
  readonly context: RequestContext
  /** Coerced, with their defaults. */
  readonly variables: Record<string, unknown>
}
