// Removes the entries of deleted documents from the change feed once every follower has passed them. Only propagators need them:
// subscribers are told of documents that exist, whose entries stay, one for each. So a subscription can be resumed after any time.

import type { Store } from '../store/store.ts'

/** How many entries one write removes, so that other writers need not wait long. */
const sliceSize = 200

export async function sweepPart(store: Store, part: string, passed: string | undefined): Promise<void> {
  while ((await store.sweepFeed(part, passed, sliceSize)) === sliceSize);
}

/**
 * For a gateway that needs no propagator: each call removes what was in the feed at the call before. Between the two, the gateway has
 * made sure that no other gateway needs one either.
 */
export function createSweep(store: Store): () => Promise<void> {
  let ends: ReadonlyMap<string, string | undefined> = new Map()
  return async () => {
    for (const [part, end] of ends) await sweepPart(store, part, end)
    const parts = await store.feedParts()
    ends = new Map(await Promise.all(parts.map(async (part) => [part, await store.feedEnd(part)] as const)))
  }
}
