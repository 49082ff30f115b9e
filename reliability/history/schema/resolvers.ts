// The subscription to authors.

import type { ChangeEvent, ResolverContext, StoredDocument } from '../../../src/index.ts'

export const resolvers = {
  Subscription: {
    authorChanged: {
      subscribe: (_: unknown, { after }: { after?: string | null }, { quire }: ResolverContext) => quire.changes.of('Author', after),
      resolve: ({ document }: ChangeEvent): StoredDocument => document,
    },
  },
}
