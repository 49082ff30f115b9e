// Reads that need no promise. A store inside of this process may have what is asked for in hand, and then says beside
// its methods how the same is answered at once, or by a promise where it would take long. No meter is told.
// It may also let whoever asks look for one document after the other, as long as it need not ask anyone itself.
//
// This goes by the method itself, and is no property of it or of the store. Whoever puts another method in its place,
// to count, to delay, to confine or to fail, is asked: neither spreading a store nor inheriting from it, neither a
// proxy nor a spy that looks like the real one can be gone around.

import type { Key } from '../model/keys/key.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { Query, Selection } from './query.ts'
import type { Store, StoredDocument } from './store.ts'

/** The same as the methods of a store with these names. */
export interface SynchronousReads {
  readonly readMany: (container: string, keys: readonly Key[]) => MaybePromise<(StoredDocument | undefined)[]>
  readonly query: (query: Query) => MaybePromise<StoredDocument[]>
  readonly count: (selection: Selection) => MaybePromise<number>
  /** For the documents of a container as they are now, until whoever looks waits for anything; undefined where there is nothing to look at. */
  readonly lookIn: (container: string) => Look | undefined
}

/** The document behind a key, or undefined if there is none. Throws `notSynchronous` if the store would have to ask. */
export type Look = (key: Key) => StoredDocument | undefined

/** One for all: it says nothing but that, and is made of nothing. */
export const notSynchronous = new Error('The store would have to ask for this document.')

/** The methods of a store that can be gone around so. */
export type SynchronousMethod = 'readMany' | 'query' | 'count'

const known = new WeakMap<Store[SynchronousMethod], SynchronousReads>()

/** The store, which has this in hand. */
export function withSynchronousReads(store: Store, inHand: SynchronousReads): Store {
  for (const method of ['readMany', 'query', 'count'] as const) known.set(store[method], inHand)
  return store
}

/** How to have at once what this method of a store answers; undefined where it has to be asked. */
export function synchronousReadsOf(store: Store, method: SynchronousMethod): SynchronousReads | undefined {
  return known.get(store[method])
}
