// `quire compare`: the cost of the same operations over the same data, stored in several ways. run-comparison.ts runs
// them; comparison-text.ts and comparison-page.ts show the result.

import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { comparisonPage } from './comparison-page.ts'
import { comparisonLines } from './comparison-text.ts'
import { runComparison } from './run-comparison.ts'
import { processIo } from '../command/command-io.ts'
import type { CliCommand } from '../command/command.ts'
import { printError } from '../command/print-error.ts'

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

const defaultFolder = join(import.meta.dirname, '../../../examples/compare')

/** Larger sizes take minutes and give the same answers. */
const maxSize = 20_000

/** Answers with the exit code. */
export async function runCompare(folder: string | undefined, { size, html, json }: CompareOptions): Promise<number> {
  // Everything is in memory, so it can end at any point.
  process.once('SIGINT', () => {
    processIo.progress('')
    console.error('Stopped. Nothing was written; run the command again to start over.')
    process.exit(130)
  })
  try {
    if (html !== undefined) checkWritable(html)
    const comparison = await runComparison(folder ?? defaultFolder, readSize(size), (name) => processIo.progress(`${name} …`))
    processIo.progress('')
    if (html !== undefined) writeFileSync(html, comparisonPage(comparison))
    if (json) console.log(JSON.stringify(comparison, undefined, 2))
    else for (const line of comparisonLines(comparison)) console.log(line)
    if (html !== undefined && !json) console.log(`Report written to ${relative(process.cwd(), html) || html}.`)
    return 0
  } catch (error) {
    processIo.progress('')
    return printError(error)
  }
}

/** Fails before the work rather than after it. */
function checkWritable(file: string): void {
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new ConfigError(`Cannot write --html ${file}: there is no folder ${folder}. Create it, or use another path.`)
  if (existsSync(file) && statSync(file).isDirectory()) throw new ConfigError(`Cannot write --html ${file}: it is a folder. Use a file in it.`)
}

function readSize(text: string): number {
  const size = Number(text)
  if (!Number.isInteger(size) || size < 20 || size > maxSize) throw new ConfigError(`--size is ${text.slice(0, 40)}. Give a whole number from 20 to ${maxSize}.`)
  return size
}
