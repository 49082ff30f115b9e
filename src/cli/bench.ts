// `quire bench`: runs the benchmarks of the repository, which parse and explain their own arguments.

import type { CliCommand } from './command.ts'

export const command: CliCommand = {
  arguments: { '[suite...]': 'what to measure, and how: "quire bench --help" lists the suites and options' },
  parsesItself: true,
  run: async (_: unknown, args: readonly string[]) => (await import('../../bench/main.ts')).runBench(args),
}
