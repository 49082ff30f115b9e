// What is known of the documents themselves: nothing, unless a store is asked. Everything that has to
// be assumed instead is said in a sentence.

import { selectionOf } from '../../read/selection.ts'
import type { PlannedReads, Range } from '../../read/planned-reads.ts'
import type { DocumentType, Model } from '../../model/model.ts'
import type { Query } from '../../store/query.ts'
import type { Store } from '../../store/store.ts'

export interface Known {
  /** How large a document is. */
  readonly bytes: (type: DocumentType | undefined) => number
  /** How many documents there are. */
  readonly count: (type: DocumentType | undefined) => number
  /** A page of a root list, with as many rows as there can be. */
  readonly listed: (asks: PlannedReads) => PlannedReads
  /** More keys than this are sent as several requests. */
  readonly keysPerRequest: number
  readonly assumed: readonly string[]
}

const assumedBytes = 1024

export const nothingKnown: Known = {
  bytes: () => assumedBytes,
  count: () => Infinity,
  listed: (asks) => asks,
  keysPerRequest: 1000,
  assumed: ['Every document is taken to have 1 KB. With --store, sizes and counts come from the store.'],
}

/** How many documents of a type are looked at to say how large they are. */
const looked = 100

export async function knownFrom(store: Store, { documents }: Model): Promise<Known> {
  const found = new Map(await Promise.all([...documents.values()].map(async (type) => {
    const selection = selectionOf(type)
    const [count, some] = await Promise.all([store.count(selection), store.query({ ...selection, orderBy: { path: ['id'], descending: false }, limit: looked })])
    const bytes = some.length === 0 ? assumedBytes : some.reduce((sum, document) => sum + document.bytes, 0) / some.length
    return [type, { count, bytes }] as const
  })))
  const count = (type: DocumentType | undefined) => (type ? found.get(type)?.count : undefined) ?? Infinity
  return {
    bytes: (type) => (type ? found.get(type)?.bytes : undefined) ?? assumedBytes,
    count,
    listed(asks) {
      const page = asks.stages[0]!
      const { where, after, partition } = page.selection as Query
      const bounded = ({ most }: Range): Range => {
        const there = Math.min(most, count(page.type))
        return { least: where || after || partition ? 0 : there, most: there }
      }
      return { ...asks, rows: bounded(asks.rows), stages: [{ ...page, documents: bounded(page.documents) }] }
    },
    keysPerRequest: store.supports.keysPerRequest,
    assumed: [`Documents are taken to be as large as the first ${looked} of their type are on average.`],
  }
}
