// Reads that need no promise. A store in this process may have the documents in memory; it then offers, beside its
// methods, reads that answer at once, or by a promise if the query is long. They report to no meter.
//
// An offer belongs to the method itself, not to the store. Code that replaces a method, to count, delay, confine or
// fail calls, is therefore never bypassed: not by spreading the store, not by inheriting from it, not by a proxy or a spy.

import type { Key } from '../model/keys/key.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { Query, Selection } from './query.ts'
import type { Store, StoredDocument } from './store.ts'

/** The same as the store's methods with these names. */
export interface SynchronousReads {
  readonly readMany: (container: string, keys: readonly Key[]) => MaybePromise<(StoredDocument | undefined)[]>
  readonly query: (query: Query) => MaybePromise<StoredDocument[]>
  readonly count: (selection: Selection) => MaybePromise<number>
  /** Looks up documents of a container as they are now, valid until the caller awaits anything. Undefined if the store keeps none in memory. */
  readonly lookIn: (container: string) => SynchronousLookup | undefined
}

/** The document with this key, undefined if there is none. Throws `notSynchronous` if it is not in memory. */
export type SynchronousLookup = (key: Key) => StoredDocument | undefined

/** Made once, since making an error is slow; it carries nothing. */
export const notSynchronous = new Error('This document is not in memory: the store has to be asked for it.')

/** The methods that have a synchronous form. */
export type SynchronousMethod = 'readMany' | 'query' | 'count'

const readsByMethod = new WeakMap<Store[SynchronousMethod], SynchronousReads>()

export function withSynchronousReads(store: Store, reads: SynchronousReads): Store {
  for (const method of ['readMany', 'query', 'count'] as const) readsByMethod.set(store[method], reads)
  return store
}

/** The synchronous form of a store's method; undefined if the method has none. */
export function synchronousReadsOf(store: Store, method: SynchronousMethod): SynchronousReads | undefined {
  return readsByMethod.get(store[method])
}
