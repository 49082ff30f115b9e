// The arguments of `quire bench`.

import { parseArgs } from 'node:util'
import type { Options } from './suite.ts'
import { UsageError } from './usage-error.ts'

export interface Arguments {
  /** With `--help`: the text to print instead of running a suite. */
  readonly help: string | undefined
  readonly names: readonly string[]
  readonly options: Options
  readonly json: boolean
  /** The options as given, for the command that docs/benchmarks.md shows. */
  readonly flags: readonly string[]
}

const help = (suites: readonly string[]) => `Usage: quire bench [suite …] [options]        or: npm run bench -- [suite …] [options]

Suites: ${suites.join(', ')}, or all. Default: ${suites[0]}.

  --quick           short rounds, to check that a suite works; do not quote the figures
  --rounds N        measurements of each row (default 5; quick 3)
  --seconds N       length of one measurement (default 4; quick 1)
  --only NAME,…     only these rows or operations, such as quire,yoga,point; leaves the documentation unchanged
  --json            print all measurements as JSON
  --help            print this help

Tables go to docs/benchmarks.md, all measurements to bench/results/latest.json.

Exits with 0 when every suite has run, with 2 when an argument is wrong, with 130 when you stop it.

Example:
  $ quire bench --quick                    throughput compared with peers, in short rounds
  $ quire bench varying --only ids,quire,mercurius-log --rounds 1 --seconds 0.5
                                           one operation on two servers, to check that it runs
  $ quire bench startup --only new         one suite, one row
  $ quire bench all                        every suite, one after the other`

export function readArguments(given: readonly string[], suites: readonly string[]): Arguments {
  const { values, positionals } = parse(given)
  const unknown = positionals.filter((name) => name !== 'all' && !suites.includes(name))
  if (unknown.length > 0) throw new UsageError(`Unknown suite: ${unknown.join(', ')}. Choose from ${suites.join(', ')}, all.`)
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
    // Later sentences of the message explain the API of parseArgs, which is no help to the user.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\.\s/)
    throw new UsageError(`${sentence}. Run "quire bench --help" to see every option.`)
  }
}

function number(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!(value > 0)) throw new UsageError(`Wrong value for --${name}: "${text}" is not a number above 0.`)
  return value
}
