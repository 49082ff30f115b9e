// The `quire` command: which commands there are, and what they ask for. What each one does is in a
// file of its own, loaded only when it is chosen.

import { Command, CommanderError } from 'commander'
import { seedWords } from './library/seed-words.ts'

const program = new Command('quire')
  .description('A GraphQL gateway over a document database that knows how each relation is stored.')
  .exitOverride()
  .showHelpAfterError('Run "quire --help" to see every command.')
  .addHelpText('after', `
Every command takes its settings from the environment: QUIRE_STORE says where the documents are,
QUIRE_SCHEMA which folder of SDL declares them. Without them it is the sample library.`)

program.command('start')
  .description('serve GraphQL; what quire does when nothing else is said')
  .addHelpText('after', `
Example:
  $ PORT=8080 quire start     serves http://127.0.0.1:8080/graphql`)
  .action(async () => {
    await import('./main.ts')
  })

program.command('check')
  .description('hold the stored documents against what the schema declares')
  .option('--repair', 'mend what can be mended')
  .option('--json', 'print one JSON object per finding, and one with the totals at the end')
  .addHelpText('after', `
Finds references to documents that do not exist, copies and lists that differ from what they are
copies of, wrong counts, entries that are not where they belong, and documents that are nearly too
large. Stopping it is safe at any time, also while it repairs, and so is running it beside a gateway.
Where copies follow through the change feed, one that has not been reached yet counts as different.

Exits with 0 when nothing is wrong (any more), with 1 when something is, with 2 when it cannot run.

Example:
  $ quire check               says what is wrong, and what repair would do about it
  $ quire check --repair      does it`)
  .action(async (options: { repair?: boolean; json?: boolean }) => {
    const { runCheck } = await import('./cli/check.ts')
    process.exitCode = await runCheck({ repair: options.repair ?? false, json: options.json ?? false })
  })

program.command('dead-letters')
  .description('list the changes that could not be propagated, with the reason for each')
  .option('--retry', 'try them once more')
  .option('--json', 'print one JSON object for each')
  .addHelpText('after', `
Where copies follow through the change feed, a change that fails every time is set aside so that the
feed goes on behind it. Once the reason is gone, it can be tried again.

Exits with 0 when there are none (any more), with 1 when there are, with 2 when it cannot run.

Example:
  $ quire dead-letters            lists them
  $ quire dead-letters --retry    tries them once more, and lists what is left`)
  .action(async (options: { retry?: boolean; json?: boolean }) => {
    const { runDeadLetters } = await import('./cli/dead-letters.ts')
    process.exitCode = await runDeadLetters({ retry: options.retry ?? false, json: options.json ?? false })
  })

program.command('import')
  .description('make documents of CSV or JSON lines files, as a mapping says')
  .argument('<mapping>', 'a JSON file that says which columns become which fields')
  .option('--from <folder>', 'where the files are that the mapping names; the folder of the mapping, if it is not said')
  .option('--dry-run', 'check everything and write nothing')
  .option('--strict', 'stop at the first row that is refused')
  .option('--json', 'print one JSON object per refused row, and one with the totals at the end')
  .addHelpText('after', `
Documents that are there are brought up to date, so importing twice changes nothing the second time.
Copies, lists and counts are worked out for all of them, and a row that is refused does not stop the
others. Stopping it is safe at any time: begun again, it ends the same. Rows are counted as a
spreadsheet shows them, the header being row 1. docs/import.md explains mappings.

Exits with 0 when every row was imported, with 1 when some were refused, with 2 when it cannot run.

Example:
  $ quire import examples/import/sp500.json --from ~/data/sp500 --dry-run    says what it would do
  $ quire import examples/import/sp500.json --from ~/data/sp500              does it`)
  .action(async (mapping: string, options: { from?: string; dryRun?: boolean; strict?: boolean; json?: boolean }) => {
    const { runImport } = await import('./cli/import.ts')
    process.exitCode = await runImport({
      mapping, from: options.from, dryRun: options.dryRun ?? false, strict: options.strict ?? false, json: options.json ?? false,
    })
  })

program.command('seed')
  .description(seedWords.description)
  .requiredOption(seedWords.option, seedWords.explained)
  .option('--json', 'print one JSON object with the totals')
  .addHelpText('after', seedWords.help)
  .action(async (options: { json?: boolean } & Record<string, unknown>) => {
    const { runSeed } = await import('./cli/seed.ts')
    process.exitCode = await runSeed({ count: String(options[seedWords.name]), json: options.json ?? false })
  })

const given = process.argv.slice(2)
try {
  await program.parseAsync(given.length === 0 ? ['start'] : given, { from: 'user' })
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  // It has been said already. Help that was asked for is no mistake.
  process.exitCode = error.exitCode === 0 ? 0 : 2
}
