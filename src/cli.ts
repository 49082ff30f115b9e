// The `quire` command: which commands there are, and what they ask for. What each one does is in a
// file of its own, loaded only when it is chosen.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { printError } from './cli/print-error.ts'
import { addSettingOptions, withSettings } from './cli/setting-options.ts'
import { seedWords } from './library/seed-words.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }

const program = new Command('quire')
  .description('A GraphQL gateway over a document database that knows how each relation is stored.')
  .version(version, '--version', 'print the version')
  .exitOverride()
  .showHelpAfterError('Run "quire --help" to see every command.')
  .addHelpText('after', `
Settings are the same for every command: which store (store, QUIRE_STORE), which folder of SDL (schema,
QUIRE_SCHEMA) and so on. An option counts more than the environment, and that more than quire.config.json
in the folder you are in. Where nothing is said it is the sample library.

Start here:
  $ quire init my-api          asks a few questions and writes a schema that runs
  $ cd my-api && quire dev     serves it, and again whenever you save it
  $ quire explain -            says what an operation would cost, before it runs
  $ quire help check           explains one command, with examples`)

addSettingOptions(program.command('dev'), ['schema', 'store', 'port', 'host'])
  .description('serve while you write the schema: every save is served at once')
  .addHelpText('after', `
The development profile: GraphiQL, everyone may write, every answer carries its account. When a .graphql
file or derive.ts in the schema folder changes, or the config file, the new schema takes the place of the
old one on the same port. Requests that are under way are answered by the old one. A schema that cannot
be served takes nobody's place: what is wrong is printed, and the next good save is served.

What is stored stays, also in memory. Copies, lists and counts in memory are worked out anew when how they
are stored has changed; on any other store "quire check --repair" does that when you say so. What a changed
partition key or property would have to move stays where it was, and is not found there.

Exits with 0 when it is stopped, with 2 when it cannot begin.

Example:
  $ quire dev                                  serves quire.config.json here, or the sample library
  $ quire dev --schema schema --store memory   serves a folder of SDL, and forgets everything in the end
  $ quire dev --port 0                         takes any port that is free`)
  .action(async (options: Record<string, unknown>) => {
    const { runDev } = await import('./cli/dev/dev.ts')
    process.exitCode = await runDev(process.env, options)
  })

withSettings(program.command('start'), ['schema', 'store', 'port', 'host'])
  .description('serve, as in production unless NODE_ENV says development')
  .option('--development', 'the development profile, unless NODE_ENV says production')
  .addHelpText('after', `
In production there is no GraphiQL, nobody writes, and only requests that ask for it get their account.
NODE_ENV=development opens all of that, and so does --development, which is what "npm start" says.

When it is told to end (SIGTERM, SIGINT) /ready answers 503 at once, connections are taken for a moment
longer (drainMs), everything that has begun is answered, and what is open is closed, within 10 seconds. The
second time it ends at once.

Exits with 0 when it is stopped, with 1 when something had to be cut or went wrong that nobody understands,
with 2 when it cannot start.

Example:
  $ PORT=8080 quire start                  serves http://127.0.0.1:8080/graphql
  $ quire start --config live.json         takes its settings from another file
  $ NODE_ENV=development quire start       serves with GraphiQL and open writes`)
  .action(async (options: { development?: boolean }) => {
    // Whatever else NODE_ENV says, nobody has asked for open doors.
    if (!options.development && process.env['NODE_ENV'] !== 'development') process.env['NODE_ENV'] = 'production'
    await import('./main.ts')
  })

