// Requests for one page of books after the other.

import type { Documents } from '../peers/documents.ts'
import { byHand } from './by-hand.ts'
import type { Request } from './operation.ts'

/** Pages of these sizes, from the first book on and again from the first one after the last. */
export function pageRequests(query: string, documents: Documents, sizes: readonly number[]): Request[] {
  const { books } = byHand(documents)
  let start = 0
  return sizes.map((first) => {
    if (start >= books.length) start = 0
    const end = start + first
    const nodes = books.slice(start, end).map(({ id, name }) => ({ id, name }))
    const pageInfo = { hasNextPage: books.length > end, endCursor: Buffer.from(nodes.at(-1)!.id).toString('base64url') }
    const request = { query, variables: { first }, continues: start > 0, expected: { books: { nodes, pageInfo } } }
    start = end
    return request
  })
}
