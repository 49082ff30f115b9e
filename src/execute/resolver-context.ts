// The GraphQL context as resolvers outside Quire see it.

import type { ChangeStream } from '../feed/change-stream.ts'
import type { Mutate } from '../write/mutations.ts'

export interface ResolverContext {
  readonly quire: {
    /** Runs a mutation: all changes are written as one, and snapshots, lists and counts follow. */
    readonly mutate: Mutate
    /** Documents as they change, for subscriptions. */
    readonly changes: Pick<ChangeStream, 'of'>
  }
}
