// Estimates the memory of a parsed document, so that caches of documents can be bounded in bytes.

import type { DocumentNode } from 'graphql'

/** Memory of a token with all syntax nodes that are made of it: measured, and rounded up. */
const bytesPerToken = 500

export function bytesOf(document: DocumentNode): number {
  let tokens = 0
  for (let token = document.loc?.startToken ?? null; token; token = token.next) tokens++
  return 1000 + 2 * (document.loc?.source.body.length ?? 0) + tokens * bytesPerToken
}
