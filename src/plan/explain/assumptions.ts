// What explain knows of the documents: nothing, unless it can ask a store. Each assumption that it makes instead is a
// sentence in its output.

import { selectionOf } from '../../read/selection.ts'
import type { PlannedReads, Range } from '../../read/planned-reads.ts'
import type { DocumentType, Model } from '../../model/model.ts'
import type { Query } from '../../store/query.ts'
import type { Store } from '../../store/store.ts'

export interface Known {
  /** The size of a document. */
  readonly bytes: (type: DocumentType | undefined) => number
  /** How many documents there are. */
  readonly count: (type: DocumentType | undefined) => number
  /** The page of a root list, with as many rows as there can be. */
  readonly listed: (reads: PlannedReads) => PlannedReads
  /** More keys than this are sent as several requests. */
  readonly keysPerRequest: number
  readonly assumed: readonly string[]
}

const assumedBytes = 1024

export const nothingKnown: Known = {
  bytes: () => assumedBytes,
  count: () => Infinity,
  listed: (reads) => reads,
  keysPerRequest: 1000,
  assumed: ['Every document is assumed to have 1 KB. With --store, sizes and counts come from the store.'],
}

/** How many documents of a type are read to estimate their size. */
const sampled = 100

export async function knownFrom(store: Store, { documents }: Model): Promise<Known> {
  const found = new Map(await Promise.all([...documents.values()].map(async (type) => {
    const selection = selectionOf(type)
    const [count, some] = await Promise.all([store.count(selection), store.query({ ...selection, orderBy: { path: ['id'], descending: false }, limit: sampled })])
    const bytes = some.length === 0 ? assumedBytes : some.reduce((sum, document) => sum + document.bytes, 0) / some.length
    return [type, { count, bytes }] as const
  })))
  const count = (type: DocumentType | undefined) => (type ? found.get(type)?.count : undefined) ?? Infinity
  return {
    bytes: (type) => (type ? found.get(type)?.bytes : undefined) ?? assumedBytes,
    count,
    listed(reads) {
      const page = reads.stages[0]!
      const { where, after, partition } = page.selection as Query
      const bounded = ({ most }: Range): Range => {
        const there = Math.min(most, count(page.type))
        return { least: where || after || partition ? 0 : there, most: there }
      }
      return { ...reads, rows: bounded(reads.rows), stages: [{ ...page, documents: bounded(page.documents) }] }
    },
    keysPerRequest: store.supports.keysPerRequest,
    assumed: [`Documents are assumed to have the average size of the first ${sampled} of their type.`],
  }
}
