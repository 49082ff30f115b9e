// `quire compare`: the exact costs of each schema at a small size, and what holds at any size.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { comparisonPage } from '../../../src/cli/compare/comparison-page.ts'
import { runComparison, type Comparison, type OperationCost } from '../../../src/cli/compare/run-comparison.ts'
import { comparisonLines } from '../../../src/cli/compare/comparison-text.ts'
import { documents } from '../../../examples/compare/data.ts'

const sizes = [40, 500]

let compared: Comparison[]
beforeAll(async () => {
  compared = await Promise.all(sizes.map((size) => runComparison('examples/compare', size)))
})

function costs(operation: string, at = 0): Record<string, OperationCost> {
  return Object.fromEntries(compared[at]!.variants.map((variant) => [variant.name, variant.costs[operation]!]))
}

test('all figures at a small size', () => {
  const rows = comparisonLines(compared[0]!).slice(2, 12).map((line) => line.split(/ {2,}/))
  expect(rows).toEqual([
    ['', 'embedded', 'joined', 'arrays', 'hybrid'],
    ['ListPage', '1 · 1 · 5.06', '3 · 3 · 68.28', '2 · 2 · 8.69', '1 · 1 · 4.85'],
    ['DetailPage', '1 · 1 · 1.02', '4 · 3 · 7', '3 · 2 · 4', '3 · 2 · 4'],
    ['AuthorPage', '2 · 2 · 5.15', '3 · 3 · 9.02', '2 · 2 · 5.01', '2 · 2 · 5.03'],
    ['Holdings', '1 · 1 · 1', '3 · 3 · 6', '2 · 2 · 3', '2 · 2 · 3'],
    ['Rename', '3 · 3 · 142.63, 13 written', '2 · 2 · 10.9, 1 written', '2 · 2 · 10.9, 1 written', '3 · 3 · 133.73, 13 written'],
    ['Publish', '4 · 4 · 9.49, 1 written', '11 · 11 · 22.85, 3 written', '4 · 4 · 28.75, 3 written', '4 · 4 · 28.75, 3 written'],
    ['PriceChange', '3 · 3 · 413.75, 41 written', '2 · 2 · 10.9, 1 written', '2 · 2 · 10.9, 1 written', '2 · 2 · 10.9, 1 written'],
    ['documents', '95', '237', '95', '95'],
    ['kilobytes', '63', '18', '13', '19'],
  ])
})

describe.each(sizes)('the rules of thumb of data modelling, at size %i', (size) => {
  const at = sizes.indexOf(size)
  const data = Object.fromEntries(documents(size))
  const copies = data['Book']!.filter(({ authorIds }) => (authorIds as string[]).includes('a1')).length

  test('renaming an author writes one document if it is referenced, and every copy if it is embedded', () => {
    const { embedded, joined, arrays, hybrid } = costs('Rename', at)
    expect([joined!.written, arrays!.written]).toEqual([1, 1])
    expect([embedded!.written, hybrid!.written]).toEqual([1 + copies, 1 + copies])
    expect(copies).toBeGreaterThan(size / 5)
  })

  test('a new price writes one document if it is referenced, and every holder if it is embedded', () => {
    const { embedded, joined, arrays, hybrid } = costs('PriceChange', at)
    expect([embedded!.written, joined!.written, arrays!.written, hybrid!.written]).toEqual([1 + size, 1, 1, 1])
    expect(embedded!.requestCharge).toBeGreaterThan(size * joined!.requestCharge * 0.9)
  })

  test('a list page takes one round trip with copies, one more with ids, two more with joining documents', () => {
    const { embedded, joined, arrays, hybrid } = costs('ListPage', at)
    expect([embedded, hybrid, arrays, joined].map((cost) => cost!.roundTrips)).toEqual([1, 1, 2, 3])
    expect([embedded, hybrid, arrays, joined].map((cost) => cost!.waves)).toEqual([1, 1, 2, 3])
    // Copying no more than the list shows makes its page the cheapest of all.
    const charges = [hybrid, embedded, arrays, joined].map((cost) => cost!.requestCharge)
    expect(charges).toEqual(charges.toSorted((one, other) => one - other))
  })

  test('publishing writes only the book, or also its joining documents, or also its authors', () => {
    const { embedded, joined, arrays, hybrid } = costs('Publish', at)
    expect([embedded!.written, joined!.written, arrays!.written, hybrid!.written]).toEqual([1, 3, 3, 3])
  })

  test('ids on both sides save the wave and the documents that joining needs', () => {
    const { joined, arrays } = costs('AuthorPage', at)
    expect(joined!.roundTrips - arrays!.roundTrips).toBe(1)
    const stored = Object.fromEntries(compared[at]!.variants.map((variant) => [variant.name, variant]))
    expect(stored['joined']!.documents - stored['arrays']!.documents).toBe(data['Authorship']!.length + data['Holding']!.length)
    expect(stored['embedded']!.bytes).toBeGreaterThan(2 * stored['hybrid']!.bytes)
  })
})

test('operations without copies cost the same at any size', () => {
  for (const operation of ['ListPage', 'DetailPage', 'Holdings']) {
    for (const [name, { roundTrips, waves }] of Object.entries(costs(operation, 0))) {
      expect({ name, roundTrips, waves }).toEqual({ name, roundTrips: costs(operation, 1)[name]!.roundTrips, waves: costs(operation, 1)[name]!.waves })
    }
  }
})

test('the table in docs/cost-report.md is that of the default size', () => {
  const rows = comparisonLines(compared[1]!).slice(3, 12).map((line) => `| ${line.split(/ {2,}/).join(' | ')} |`)
  expect(readFileSync('docs/cost-report.md', 'utf8')).toContain(rows.join('\n'))
})

test('each question gets the cheapest and the most expensive schema, with their costs', () => {
  const lines = comparisonLines(compared[0]!)
  expect(lines[lines.indexOf('What does renaming an author cost?') + 1]).toMatch(
    /joined and arrays.*2 round trips in 2 waves, 10\.9 RU and 1 document written.*embedded.*3 round trips in 3 waves, 142\.63 RU and 13 documents written, 13 times/)
})

test('the report has every answer, a chart for every number, and loads nothing', () => {
  const report = comparisonPage(compared[0]!)
  for (const { question } of compared[0]!.questions) expect(report).toContain(question.replaceAll("'", '&#39;'))
  expect(report.match(/<svg /g)).toHaveLength(4 * 2 + 3 * 3 + 2)
  expect(report).toContain('prefers-color-scheme: dark')
  expect(report).not.toMatch(/(src|href)=|url\(|<script|@import|https?:/)
})

test('the command prints JSON, writes the report to a file, and explains a mistake in one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-compare-'))
  try {
    const { code, out } = await quire('--size', '20', '--json', '--html', join(folder, 'report.html'))
    expect({ code, size: (JSON.parse(out) as Comparison).size }).toEqual({ code: 0, size: 20 })
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/)
    expect(await quire('--size', 'many')).toEqual({ code: 2, out: '', err: expect.stringMatching(/^--size is many.*20 to 20000\.\n$/) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function quire(...args: string[]) {
  const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', 'compare', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(started.stdout), text(started.stderr), once(started, 'close')])
  return { code: code as unknown, out, err }
}
