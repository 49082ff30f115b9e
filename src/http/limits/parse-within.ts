// Parses a document and checks it against the limits. The steps that this takes are noted with the document.

import { parse, type DocumentNode } from 'graphql'
import { RequestSteps } from '../../plan/request-steps.ts'
import { CountingLexer } from './counting-lexer.ts'
import type { Limits } from './request-limits.ts'
import { measure } from './check-document.ts'

export function parseWithin(text: string, limits: Limits): DocumentNode {
  const steps = new RequestSteps(limits.steps)
  const lexer = new CountingLexer(text, limits, steps)
  // The parser keeps comments in memory like tokens, though the language does not count them as such.
  const document = parse(lexer.source, { lexer, maxComments: limits.tokens })
  measure(document, limits, steps)
  steps.noteFor(document)
  return document
}
