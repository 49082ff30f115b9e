// How much memory a parsed document takes, so that caches of them can be bounded in bytes.

import type { DocumentNode } from 'graphql'

/** What a token of a document takes with all nodes that are made of it: measured, and rounded up. */
const bytesPerToken = 500

export function bytesOf(document: DocumentNode): number {
  let tokens = 0
  for (let token = document.loc?.startToken ?? null; token; token = token.next) tokens++
  return 1000 + 2 * (document.loc?.source.body.length ?? 0) + tokens * bytesPerToken
}