program.command('init')
  .description('ask a few questions, and write a schema folder and a config that run')
  .argument('[folder]', 'where to write them', '.')
  .option('--types <names>', 'two document types: one that points, and the one it points at, such as Article,Writer')
  .option('--relation <kind>', 'how the first is to know the second')
  .option('--store <store>', 'where the documents are to be: memory, sqlite:PATH or cosmos')
  .option('--endpoint <address>', 'the account, where that is cosmos')
  .option('--port <number>', 'the port to listen on')
  .option('--yes', 'ask nothing: whatever is not said is chosen for you')
  .option('--force', 'replace files that are there')
  .addHelpText('after', `
Writes schema/schema.graphql with two document types and a relation between them, stored as you choose,
quire.config.json, and first-steps.graphql with operations to try. Files that are there are left alone,
and nothing is written at all where there are any, unless you say --force.
Without a terminal nothing is asked, as with --yes.

Exits with 0 when it has written, with 2 when it cannot, with 130 when it was stopped.

Example:
  $ quire init                                                   asks, and writes here
  $ quire init my-api --yes                                      asks nothing
  $ quire init shop --types Order,Customer --relation reference --store memory --port 4001`)
  .action(async (folder: string, options: Record<string, unknown>) => {
    const { runInit } = await import('./cli/init/init.ts')
    process.exitCode = await runInit(folder, options)
  })

withSettings(program.command('check'))
  .description('hold the stored documents against what the schema declares')
  .option('--repair', 'mend what can be mended')
  .option('--json', 'print one JSON object per finding, and one with the totals at the end')
  .addHelpText('after', `
Finds references to documents that do not exist, copies and lists that differ from what they are
copies of, wrong counts, entries that are not where they belong, and documents that are nearly too
large; of all tenants, one by one, where several share the store. Stopping it is safe at any time, also
while it repairs, and so is running it beside a gateway.
Where copies follow through the change feed, one that has not been reached yet counts as different.

Exits with 0 when nothing is wrong (any more), with 1 when something is, with 2 when it cannot run, with
130 when it was stopped.

Example:
  $ quire check                           says what is wrong, and what repair would do about it
  $ quire check --repair                  does it
  $ quire check --store sqlite:other.db   looks at another store`)
  .action(async (options: { repair?: boolean; json?: boolean }) => {
    const { runCheck } = await import('./cli/check.ts')
    process.exitCode = await runCheck({ repair: options.repair ?? false, json: options.json ?? false })
  })

