// The subscriptions that only the library has.

import type { Body, ChangeEvent, ResolverContext, StoredDocument } from '../../src/index.ts'

/** A stock document changes with every trade, its price only sometimes. */
async function* priceChanges(symbols: readonly string[] | null | undefined, changes: AsyncGenerator<ChangeEvent>): AsyncGenerator<ChangeEvent> {
  const lastPrices = new Map<string, string>()
  for await (const event of changes) {
    const { key, body } = event.document
    const price = priceOf(body)
    if ((symbols && !symbols.includes(body['symbol'] as string)) || lastPrices.get(key.id) === price) continue
    lastPrices.set(key.id, price)
    yield event
  }
}

function priceOf(body: Body): string {
  return JSON.stringify([body['open'], body['high'], body['low']])
}

export const subscriptions = {
  Subscription: {
    stockPriceChanged: {
      subscribe: (_: unknown, { symbols, after }: { symbols?: string[] | null; after?: string | null }, { quire }: ResolverContext) =>
        priceChanges(symbols, quire.changes.of('Stock', after)),
      resolve: ({ document }: ChangeEvent): StoredDocument => document,
    },
  },
}
