// Where results go: all of them into results/latest.json, the tables into docs/benchmarks.md between
// the markers of their suite, drawings beside the results.

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
  /** How many processes were running or waiting to run on the machine before it began. */
  readonly loadBefore: number
  readonly options: Options
  readonly result: SuiteResult
}

export function publish({ suite, command, loadBefore, options, result }: Run): void {
  const about = { date: new Date().toISOString().slice(0, 10), command, quick: options.quick, how: result.how, machine: machine(), loadBefore }
  const known = (existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {}) as Record<string, object>
  mkdirSync(resultsFolder, { recursive: true })
  writeFileSync(resultsFile, `${JSON.stringify({ ...known, [suite]: { ...about, ...result.data } }, roundedNumbers, 1)}\n`)
  for (const [name, drawing] of Object.entries(result.charts ?? {})) writeFileSync(join(resultsFolder, name), drawing)
  const text = readFileSync(page, 'utf8')
  const markers = new RegExp(`(<!-- ${suite} -->\n)[\\s\\S]*?(<!-- /${suite} -->)`)
  if (!markers.test(text)) throw new Error(`docs/benchmarks.md has no place for ${suite}: it is <!-- ${suite} --> and <!-- /${suite} -->.`)
  const charts = Object.keys(result.charts ?? {}).map((name) => `![${suite}](../bench/results/${name})\n\n`).join('')
  const quick = options.quick ? ' **A quick run, to see that it works: do not quote it.**' : ''
  const source = `_${about.date}, \`${command}\`: ${result.how}, on ${about.machine}; load before it began ${loadBefore.toFixed(1)}._${quick}`
  // A function, so that a dollar in the tables is only a dollar.
  writeFileSync(page, text.replace(markers, (_, start: string, end: string) => `${start}\n${source}\n\n${charts}${result.tables}\n\n${end}`))
}

function machine(): string {
  const cores = availableParallelism()
  return `${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${cores} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${process.platform}`
}

/** Four digits are more than any of these measurements is worth. */
function roundedNumbers(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}