withSettings(program.command('explain'), ['schema'])
  .description('say what an operation would do and cost, without running it')
  .argument('<file>', 'the operation, or - to read it from standard input')
  .option('--variables <json>', 'the values of its variables: page sizes and conditions depend on them')
  .option('--operation <name>', 'which one, where the file has several')
  .option('--max-stale-ms <ms>', 'how old copies may be, as the header quire-max-stale-ms says it')
  .option('--store', 'ask the store of QUIRE_STORE how many documents there are and how large')
  .option('--tenant <name>', 'of whom, where tenants share the store')
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
  .action(async (file: string, options: { variables?: string; operation?: string; maxStaleMs?: string; store?: boolean; tenant?: string; json?: boolean }) => {
    const { runExplain } = await import('./cli/explain/explain.ts')
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

Exits with 0 when it has compared, with 2 when it cannot, with 130 when it was stopped.

Example:
  $ quire compare                                   the shipped declarations, in the terminal
  $ quire compare --size 2000 --html report.html    more data, and a report with charts`)
  .action(async (folder: string | undefined, options: { size: string; html?: string; json?: boolean }) => {
    const { runCompare } = await import('./cli/compare/compare.ts')
    process.exitCode = await runCompare(folder, { ...options, json: options.json ?? false })
  })

withSettings(program.command('advise'))
  .description('say from a recorded workload how each relation is best stored, and prove it')
  .argument('<files...>', 'what QUIRE_RECORD has recorded; several files add up')
  .option('--sample <number>', 'how many documents of each type the workload is replayed on', '1000')
  .option('--tenant <name>', 'on whose documents, where tenants share the store')
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
  .action(async (files: string[], options: { sample: string; html?: string; tenant?: string; json?: boolean }) => {
    const { runAdvise } = await import('./cli/advise/advise.ts')
    process.exitCode = await runAdvise(files, { ...options, json: options.json ?? false })
  })

withSettings(program.command('dead-letters'))
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

withSettings(program.command('import'))
  .description('make documents of CSV or JSON lines files, as a mapping says')
  .argument('<mapping>', 'a JSON file that says which columns become which fields')
  .option('--from <folder>', 'where the files are that the mapping names; the folder of the mapping, if it is not said')
  .option('--tenant <name>', 'whose they are to be, where tenants share the store')
  .option('--dry-run', 'check everything and write nothing')
  .option('--strict', 'stop at the first row that is refused')
  .option('--json', 'print one JSON object per refused row, and one with the totals at the end')
  .addHelpText('after', `
Documents that are there are brought up to date, so importing twice changes nothing the second time.
Copies, lists and counts are worked out for all of them, and a row that is refused does not stop the
others. Stopping it is safe at any time: begun again, it ends the same. Rows are counted as a
spreadsheet shows them, the header being row 1. docs/import.md explains mappings.

Exits with 0 when every row was imported, with 1 when some were refused, with 2 when it cannot run, with
130 when it was stopped.

Example:
  $ quire import examples/import/sp500.json --from ~/data/sp500 --dry-run    says what it would do
  $ quire import examples/import/sp500.json --from ~/data/sp500              does it`)
  .action(async (mapping: string, options: { from?: string; tenant?: string; dryRun?: boolean; strict?: boolean; json?: boolean }) => {
    const { runImport } = await import('./cli/import.ts')
    process.exitCode = await runImport({
      mapping, from: options.from, tenant: options.tenant, dryRun: options.dryRun ?? false, strict: options.strict ?? false, json: options.json ?? false,
    })
  })

withSettings(program.command('schema'), ['schema'])
  .description('print the schema that clients see, for their tools')
  .argument('[folder]', 'the folder of SDL; without it, that of QUIRE_SCHEMA')
  .option('--out <file>', 'into this file')
  .option('--json', 'as the answer to the introspection query, instead of as SDL')
  .option('--check', 'write nothing, and say whether the file is up to date')
  .addHelpText('after', `
Code generators, editors, linters and client compilers want the schema as a file. It is the one that a
gateway serves: root fields, filters, inputs and payloads are in it, and so is @read, which operations may
use; how things are stored is not. No store is opened.

Exits with 0 when it is printed, with 1 when --check finds the file out of date, with 2 when it cannot run.

Example:
  $ quire schema --out schema.graphql            writes it
  $ quire schema --out schema.graphql --check    fails a build that forgot to`)
  .action(async (folder: string | undefined, options: { out?: string; json?: boolean; check?: boolean }) => {
    const { runSchema } = await import('./cli/schema.ts')
    process.exitCode = await runSchema(folder, { ...options, json: options.json ?? false, check: options.check ?? false })
  })

withSettings(program.command('seed'), ['store'])
  .description(seedWords.description)
  .requiredOption(seedWords.option, seedWords.explained)
  .option('--tenant <name>', 'whose they are to be, where tenants share the store')
  .option('--json', 'print one JSON object with the totals')
  .addHelpText('after', seedWords.help)
  .action(async (options: { tenant?: string; json?: boolean } & Record<string, unknown>) => {
    const { runSeed } = await import('./cli/seed.ts')
    process.exitCode = await runSeed({ count: String(options[seedWords.name]), tenant: options.tenant, json: options.json ?? false })
  })

program.command('bench')
  .description('measure this gateway on this machine, beside others')
  .argument('[suite...]', 'what to measure, and how: "quire bench --help" lists it')
  // It reads its own arguments, and explains them.
  .helpOption(false)
  .allowUnknownOption()
  .action(async (_suites, _options, command: Command) => {
    const { runBench } = await import('../bench/main.ts')
    process.exitCode = await runBench(command.args)
  })

const given = process.argv.slice(2)
try {
  if (given.length === 0) program.outputHelp()
  else await program.parseAsync(given, { from: 'user' })
} catch (error) {
  // What commander has against it, it has said already. Help that was asked for is no mistake.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else process.exitCode = printError(error)
}
