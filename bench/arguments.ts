// What can be said to `quire bench`, and what it means. What cannot be understood is told in words.

import { parseArgs } from 'node:util'
import type { Options } from './suite.ts'
import { UsageError } from './usage-error.ts'

export interface Arguments {
  /** To be printed, and then nothing more. */
  readonly help: string | undefined
  readonly names: readonly string[]
  readonly options: Options
  readonly json: boolean
  /** The options as they were given. */
  readonly flags: readonly string[]
}

const help = (suites: readonly string[]) => `Usage: quire bench [suite …] [options]        or: npm run bench -- [suite …] [options]

Suites: ${suites.join(', ')}, or all. Without one: ${suites[0]}.

  --quick           short rounds, to see that it works
  --rounds N        how often everything is measured (5; quick 3)
  --seconds N       how long each time (4; quick 1)
  --only NAME,…     only these rows, such as quire,yoga; the documentation is left as it is
  --json            print everything that was measured, as JSON
  --help            this

Tables go to docs/benchmarks.md, everything that was measured to bench/results/latest.json.

Exits with 0 when it has measured, with 2 when it cannot, with 130 when it was stopped.

Example:
  $ quire bench --quick                    throughput beside the peers, in short rounds
  $ quire bench startup --only new         one suite, one row; the documentation stays as it is
  $ quire bench all                        every suite, one after the other`

export function readArguments(given: readonly string[], suites: readonly string[]): Arguments {
  const { values, positionals } = parse(given)
  const unknown = positionals.filter((name) => name !== 'all' && !suites.includes(name))
  if (unknown.length > 0) throw new UsageError(`There is no suite ${unknown.join(', ')}. There is ${suites.join(', ')}, and all.`)
  return {
    help: values.help ? help(suites) : undefined,
    names: positionals.length === 0 ? suites.slice(0, 1) : positionals.includes('all') ? suites : positionals,
    options: {
      quick: values.quick,
      rounds: number('rounds', values.rounds) ?? (values.quick ? 3 : 5),
      seconds: number('seconds', values.seconds) ?? (values.quick ? 1 : 4),
      only: values.only === undefined ? undefined : new Set(values.only.split(',')),
      progress: (text) => console.error(text),
    },
    json: values.json,
    flags: given.filter((each) => !positionals.includes(each)),
  }
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
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
  } catch (error) {
    // What follows the first sentence is for programmers.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\.\s/)
    throw new UsageError(`${sentence}. Run "quire bench --help" to see every option.`)
  }
}

function number(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!(value > 0)) throw new UsageError(`--${name} is "${text}". Give a number above 0.`)
  return value
}
