// `npm run reliability -- NAME [options]`: does to a gateway what may happen to it one day, says what was seen, and
// whether that is within its bounds. Every file beside this one is one of them, and exports `run`.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Outcome, Options } from './outcome.ts'
import { publish } from './publish.ts'

const own = new Set(['main.ts', 'outcome.ts', 'publish.ts'])
const names = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !own.has(file)).map((file) => file.slice(0, -'.ts'.length))

const help = `Usage: npm run reliability -- NAME [options]

Runs: ${names.join(', ')}.

  --minutes N    how long the long ones take
  --quick        short, to see that it works
  --write        put the figures into docs/reliability.md and reliability/results
  --json         print everything that was seen, as JSON

Exits with 0 when what was seen is within its bounds, with 1 when not, with 2 when it cannot run.`

process.exitCode = await runNamed()

async function runNamed(): Promise<number> {
  const { values, positionals: [name = ''] } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '10' }, quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  })
  const minutes = Number(values.minutes)
  if (!names.includes(name) || !(minutes > 0)) {
    console.error(help)
    return 2
  }
  const options: Options = { quick: values.quick, minutes, progress: (line) => console.error(line) }
  const { run } = (await import(join(import.meta.dirname, `${name}.ts`))) as { run: (options: Options) => Promise<Outcome> }
  const outcome = await run(options)
  console.log(values.json ? JSON.stringify(outcome.data) : outcome.lines.join('\n'))
  console.log(outcome.holds ? 'It holds.' : 'It does not hold.')
  if (values.write) await publish(name, outcome)
  return outcome.holds ? 0 : 1
}
