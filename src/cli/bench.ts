// `quire bench`: runs the benchmarks of the repository, which parse and explain their own arguments. The package has no
// benchmarks, and cli.ts does not list the command there.

import type { CliCommand } from './command/command.ts'

/** Not a literal in `import()`, so that compiling `src/` does not compile `bench/`. */
const benchmarks = new URL('../../bench/main.ts', import.meta.url)

export const command: CliCommand = {
  arguments: { '[suite...]': 'what to measure, and how: "quire bench --help" lists the suites and options' },
  parsesItself: true,
  async run(_: unknown, args: readonly string[]) {
    const { runBench } = (await import(benchmarks.href)) as { runBench: (args: readonly string[]) => Promise<number> }
    return runBench(args)
  },
}
