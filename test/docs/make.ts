// `npm run docs`: makes the generated documents, and the generated parts of the others.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { betweenMarkers } from './between-markers.ts'
import { fillResults } from './examples/fill-results.ts'
import { pages } from './examples/fences.ts'
import { operatorsTable } from './operators.ts'
import { savingsTable } from './savings.ts'
import { directivesPage } from './directives.ts'
import { modellingPart } from './modelling.ts'
import { scalePart } from './scale.ts'
import { sizingTable } from './sizing.ts'

/** By file: what the document has to be, given what it is. */
export const documents: Readonly<Record<string, (text: string) => Promise<string>>> = {
  'docs/cost-report.md': (text) => betweenMarkers(text, async (part) => (part === 'savings' ? savingsTable() : undefined)),
  'docs/operate.md': (text) => betweenMarkers(text, async () => sizingTable()),
  'docs/scaling.md': (text) => betweenMarkers(text, async (part) => scalePart(part)),
  'docs/directives.md': () => directivesPage(),
  'docs/query.md': (text) => betweenMarkers(text, async () => operatorsTable()),
  'docs/modelling.md': (text) => betweenMarkers(text, modellingPart),
}

if (process.argv[1] === import.meta.filename) {
  for (const [file, make] of Object.entries(documents)) writeFileSync(file, await make(existsSync(file) ? readFileSync(file, 'utf8') : ''))
  // Answers last, because operations run on the pages as they are then.
  for (const page of pages) writeFileSync(page, await fillResults(page, readFileSync(page, 'utf8')))
  // The servers that figures were measured on listen for ever.
  process.exit(0)
}
