// Parses a document within limits, and says how much memory it takes from then on.

import { parse, type DocumentNode } from 'graphql'
import { CountingLexer } from './counting-lexer.ts'
import type { Limits } from './limits.ts'
import { measure } from './measure.ts'

export function parseWithin(text: string, limits: Limits): DocumentNode {
  const lexer = new CountingLexer(text, limits)
  // Comments are no tokens for the language, and are kept like tokens.
  const document = parse(lexer.source, { lexer, maxComments: limits.tokens })
  measure(document, limits)
  return document
}

/** What a token of a document takes with all nodes that are made of it: measured, and rounded up. */
const bytesPerToken = 500

export function bytesOf(document: DocumentNode): number {
  let tokens = 0
  for (let token = document.loc?.startToken ?? null; token; token = token.next) tokens++
  return 1000 + 2 * (document.loc?.source.body.length ?? 0) + tokens * bytesPerToken
}
