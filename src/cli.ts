// The `quire` command: the list of its commands. The file of a command declares its options and help and does
// the work; it is loaded only when the command is chosen, which keeps the start quick.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { ignoreClosedOutput } from './cli/command/closed-output.ts'
import { defineCommand, type CliCommand } from './cli/command/command.ts'
import { printError } from './cli/command/print-error.ts'

interface Listed {
  readonly description: string
  readonly load: () => Promise<{ readonly command: CliCommand }>
}

const root = join(import.meta.dirname, '..')

const commands: Readonly<Record<string, Listed>> = {
  init: { description: 'ask a few questions and write a project that runs', load: () => import('./cli/init/init.ts') },
  dev: { description: 'serve the schema while you write it: every save is served at once', load: () => import('./cli/dev/dev.ts') },
  start: { description: 'serve in the production profile, unless NODE_ENV is development', load: () => import('./cli/start.ts') },
  explain: { description: 'show what an operation would read and cost, without running it', load: () => import('./cli/explain/explain.ts') },
  compare: { description: 'run the same operations over the same data, stored in several ways, and compare the costs', load: () => import('./cli/compare/compare.ts') },
  advise: { description: 'recommend from a recorded workload how to store each relation, and prove it by replay', load: () => import('./cli/advise/advise.ts') },
  check: { description: 'compare the stored documents with what the schema declares, and repair them', load: () => import('./cli/check/check.ts') },
  migrate: { description: 'print what a changed schema needs of the stored documents, and do it', load: () => import('./cli/migrate.ts') },
  'dead-letters': { description: 'list the changes that could not be propagated, with their reasons', load: () => import('./cli/dead-letters.ts') },
  import: { description: 'turn CSV or JSON lines files into documents, following a mapping, or read an export back', load: () => import('./cli/import.ts') },
  export: { description: 'write all documents as JSON lines, in a folder that import reads back', load: () => import('./cli/export.ts') },
  backup: { description: 'copy an embedded store into a file, while gateways serve it', load: () => import('./cli/backup.ts') },
  restore: { description: 'put a backup in the place of an embedded store, and keep the old one', load: () => import('./cli/restore.ts') },
  codegen: { description: 'write the TypeScript types of stored documents, derive functions and resolvers', load: () => import('./cli/codegen/codegen.ts') },
  schema: { description: 'print the schema that clients see, for their tools', load: () => import('./cli/schema.ts') },
  seed: { description: 'fill a store with generated documents, to see how Quire behaves at that size', load: () => import('./cli/seed.ts') },
  'cosmos-emulator': { description: 'emulate Azure Cosmos DB on a port, in memory, for tests and development', load: () => import('./cli/cosmos-emulator.ts') },
  // The package has no benchmarks.
  ...(existsSync(join(root, 'bench')) ? { bench: { description: 'measure this gateway on this machine, next to others', load: () => import('./cli/bench.ts') } } : {}),
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

const program = new Command('quire')
  .description('A GraphQL gateway over a document database that knows how each relation is stored.')
  .version(version, '--version', 'print the version')
  .exitOverride()
  .showHelpAfterError('Run "quire --help" to see every command.')
  .addHelpText('after', `
All commands read the same settings: the store (store, QUIRE_STORE), the folder of SDL (schema, QUIRE_SCHEMA)
and so on. Options override the environment, and the environment overrides quire.config.ts or
quire.config.json in the current folder. Without any setting Quire serves the sample library.

Start here:
  $ quire init my-api          asks a few questions and writes a project that runs; --from writes it from your data
  $ cd my-api && npm install
  $ npm run dev                serves it, and serves it again whenever you save
  $ quire explain -            shows what an operation would cost, before it runs
  $ quire help check           explains one command, with examples`)

ignoreClosedOutput()
const args = process.argv.slice(2)
try {
  const chosen = args[0] === 'help' ? args[1] : args[0]
  for (const [name, { description, load }] of Object.entries(commands)) {
    const target = program.command(name).description(description)
    if (name === chosen) defineCommand(target, (await load()).command)
  }
  if (args.length === 0) program.outputHelp()
  else await program.parseAsync(args, { from: 'user' })
} catch (error) {
  // Commander has printed its own errors already, and help that was asked for is not a mistake.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else process.exitCode = printError(error)
}
