// `npm run reliability -- NAME`: runs one scenario of scenarios/ against real gateways and reports whether Quire kept its
// promise. The scenario's file says what it does; its `defaults` are its options. Exit code 1 when the promise was broken.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { betweenMarkers } from '../test/docs/between-markers.ts'
import { searched } from './canaries.ts'
import type { Options, Scenario } from './scenario.ts'

const folder = join(import.meta.dirname, 'scenarios')
const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, '')).toSorted()
const report = join(import.meta.dirname, '..', 'docs', 'reliability.md')

process.exitCode = await main(process.argv.slice(2))

async function main([name = '', ...rest]: readonly string[]): Promise<number> {
  if (!names.includes(name)) {
    console.error(`Unknown scenario ${JSON.stringify(name)}. Choose one of ${names.join(', ')}.`)
    return 2
  }
  const { defaults, run } = (await import(join(folder, `${name}.ts`))) as Scenario
  const read = readOptions(defaults, rest)
  if (typeof read === 'string') {
    console.error(read)
    return 2
  }
  const outcome = await run(read.options)
  const { bytes, leaks } = searched()
  for (const leak of leaks) console.error(leak)
  const held = outcome.held && leaks.length === 0
  const figures = bytes === 0 ? outcome.figures : `${outcome.figures}\n- secrets found in ${Math.ceil(bytes / 1024).toLocaleString('en-US')} kB of output and answers: ${leaks.length}`
  console.log(read.json && outcome.data !== undefined ? JSON.stringify(outcome.data) : figures)
  console.log(held ? 'The promise held.' : 'THE PROMISE WAS BROKEN.')
  if (read.write && held) writeFileSync(report, await betweenMarkers(readFileSync(report, 'utf8'), async (part) => (part === name ? figures : undefined)))
  return held ? 0 : 1
}

interface Read {
  readonly options: Options
  readonly write: boolean
  readonly json: boolean
}

/** The options as given, or the sentence that says what is wrong with them. */
function readOptions(defaults: Options, args: readonly string[]): Read | string {
  const known = `Options: ${Object.entries(defaults).map(([option, value]) => `--${option}${typeof value === 'boolean' ? '' : ` ${value || 'NAME'}`}`).join(', ')}; --json prints all measurements, where a scenario has them; --write puts the figures into docs/reliability.md.`
  try {
    const own = Object.entries(defaults).map(([option, value]) => [option, { type: typeof value === 'boolean' ? 'boolean' as const : 'string' as const }])
    const { values } = parseArgs({ args: [...args], options: { write: { type: 'boolean' }, json: { type: 'boolean' }, ...Object.fromEntries(own) } })
    const { write = false, json = false, ...given } = values as { write?: boolean; json?: boolean } & Record<string, string | boolean>
    const wrong = Object.entries(given).find(([option, text]) => typeof defaults[option] === 'number' && !/^\d+$/.test(String(text)))
    if (wrong) return `--${wrong[0]} is ${JSON.stringify(wrong[1])}. Give a whole number. ${known}`
    return { options: { ...defaults, ...Object.fromEntries(Object.entries(given).map(([option, text]) => [option, typeof defaults[option] === 'number' ? Number(text) : text])) }, write, json }
  } catch (error) {
    return `${(error as Error).message} ${known}`
  }
}
