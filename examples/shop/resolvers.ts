// What only this shop knows: which products are similar, which it recommends, and how an order is placed.

import type { GraphQLResolveInfo } from 'graphql'
import type { Body, MutationInput, ResolverContext, StoredDocument } from '../../src/index.ts'

const bestFirst = [{ field: 'AVERAGE_RATING', direction: 'DESC' }, { field: 'NAME' }]

export const resolvers = {
  Product: {
    similar({ body }: StoredDocument, { first }: { first?: number | null }, { quire }: ResolverContext) {
      const categoryIds = (body['categories'] as readonly Body[]).map(({ id }) => id)
      return quire.query('Product', { filter: { categoryIds: { containsAny: categoryIds }, id: { ne: body['id'] } }, orderBy: bestFirst, first: first ?? null })
    },
  },

  Query: {
    recommended(_: unknown, { stars, category, first }: Recommended, { quire }: ResolverContext) {
      const inCategory = category == null ? {} : { categories: { some: { name: { eq: category } } } }
      return quire.query('Product', { filter: { averageRating: { gte: stars }, stock: { gt: 0 }, ...inCategory }, orderBy: bestFirst, first: first ?? null })
    },
  },

  Mutation: {
    // Product.stock cannot be less than 0, so a line that takes too many refuses the whole order. If another order takes from the same
    // product meanwhile, Quire runs the function again on what is left.
    placeOrder: (_: unknown, { input }: { input: PlaceOrder }, { quire }: ResolverContext, info: GraphQLResolveInfo) =>
      quire.mutate(input, info, async (change) => {
        const { customerId, lines } = input
        let cents = 0
        for (const { productId, quantity } of lines) {
          const { after } = await change.update('Product', { id: productId, increment: { stock: -quantity } })
          cents += quantity * Math.round(Number(after!['price']) * 100)
        }
        return { order: await change.create('Order', { customerId, placedAt: new Date(), total: cents / 100, lines }) }
      }),

    addReview: (_: unknown, { input }: { input: AddReview }, { quire }: ResolverContext, info: GraphQLResolveInfo) =>
      quire.mutate(input, info, async (change) => ({ product: await change.append('Product.reviews', input.productId, input) })),
  },
}

interface Recommended {
  readonly stars: number
  readonly category?: string | null
  readonly first?: number | null
}

type PlaceOrder = MutationInput & { readonly customerId: string; readonly lines: readonly { readonly productId: string; readonly quantity: number }[] }
type AddReview = MutationInput & { readonly productId: string; readonly stars: number; readonly text?: string | null; readonly reviewer: string }
