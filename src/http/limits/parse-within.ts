// Parses a document within limits.

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
