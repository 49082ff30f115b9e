// `npm run reliability -- NAME`: does its worst to real gateways, and shows that what is promised holds. What is shown is in
// the file of that name in shows/, which says what it can be told and exports `run`. Exit code 1 when the promise did not hold.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { betweenMarkers } from '../test/docs/between-markers.ts'
import { heard } from './planted.ts'
import type { Options, Show } from './show.ts'

const folder = join(import.meta.dirname, 'shows')
const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, '')).toSorted()
const report = join(import.meta.dirname, '..', 'docs', 'reliability.md')

process.exitCode = await main(process.argv.slice(2))

async function main([name = '', ...rest]: readonly string[]): Promise<number> {
  if (!names.includes(name)) {
    console.error(`There is no show ${JSON.stringify(name)}. Shows: ${names.join(', ')}.`)
    return 2
  }
  const { usual, run } = (await import(join(folder, `${name}.ts`))) as Show
  const read = readOptions(usual, rest)
  if (typeof read === 'string') {
    console.error(read)
    return 2
  }
  const shown = await run(read.options)
  const { data } = shown
  const { bytes, leaks } = heard()
  for (const leak of leaks) console.error(leak)
  const held = shown.held && leaks.length === 0
  const figures = bytes === 0 ? shown.figures : `${shown.figures}\n- secrets found in ${Math.ceil(bytes / 1024).toLocaleString('en-US')} kB of what gateways wrote and answered: ${leaks.length}`
  console.log(read.json && data !== undefined ? JSON.stringify(data) : figures)
  console.log(held ? 'It held.' : 'IT DID NOT HOLD.')
  if (read.write && held) writeFileSync(report, await betweenMarkers(readFileSync(report, 'utf8'), async (part) => (part === name ? figures : undefined)))
  return held ? 0 : 1
}

interface Read {
  readonly options: Options
  readonly write: boolean
  readonly json: boolean
}

/** What was given instead of what is usual, or what is wrong with it. */
function readOptions(usual: Options, args: readonly string[]): Read | string {
  const known = `Options: ${Object.entries(usual).map(([option, value]) => `--${option}${typeof value === 'boolean' ? '' : ` ${value || 'NAME'}`}`).join(', ')}; --json for all that was seen, where there is more; --write to put the figures into docs/reliability.md.`
  try {
    const own = Object.entries(usual).map(([option, value]) => [option, { type: typeof value === 'boolean' ? 'boolean' as const : 'string' as const }])
    const { values } = parseArgs({ args: [...args], options: { write: { type: 'boolean' }, json: { type: 'boolean' }, ...Object.fromEntries(own) } })
    const { write = false, json = false, ...given } = values as { write?: boolean; json?: boolean } & Record<string, string | boolean>
    const wrong = Object.entries(given).find(([option, text]) => typeof usual[option] === 'number' && !/^\d+$/.test(String(text)))
    if (wrong) return `--${wrong[0]} is ${JSON.stringify(wrong[1])}, and should be a number. ${known}`
    return { options: { ...usual, ...Object.fromEntries(Object.entries(given).map(([option, text]) => [option, typeof usual[option] === 'number' ? Number(text) : text])) }, write, json }
  } catch (error) {
    return `${(error as Error).message} ${known}`
  }
}
