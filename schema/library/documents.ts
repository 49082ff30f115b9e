// The sample library that fills a new store: the same documents on every machine and every day.

import type { DocumentsByType, DocumentTools } from '../../src/index.ts'
import { sampleBooks } from './sample/books.ts'
import { sampleBrokerage } from './sample/brokerage.ts'

export function documents(tools: DocumentTools): DocumentsByType {
  return { ...sampleBooks(tools), ...sampleBrokerage() }
}
