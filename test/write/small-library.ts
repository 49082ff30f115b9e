// The shipped schema over a handful of documents, for tests of its mutations: small enough to compare as a whole.

import { derive } from '../../schema/library/derive.ts'
import { resolvers } from '../../schema/library/resolvers.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import type { Documents, Settles } from '../harness.ts'
import { openWritable, type Writable } from './open-writable.ts'

export const library = { typeDefs: readSdlFolder('schema/library'), derive, resolvers }

export const documents: Documents = {
  Author: [
    { id: 'a1', firstName: 'Thomas', lastName: 'Andersen', images: [{ thumbnail: 'a1.png' }], countOfBooks: 1, books: ['b1'] },
    { id: 'a2', firstName: 'William', lastName: 'Wakefield', images: [], countOfBooks: 0, books: [] },
  ],
  Publisher: [{ id: 'mspress', name: 'Microsoft Press', countOfBooks: 1 }, { id: 'other', name: 'Other', countOfBooks: 0 }],
  Book: [
    { id: 'b1', bookId: 'b1', name: 'Azure Cosmos DB 101', authors: [{ id: 'a1', name: 'Thomas Andersen', thumbnailUrl: 'a1.png' }], 'pub-id': 'mspress', countOfReviews: 0, recentReviews: [] },
    { id: 'b2', bookId: 'b2', name: 'Anonymous', authors: [], countOfReviews: 0, recentReviews: [] },
  ],
  Person: [{ id: '1', firstName: 'Thomas', lastName: 'Andersen', addresses: [], contactDetails: [] }],
  Portfolio: [{ id: 'f1', name: 'Savings', personId: '1', holdings: [{ numberHeld: 100, stockId: 1 }, { numberHeld: 50, stockId: 2 }] }],
  Stock: [
    { id: '1', symbol: 'zaza', open: 1, high: 2, low: 0.5, vol: 1000, 'mkt-cap': 42, pe: 5.89 },
    { id: '2', symbol: 'xcxc', open: 89, high: 93.24, low: 88.87, vol: 2000, 'mkt-cap': 100, pe: 75.82 },
    { id: '3', symbol: 'nono', open: 1, high: 1, low: 1, vol: 0, 'mkt-cap': 1 },
  ],
}

export function openLibrary(store: GatewayOptions['store'], changed: Documents = {}, settles: Settles = {}): Promise<Writable> {
  return openWritable({ ...library, ...settles, store, documents: { ...documents, ...changed } })
}

/** One operation that adds that many reviews, one after the other, each with its number as text. */
export function addReviews(bookId: string, from: number, count: number): string {
  const all = Array.from({ length: count }, (_, at) =>
    `r${at}: addReview(input: { bookId: "${bookId}", rating: ${(from + at) % 11}, text: "${from + at}", reviewer: "R" }) { review { text } }`)
  return `mutation { ${all.join(' ')} }`
}
