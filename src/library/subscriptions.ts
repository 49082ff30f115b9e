// What the shipped domain tells as it happens.

import type { ChangeEvent, ChangeStream } from '../feed/change-stream.ts'
import type { Body } from '../model/json/json.ts'
import type { StoredDocument } from '../store/store.ts'

interface SubscriptionContext {
  readonly quire: { readonly changes: Pick<ChangeStream, 'of'> }
}

/** A stock document changes with every trade; its price only now and then. */
async function* priceChanges(symbols: readonly string[] | null | undefined, changes: AsyncGenerator<ChangeEvent>): AsyncGenerator<ChangeEvent> {
  const told = new Map<string, string>()
  for await (const event of changes) {
    const { key, body } = event.document
    const price = priceOf(body)
    if ((symbols && !symbols.includes(body['symbol'] as string)) || told.get(key.id) === price) continue
    told.set(key.id, price)
    yield event
  }
}

function priceOf(body: Body): string {
  return JSON.stringify([body['open'], body['high'], body['low']])
}

export const subscriptions = {
  Subscription: {
    stockPriceChanged: {
      subscribe: (_: unknown, { symbols, after }: { symbols?: string[] | null; after?: string | null }, { quire }: SubscriptionContext) =>
        priceChanges(symbols, quire.changes.of('Stock', after)),
      resolve: ({ document }: ChangeEvent): StoredDocument => document,
    },
  },
}
