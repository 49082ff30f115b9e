// Quire has no generated mutation for appending to a bucketed list, because each schema decides what an entry is made of.

import type { GraphQLResolveInfo } from 'graphql'
import type { MutationInput, ResolverContext } from '../../../src/index.ts'

type AddComment = MutationInput & { readonly postId: string; readonly author: string; readonly comment: string }

export const resolvers = {
  Mutation: {
    addComment: (_: unknown, { input }: { input: AddComment }, { quire }: ResolverContext, info: GraphQLResolveInfo) =>
      quire.mutate(input, info, async (change) => ({ post: await change.append('Post.comments', input.postId, input) })),
  },
}
