// `npm run reliability -- kill|fsync|faults|disk`: shows, by doing its worst to real gateways, that a bound holds. What is
// shown is in the file of that name, which says what it can be told and exports `run`. Exit code 1 when the bound did not hold.

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { betweenMarkers } from '../src/between-markers.ts'
import type { Show } from './show.ts'

const report = join(import.meta.dirname, '..', 'docs', 'reliability.md')

process.exitCode = await main(process.argv.slice(2))

async function main([name = '', ...rest]: readonly string[]): Promise<number> {
  const file = join(import.meta.dirname, `${name}.ts`)
  if (!/^[a-z-]+$/.test(name) || !existsSync(file) || !('run' in ((await import(file)) as object))) {
    console.error(`There is no show ${JSON.stringify(name)}. Shows: ${(await showNames()).join(', ')}.`)
    return 2
  }
  const { usual, run } = (await import(file)) as Show
  const read = readOptions(usual, rest)
  if (typeof read === 'string') {
    console.error(read)
    return 2
  }
  const { held, figures } = await run(read.options)
  console.log(figures)
  console.log(held ? 'The bound held.' : 'THE BOUND DID NOT HOLD.')
  if (read.write && held) writeFileSync(report, await betweenMarkers(readFileSync(report, 'utf8'), async (part) => (part === name ? figures : undefined)))
  return held ? 0 : 1
}

/** What was given instead of the usual numbers, or what is wrong with it. */
function readOptions(usual: Readonly<Record<string, number>>, args: readonly string[]): { readonly options: Record<string, number>; readonly write: boolean } | string {
  const known = `Options: ${Object.entries(usual).map(([option, value]) => `--${option} ${value}`).join(', ')}, and --write to put the figures into docs/reliability.md.`
  try {
    const { values } = parseArgs({ args: [...args], options: { write: { type: 'boolean' }, ...Object.fromEntries(Object.keys(usual).map((option) => [option, { type: 'string' as const }])) } })
    const { write = false, ...given } = values as { write?: boolean } & Record<string, string>
    const wrong = Object.entries(given).find(([, text]) => !/^\d+$/.test(text))
    if (wrong) return `--${wrong[0]} is ${JSON.stringify(wrong[1])}, and should be a number. ${known}`
    return { options: { ...usual, ...Object.fromEntries(Object.entries(given).map(([option, text]) => [option, Number(text)])) }, write }
  } catch (error) {
    return `${(error as Error).message} ${known}`
  }
}

async function showNames(): Promise<string[]> {
  const names = globSync('*.ts', { cwd: import.meta.dirname }).map((file) => basename(file, '.ts')).filter((name) => name !== 'main' && !name.endsWith('-process'))
  const shows = await Promise.all(names.map(async (name) => 'run' in ((await import(join(import.meta.dirname, `${name}.ts`))) as object)))
  return names.filter((_, at) => shows[at]).toSorted()
}
