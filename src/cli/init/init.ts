// `quire init`: asks what the options leave open, or looks at the documents that there are, and writes a project that runs. init-questions.ts asks,
// init-from.ts looks, init-files.ts makes the files, write-project.ts writes them.

import { ConfigError } from '../../errors.ts'
import { storeSyntax } from '../../store/open-store.ts'
import type { CliCommand } from '../command/command.ts'
import { printError } from '../command/print-error.ts'
import { firstOperation } from './first-operation.ts'
import { filesFor, filesFrom } from './init-files.ts'
import { inferFrom, type FromOptions } from './init-from.ts'
import { askForPlan, planFromOptions, readPort, type Terminal, type GivenAnswers } from './init-questions.ts'
import { checkProject, projectNames, writeProject, writeSchema } from './write-project.ts'

export const command: CliCommand = {
  arguments: { '[folder]': 'where to write (default: the current folder)' },
  options: {
    '--types <names>': 'two document types, the referring one first, such as Article,Writer',
    '--relation <kind>': 'how the first refers to the second: reference, reverse or snapshot',
    '--store <store>': `where to keep the documents: ${storeSyntax}`,
    '--endpoint <address>': 'the Azure account, if the store is cosmos',
    '--port <number>': 'the port to listen on',
    '--from <source>': 'write the schema from documents that you have: sqlite:FILE, cosmos, or a folder of JSON, JSON lines or CSV files',
    '--sample <number>': 'with --from: how many documents of each container to read; default all, of Cosmos DB 10000',
    '--max-requests <number>': 'with --from cosmos: how many requests to send at most; default 2000',
    '--out <folder>': 'with --from: write only the schema, into this folder',
    '--yes': 'ask nothing and use defaults',
    '--force': 'replace existing files',
  },
  help: `
Writes a project: package.json with the scripts dev, start, codegen, check and test; quire.config.ts; and in schema/ two
document types with a relation between them, stored as you choose, sample documents, your own code with its types, and
operations to try. If the folder has a config file or a file of schema/ already, it writes nothing, unless you add --force.
Any other file that exists is kept. If that is package.json, it prints the commands that add what the project needs there.
Without a terminal it asks nothing, as with --yes.

With --from it asks nothing: it reads your documents, changes none of them, and writes the schema that they fit: types, scalars, contained
objects, references, snapshots, reverses, counts, buckets, partition keys and indexes. A comment above each states the evidence.
Documents of a folder, or of tables that are not Quire's, are copied into the store of the project; others are served where they are.
The account and the database of Cosmos DB are those of the settings: COSMOS_ENDPOINT, COSMOS_KEY, COSMOS_DATABASE.

Exits with 0 when it has written the files, with 2 when it cannot, with 130 when you stop it.

Example:
  $ quire init                                                   asks, and writes to the current folder
  $ quire init my-api --yes                                      asks nothing
  $ quire init shop --types Order,Customer --relation reference --store memory --port 4001
  $ quire init shop --from exported                              from a folder of files
  $ quire init shop --from cosmos --sample 5000                  from a database that is in use
  $ quire init --from sqlite:shop.db --out schema                only the schema`,
  run: (options: InitOptions, folder = '.') => runInit(folder, options),
}

export type InitOptions = GivenAnswers & Partial<FromOptions> & { readonly yes?: boolean; readonly force?: boolean; readonly out?: string }

/** Answers with the exit code. */
export async function runInit(folder: string, options: InitOptions, terminal?: Terminal): Promise<number> {
  try {
    if (options.from !== undefined) return await runInitFrom(folder, { ...options, from: options.from })
    for (const option of ['sample', 'maxRequests', 'out'] as const) if (options[option] !== undefined) throw new ConfigError(`--${option === 'maxRequests' ? 'max-requests' : option} belongs to --from. Add --from SOURCE, or leave it out.`)
    const asks = !options.yes && (terminal !== undefined || (process.stdin.isTTY && process.stdout.isTTY))
    const plan = asks ? await askForPlan(options, terminal) : planFromOptions(options)
    if (!plan) {
      console.error('Stopped. Nothing was written; run the command again to start over.')
      return 130
    }
    writeProject(folder, filesFor(plan, projectNames(folder)), options, plan.store)
    return 0
  } catch (error) {
    return printError(error)
  }
}

async function runInitFrom(folder: string, options: InitOptions & FromOptions): Promise<number> {
  const strange = (['types', 'relation', 'endpoint'] as const).find((option) => options[option] !== undefined)
  if (strange !== undefined) throw new ConfigError(`--${strange} cannot be combined with --from, which detects it. Leave it out.`)
  const port = readPort(options.port)
  const inferred = await inferFrom(folder, options, process.env)
  try {
    for (const line of inferred.summary) console.log(line)
    const { sdl, deriveText: derive, settings, declaration: { model } } = inferred
    if (options.out !== undefined) {
      writeSchema(options.out, new Map([['schema.graphql', sdl], ...(derive === undefined ? [] : [['derive.ts', derive] as const])]), options)
      return 0
    }
    const operation = firstOperation(model, inferred.largest)
    const files = filesFrom({ sdl, derive, settings, operation, port }, projectNames(folder))
    checkProject(folder, files, options)
    for (const line of await inferred.fill()) console.log(line)
    writeProject(folder, files, options, settings['store']!)
    return 0
  } finally {
    await inferred.close()
  }
}
