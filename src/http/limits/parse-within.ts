// Parses a document and checks it against the limits.

import { parse, type DocumentNode } from 'graphql'
import { CountingLexer } from './counting-lexer.ts'
import type { Limits } from './request-limits.ts'
import { measure } from './check-document.ts'

export function parseWithin(text: string, limits: Limits): DocumentNode {
  const lexer = new CountingLexer(text, limits)
  // The parser keeps comments in memory like tokens, though the language does not count them as such.
  const document = parse(lexer.source, { lexer, maxComments: limits.tokens })
  measure(document, limits)
  return document
}
