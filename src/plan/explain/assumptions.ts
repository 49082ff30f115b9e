// What explain knows of the documents: nothing, unless it can ask a store. Each assumption that it makes instead is a
// sentence in its output.

import { selectionOf } from '../../read/selection.ts'
import type { PlannedRead, PlannedReads, Range } from '../../read/planned-reads.ts'
import type { DocumentType, Model } from '../../model/model.ts'
import type { Query, Selection } from '../../store/query.ts'
import type { Store } from '../../store/store.ts'
import type { Scattered } from './scattered-cost.ts'

export interface Known {
  /** The sizes of the documents that a read finds. */
  readonly bytes: (asked: Pick<PlannedRead, 'type' | 'container'>) => Range
  /** How many documents there are. */
  readonly count: (type: DocumentType | undefined) => number
  /** The page of a root list, with as many rows as there can be. */
  readonly listed: (reads: PlannedReads) => PlannedReads
  /** More keys than this are sent as several requests. */
  readonly keysPerRequest: number
  /** Undefined where each batch of reads is one request. */
  readonly scattered?: Scattered
  readonly assumed: readonly string[]
}

const assumedBytes = 1024

export const nothingKnown: Known = {
  bytes: () => ({ least: assumedBytes, most: assumedBytes }),
  count: () => Infinity,
  listed: (reads) => reads,
  keysPerRequest: 1000,
  assumed: ['Every document is assumed to have 1 KB. With --store, sizes and counts come from the store.'],
}

/** How many documents of a type are read to estimate their sizes. */
const sampled = 100

/** What a store that is charged for by others may keep with a document and does not count as its size. */
const bytesBeside = 256

export async function knownFrom(store: Store, { documents }: Model): Promise<Known> {
  const { keysPerRequest, charges } = store.supports
  const beside = charges === 'measured' ? bytesBeside : 0
  const sample = async (selection: Selection) => {
    const [count, some] = await Promise.all([store.count(selection), store.query({ ...selection, orderBy: { path: ['id'], descending: false }, limit: sampled })])
    const sizes = some.length === 0 ? [assumedBytes] : some.map(({ bytes }) => bytes)
    return { count, bytes: { least: Math.min(...sizes), most: Math.max(...sizes) + beside } }
  }
  const found = new Map(await Promise.all([...documents.values()].map(async (type) => [type, await sample(selectionOf(type))] as const)))
  // Buckets and joining documents have no type of their own, but a container.
  const containers = [...new Set([...documents.values()].map(({ container }) => container))]
  const contained = new Map(await Promise.all(containers.map(async (container) => [container, await sample({ container })] as const)))
  const count = (type: DocumentType | undefined) => (type ? found.get(type)?.count : undefined) ?? Infinity
  return {
    bytes: ({ type, container }) => ((type && found.get(type)) ?? contained.get(container))?.bytes ?? { least: assumedBytes, most: assumedBytes },
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
    keysPerRequest,
    ...(charges === 'measured' ? { scattered: { reach: ({ selection, container }) => store.reach(selection ?? { container }) } } : {}),
    assumed: [`No document is assumed to be larger than the largest of the first ${sampled} of its type.`],
  }
}
