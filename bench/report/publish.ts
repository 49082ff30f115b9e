// Stores the results of a suite: measurements in results/latest.json, charts beside it, and tables in docs/benchmarks.md between
// the markers of the suite.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Options, SuiteResult } from '../suite.ts'

const page = join(import.meta.dirname, '../../docs/benchmarks.md')
const resultsFolder = join(import.meta.dirname, '../results')
const resultsFile = join(resultsFolder, 'latest.json')

export interface Run {
  readonly suite: string
  readonly command: string
  /** The load average of the machine before the suite ran. */
  readonly loadBefore: number
  readonly options: Options
  readonly result: SuiteResult
}

export function publish({ suite, command, loadBefore, options, result }: Run): void {
  const about = { date: new Date().toISOString().slice(0, 10), command, quick: options.quick, how: result.how, machine: machine(), loadBefore }
  const known = (existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {}) as Record<string, object>
  mkdirSync(resultsFolder, { recursive: true })
  writeFileSync(resultsFile, `${JSON.stringify({ ...known, [suite]: { ...about, ...result.data } }, roundedNumbers, 1)}\n`)
  for (const [name, svg] of Object.entries(result.charts ?? {})) writeFileSync(join(resultsFolder, name), svg)
  const text = readFileSync(page, 'utf8')
  const markers = new RegExp(`(<!-- ${suite} -->\n)[\\s\\S]*?(<!-- /${suite} -->)`)
  if (!markers.test(text)) throw new Error(`Cannot write the tables of ${suite}: docs/benchmarks.md has no markers for it. Add <!-- ${suite} --> and <!-- /${suite} -->.`)
  const charts = Object.keys(result.charts ?? {}).map((name) => `![${suite}](../bench/results/${name})\n\n`).join('')
  const quick = options.quick ? ' **A quick run, to check that the suite works. Do not quote it.**' : ''
  const source = `_${about.date}, \`${command}\`: ${result.how}, on ${about.machine}; load before it began ${loadBefore.toFixed(1)}._${quick}`
  // As a string, the replacement would give `$` in the tables a meaning.
  writeFileSync(page, text.replace(markers, (_, start: string, end: string) => `${start}\n${source}\n\n${charts}${result.tables}\n\n${end}`))
}

function machine(): string {
  const cores = availableParallelism()
  return `${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${cores} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${process.platform}`
}

/** No measurement here is precise to more than four digits. */
function roundedNumbers(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}
