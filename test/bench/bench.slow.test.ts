// A smoke run of the comparisons with Quire's own rows, over sockets and with a log file, as `npm run bench` runs them. Nothing is
// timed, and no peer is needed.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Printed {
  readonly comparisons: readonly { readonly store: string; readonly operation: string; readonly rows: readonly { readonly name: string; readonly perSecond: readonly number[]; readonly longestMs: readonly number[] }[] }[]
}

const rows = ['quire', 'quire-metrics', 'quire-no-log']

test.each([
  ['throughput', ['A', 'B', 'point', 'page']],
  ['varying', ['pages', 'search', 'ids', 'portfolios']],
  ['mix', ['mix', 'mix-1', 'mix-10']],
])('%s measures each operation on both stores, with and without a log', (suite, operations) => {
  const page = readFileSync('docs/benchmarks.md', 'utf8')
  const { stdout, stderr, status } = bench([suite, '--json', '--only', rows.join(',')])
  expect(status, stderr).toBe(0)
  const { comparisons } = JSON.parse(stdout) as Printed
  expect(comparisons.map(({ store, operation }) => `${operation} ${store}`)).toEqual(['memory', 'sqlite'].flatMap((store) => operations.map((operation) => `${operation} ${store}`)))
  for (const comparison of comparisons) {
    expect(comparison.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(rows))
    for (const { perSecond, longestMs } of comparison.rows) expect([perSecond[0], longestMs[0]].every((number) => number! > 0)).toBe(true)
  }
  // `--only` measures a part, which must not replace the published whole.
  expect(readFileSync('docs/benchmarks.md', 'utf8')).toBe(page)
})

test('caches runs a server without each cache on the stores that have it', () => {
  const { stdout, stderr, status } = bench(['caches', '--json', '--only', 'mix-1,without-rows,without-documents'])
  expect(status, stderr).toBe(0)
  const { comparisons } = JSON.parse(stdout) as Printed
  expect(comparisons.map(({ store, rows: measured }) => [store, measured.map(({ name }) => name)])).toEqual([
    ['memory', ['all', 'without-rows']],
    ['sqlite', ['all', 'without-rows', 'without-documents']],
  ])
})

test('cold sends texts that were never seen', () => {
  const { stdout, stderr, status } = bench(['cold', '--quick', '--only', 'quire,point'])
  expect(status, stderr).toBe(0)
  expect(stdout).toContain('First run of point')
})

test('cosmos counts the requests and RU of an operation in the log of the protocol server', () => {
  const { stdout, stderr, status } = bench(['cosmos', '--json', '--only', 'quire,point,A-looked-up,0ms'])
  expect(status, stderr).toBe(0)
  const { comparisons } = JSON.parse(stdout) as { comparisons: { operation: string; rows: { name: string; rounds: { requests: number; requestCharge: number }[] }[] }[] }
  expect(comparisons.map(({ operation, rows: measured }) => [operation, measured.map(({ name }) => name)])).toEqual([['A-looked-up', ['quire']], ['point', ['quire']]])
  // One request to each of the four physical partitions for the books, and for their authors; one for a single book.
  expect(comparisons.map(({ rows: measured }) => Math.round(measured[0]!.rounds[0]!.requests))).toEqual([8, 1])
})

test('a name that is neither a row nor an operation is an error that lists both', () => {
  const { stderr, status } = bench(['varying', '--only', 'quire,nothing'])
  expect(status).toBe(2)
  expect(stderr).toMatch(/nothing.*ids.*quire-metrics/s)
})

function bench(args: readonly string[]) {
  return spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', 'bench', ...args, '--rounds', '1', '--seconds', '0.1'], { encoding: 'utf8', env: { ...process.env, NODE_ENV: '' }, maxBuffer: 2 ** 26 })
}
