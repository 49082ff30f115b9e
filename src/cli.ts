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

program.command('explain')
  .description('say what an operation would do and cost, without running it')
  .argument('<file>', 'the operation, or - to read it from standard input')
  .option('--variables <json>', 'the values of its variables: page sizes and conditions depend on them')
  .option('--operation <name>', 'which one, where the file has several')
  .option('--max-stale-ms <ms>', 'how old copies may be, as the header quire-max-stale-ms says it')
  .option('--store', 'ask the store of QUIRE_STORE how many documents there are and how large')
  .option('--json', 'print one JSON object')
  .addHelpText('after', `
For each relation it says whether a copy answers it or it is looked up, and why; how the store is asked
(point reads by key, a query in one partition or over partitions, a count), and in which wave. Waves are
what latency feels: everything that is known to be needed goes at once. At the end it says what to expect
of the whole operation, and what the naive way would take: one read per reference, no copies, no batching.

Without --store no store is opened: how many rows there are follows from page sizes, from first and
last, and from the most that lists may hold, and where only data can say, both bounds are given.

Exits with 0 when there is a plan, with 2 when the operation is not valid or cannot be read.

Example:
  $ quire explain examples/operations/4-four-levels.graphql
  $ quire explain list.graphql --variables '{"first": 10}' --store
  $ quire explain - --json < list.graphql`)
  .action(async (file: string, options: { variables?: string; operation?: string; maxStaleMs?: string; store?: boolean; json?: boolean }) => {
    const { runExplain } = await import('./cli/explain.ts')
    process.exitCode = await runExplain(file, { ...options, store: options.store ?? false, json: options.json ?? false })
  })

program.command('compare')
  .description('run the same operations over the same data, declared in several ways, and say what each costs')
  .argument('[folder]', 'the declarations, the data and the questions; without it, those in examples/compare')
  .option('--size <number>', 'how much data: the number of the most numerous documents', '500')
  .option('--html <file>', 'write a report with charts into this file')
  .option('--json', 'print one JSON object')
  .addHelpText('after', `
Embed or reference? Embedding favours reads and referencing favours writes, and this puts numbers on it.
Each declaration gets a store of its own in memory, is filled with the same data through the same write
path, and is asked the same questions: round trips, waves and request charge of each operation, how many
documents a write touches, and how many bytes are stored.

Without a folder it compares copies of everything, joining documents, lists of ids on both sides, and ids
with copies of what lists show. examples/compare/README.md says how to compare declarations of your own.

Exits with 0 when it has compared, with 2 when it cannot.

Example:
  $ quire compare --size 2000 --html report.html`)
  .action(async (folder: string | undefined, options: { size: string; html?: string; json?: boolean }) => {
    const { runCompare } = await import('./cli/compare.ts')
    process.exitCode = await runCompare(folder, { ...options, json: options.json ?? false })
  })

program.command('advise')
  .description('say from a recorded workload how each relation is best stored, and prove it')
  .argument('<files...>', 'what QUIRE_RECORD has recorded; several files add up')
  .option('--sample <number>', 'how many documents of each type the workload is replayed on', '1000')
  .option('--html <file>', 'write a report with charts into this file')
  .option('--json', 'print one JSON object')
  .addHelpText('after', `
A gateway that is started with QUIRE_RECORD=FILE records what is asked and what is written, in names and
numbers and without any value. For each relation, embedding and referencing are priced over that workload:
which is cheaper and by how much, at which rate of changes the answer flips, which fields to copy and which
not, and the line to write. Then the workload is replayed in memory, both ways, over documents of the store
of QUIRE_STORE, and what it took is printed beside what was predicted. Nothing is changed anywhere.

Exits with 0 when it has advised, with 2 when it cannot. docs/advise.md has an example.

Example:
  $ QUIRE_RECORD=workload.json quire start     records, until it is stopped
  $ quire advise workload.json                 advises`)
  .action(async (files: string[], options: { sample: string; html?: string; json?: boolean }) => {
    const { runAdvise } = await import('./cli/advise.ts')
    process.exitCode = await runAdvise(files, { ...options, json: options.json ?? false })
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
