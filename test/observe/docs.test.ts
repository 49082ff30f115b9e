// docs/observability.md says of every metric what the registry says, no more and no less; and its queries
// ask for what there is.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Metrics } from '../../src/observe/metrics.ts'

const page = readFileSync('docs/observability.md', 'utf8')
const { registry } = new Metrics('estimated', { boundMs: () => 0, deadLetters: () => 0, caches: () => ({ operations: 0, rows: 0, answers: 0, parsed: 0, documents: 0 }) })

interface Registered {
  readonly name: string
  readonly help: string
  readonly type: unknown
  readonly labelNames: readonly string[]
}

const registered = registry.getMetricsAsArray() as unknown as Registered[]

test('the table of metrics is what the registry has', async () => {
  const types = new Map((await registry.getMetricsAsJSON()).map(({ name, type }) => [name, String(type)]))
  const rows = registered.map(({ name, help, labelNames }) => `| \`${name}\` | ${types.get(name)} | ${labelNames.filter((label) => label !== 'le').map((label) => `\`${label}\``).join(', ')} | ${help} |`)
  const table = page.split('\n').filter((line) => line.startsWith('| `quire_'))
  expect(table).toEqual(rows)
})

test('queries ask for metrics and labels that there are', () => {
  const queries = [...page.matchAll(/```promql\n([\s\S]*?)```/g)].map(([, text]) => text!).join('\n')
  const known = new Map(registered.map(({ name, labelNames }) => [name, labelNames]))
  const asked = [...queries.matchAll(/(quire_\w+?)(?:_bucket|_sum|_count)?(?:\{([^}]*)\})?(?=[\s[)])/g)]
  expect(asked.length).toBeGreaterThan(5)
  for (const [, name, labels = ''] of asked) {
    expect(known.has(name!), name).toBe(true)
    for (const [, label] of labels.matchAll(/(\w+)=/g)) expect(known.get(name!)).toContain(label)
  }
})

test('every field of a line of the log and every attribute of a span is explained', () => {
  const source = ['log/log-error', 'log/request-log', 'log/feed-log', 'spans'].map((name) => readFileSync(`src/observe/${name}.ts`, 'utf8')).join('\n')
  for (const [, attribute] of source.matchAll(/'((?:quire|db|graphql|error)\.[a-z_.]+)'/g)) if (attribute !== 'graphql.error') expect(page, attribute).toContain(`\`${attribute}\``)
  for (const field of ['requestId', 'method', 'path', 'status', 'durationMs', 'operation', 'operationName', 'roundTrips', 'requestCharge', 'estimated', 'errors', 'code', 'at', 'err', 'reason']) {
    expect(source).toContain(field)
    expect(page).toContain(`\`${field}\``)
  }
})
