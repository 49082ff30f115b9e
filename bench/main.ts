// `npm run bench`: runs one suite or several, prints their tables, and writes them where the
// documentation shows them.

import { parseArgs } from 'node:util'
import { installPeers } from './install-peers.ts'
import { publish } from './report/publish.ts'
import type { Options, Suite } from './suite.ts'

/** Loaded when they are chosen. The first is what runs when nothing is said. */
const suites: Record<string, () => Promise<Suite>> = {
  throughput: async () => (await import('./suites/throughput.ts')).throughput,
}

const help = `npm run bench -- [suite …] [options]

Suites: ${Object.keys(suites).join(', ')}, or all. Without one: ${Object.keys(suites)[0]}.

  --quick           short rounds, to see that it works
  --rounds N        how often everything is measured (5; quick 3)
  --seconds N       how long each time (4; quick 1)
  --only NAME,…     only these rows, such as quire,yoga; the documentation is left as it is
  --json            print everything that was measured, as JSON
  --help            this

Tables go to docs/benchmarks.md, everything that was measured to bench/results/latest.json.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else await run()

async function run(): Promise<void> {
  const names = positionals.length === 0 ? [Object.keys(suites)[0]!] : positionals.includes('all') ? Object.keys(suites) : positionals
  const unknown = names.filter((name) => !suites[name])
  if (unknown.length > 0) throw new Error(`There is no suite ${unknown.join(', ')}.\n\n${help}`)
  const options: Options = {
    quick: values.quick,
    rounds: number('rounds', values.rounds) ?? (values.quick ? 3 : 5),
    seconds: number('seconds', values.seconds) ?? (values.quick ? 1 : 4),
    only: values.only === undefined ? undefined : new Set(values.only.split(',')),
    progress: (text) => console.error(text),
  }
  for (const name of names) {
    if (name === 'throughput') installPeers()
    const result = await (await suites[name]!())(options)
    console.log(values.json ? JSON.stringify(result.data) : `\n${result.tables}\n`)
    if (!options.only) publish({ suite: name, command: ['npm run bench --', name, ...process.argv.slice(2).filter((given) => given.startsWith('-'))].join(' '), options, result })
  }
}

function number(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} is "${text}". Give a number above 0.`)
  return value
}
