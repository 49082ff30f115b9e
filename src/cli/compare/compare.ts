// `quire compare`: what the same operations cost over the same data, declared in several ways. Running
// them is compare-run.ts's business, and drawing the report compare-report.ts's.

import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ConfigError } from '../../config.ts'
import { comparisonReport } from './compare-report.ts'
import { compare, type Comparison, type Measured } from './compare-run.ts'
import { answerTo } from './compare-sentences.ts'
import type { CliCommand } from '../command.ts'
import { printError } from '../print-error.ts'

export const command: CliCommand = {
  arguments: { '[folder]': 'the schemas, the data and the questions (default: examples/compare)' },
  options: {
    '--size <number>': 'how much data: the number of documents of the largest type (default: 500)',
    '--html <file>': 'write a report with charts to this file',
    '--json': 'print one JSON object',
  },
  help: `
Embed or reference? Embedding favours reads and referencing favours writes; this command measures both.
Each schema gets its own store in memory, filled with the same data through the same write path, and answers the
same operations. For each operation you see round trips, waves, RU and the documents it writes, and for each
schema how many bytes are stored.

Without a folder it compares four schemas: embedding everything, joining documents, lists of ids on both sides, and
ids with snapshots of what lists show. examples/compare/README.md explains how to compare your own.

Exits with 0 when it has compared, with 2 when it cannot, with 130 when you stop it.

Example:
  $ quire compare                                   compares the shipped schemas, in the terminal
  $ quire compare --size 2000 --html report.html    more data, and a report with charts`,
  run: ({ size = '500', html, json = false }: Partial<CompareOptions>, folder: string | undefined) =>
    runCompare(folder, { size, ...(html === undefined ? {} : { html }), json }),
}

export interface CompareOptions {
  readonly size: string
  readonly html?: string
  readonly json: boolean
}

const shipped = join(import.meta.dirname, '../../../examples/compare')

/** Larger ones take minutes, and say the same. */
const mostSize = 20_000

/** Answers with the exit code. */
export async function runCompare(folder: string | undefined, { size, html, json }: CompareOptions): Promise<number> {
  // Nothing is kept anywhere but in memory, so it can end where it is.
  process.once('SIGINT', () => {
    say('')
    console.error('Stopped. Nothing was written; the same command begins again.')
    process.exit(130)
  })
  try {
    if (html !== undefined) checkWritable(html)
    const comparison = await compare(folder ?? shipped, readSize(size), (name) => say(`${name} …`))
    say('')
    if (html !== undefined) writeFileSync(html, comparisonReport(comparison))
    if (json) console.log(JSON.stringify(comparison, undefined, 2))
    else for (const line of comparisonLines(comparison)) console.log(line)
    if (html !== undefined && !json) console.log(`The report is in ${relative(process.cwd(), html) || html}.`)
    return 0
  } catch (error) {
    say('')
    return printError(error)
  }
}

/** What is being done, in one line that the next one replaces. */
function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001B[K`)
}

export function comparisonLines(comparison: Comparison): string[] {
  const { size, questions, variants } = comparison
  const header = ['', ...variants.map(({ name }) => name)]
  const rows = [
    ...questions.map(({ operation }) => [operation, ...variants.map(({ costs }) => cell(costs[operation]!))]),
    ['documents', ...variants.map(({ documents }) => documents.toLocaleString('en-US'))],
    ['kilobytes', ...variants.map(({ bytes }) => Math.round(bytes / 1024).toLocaleString('en-US'))],
  ]
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]!.length)))
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column]!)).join('  ').trimEnd()
  return [
    `The same data at size ${size}, declared in ${variants.length} ways. Round trips · waves · request charge, and documents written.`,
    '',
    line(header),
    ...rows.map(line),
    '',
    ...questions.flatMap((question) => [question.question, `  ${answerTo(question, comparison)}`]),
    '',
    'Charges are estimates by the cost model.',
  ]
}

function cell({ roundTrips, waves, requestCharge, written }: Measured): string {
  return `${roundTrips} · ${waves} · ${requestCharge}${written > 0 ? `, ${written} written` : ''}`
}

/** Before all the work, rather than after it. */
function checkWritable(file: string): void {
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new ConfigError(`--html is ${file}, and there is no folder ${folder}. Make it, or name another file.`)
  if (existsSync(file) && statSync(file).isDirectory()) throw new ConfigError(`--html is ${file}, which is a folder. Name a file in it.`)
}

function readSize(text: string): number {
  const size = Number(text)
  if (!Number.isInteger(size) || size < 20 || size > mostSize) throw new ConfigError(`--size is ${text.slice(0, 40)}. Give a whole number from 20 to ${mostSize}.`)
  return size
}
