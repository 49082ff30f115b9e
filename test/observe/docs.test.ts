// docs/observability.md lists every metric with the registry's help text, every log field and every span attribute, and its
// queries use only metrics and labels that exist.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { logFields } from '../../src/observe/log/log-fields.ts'
import { Metrics } from '../../src/observe/metrics.ts'

const page = readFileSync('docs/observability.md', 'utf8')
const { registry } = new Metrics('estimated', { boundMs: () => 0, deadLetters: () => 0, partLagsMs: () => new Map(), catchUp: () => undefined, caches: () => ({ operations: 0, rows: 0, answers: 0, parsed: 0, documents: 0 }) })

interface Registered {
  readonly name: string
  readonly help: string
  readonly type: unknown
  readonly labelNames: readonly string[]
}

const registered = registry.getMetricsAsArray() as unknown as Registered[]

test('the table lists the metrics of the registry', async () => {
  const types = new Map((await registry.getMetricsAsJSON()).map(({ name, type }) => [name, String(type)]))
  const rows = registered.map(({ name, help, labelNames }) => `| \`${name}\` | ${types.get(name)} | ${labelNames.filter((label) => label !== 'le').map((label) => `\`${label}\``).join(', ')} | ${help} |`)
  const table = page.split('\n').filter((line) => line.startsWith('| `quire_'))
  expect(table).toEqual(rows)
})

test('queries use existing metrics and labels', () => {
  const queries = [...page.matchAll(/```promql[^\n]*\n([\s\S]*?)```/g)].map(([, text]) => text!).join('\n')
  const known = new Map(registered.map(({ name, labelNames }) => [name, labelNames]))
  const asked = [...queries.matchAll(/(quire_\w+?)(?:_bucket|_sum|_count)?(?:\{([^}]*)\})?(?=[\s[)])/g)]
  expect(asked.length).toBeGreaterThan(5)
  for (const [, name, labels = ''] of asked) {
    expect(known.has(name!), name).toBe(true)
    for (const [, label] of labels.matchAll(/(\w+)=/g)) expect(known.get(name!)).toContain(label)
  }
})

test('every log field is explained', () => {
  expect(logFields.filter((field) => !page.includes(`\`${field}\``))).toEqual([])
})

test('every span attribute is explained', () => {
  const attributes = [...readFileSync('src/observe/spans.ts', 'utf8').matchAll(/'((?:quire|db|graphql|error)\.[a-z_.]+)'/g)].map(([, attribute]) => attribute!)
  expect(attributes.length).toBeGreaterThan(10)
  expect(attributes.filter((attribute) => attribute !== 'graphql.error' && !page.includes(`\`${attribute}\``))).toEqual([])
})
