// `npm run savings`: runs the example operations in three ways on the sample library and prints the cost of each.
// With `--write FILE` the table goes into that file, between its markers.

import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import type { Cost } from '../../src/store/cost-model.ts'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { betweenMarkers } from './between-markers.ts'
import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { readExamples } from '../../src/serve/schema-folder/examples.ts'
import { createGateway } from '../../src/gateway.ts'
import { openStore } from '../../src/store/open-store.ts'
import { post } from '../over-http.ts'

export async function savingsTable(): Promise<string> {
  const [chosen, naive] = await Promise.all([open('batched'), open('naive')])
  const { schemaFolder } = readConfig({})
  const rows = await Promise.all(readExamples(schemaFolder).map(async ({ file, title, text: operation }) => {
    const costs = [
      await naive(operation),
      await chosen(operation.replace('{', 'query @read(from: REFERENCE) {')),
      await chosen(operation),
    ]
    return `| [${title.toLowerCase()}](../schema/${basename(schemaFolder)}/${file}) | ${costs.map(cell).join(' | ')} |`
  }))
  return ['| operation | naive | batched | chosen |', '|---|---|---|---|', ...rows].join('\n')
}

/** Round trips, waves and RU, in the form that every table uses. */
export function cell({ roundTrips, waves, requestCharge }: Cost): string {
  return `${roundTrips} · ${waves} · ${requestCharge}`
}

async function open(strategy: 'batched' | 'naive'): Promise<(query: string) => Promise<Cost>> {
  const domain = await readSchemaFolder(readConfig({}).schemaFolder)
  const gateway = await createGateway({ ...domain, strategy, openReads: true, store: (layout) => openStore({ kind: 'memory' }, layout) })
  return async (query) => {
    const response = await post(gateway, { query }, { 'quire-trace': '1' })
    const { errors, extensions } = (await response.json()) as { errors?: unknown; extensions?: { quire: CostReport } }
    if (errors || !extensions) throw new Error(`An example failed: ${JSON.stringify(errors)}\n${query}`)
    return extensions.quire.made
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { write: { type: 'string' } } })
  const table = await savingsTable()
  if (values.write === undefined) console.log(table)
  else writeFileSync(values.write, await betweenMarkers(readFileSync(values.write, 'utf8'), async (part) => (part === 'savings' ? table : undefined)))
}
