// `quire schema`: the schema that clients see, printed for their tools. Storage is not in it, `@read` is.

import { readFileSync, writeFileSync } from 'node:fs'
import { introspectionFromSchema, printSchema, type GraphQLSchema } from 'graphql'
import { readConfig } from '../config/config.ts'
import { readDeclaration } from '../relations/declaration.ts'
import { readDeclaredSchema } from '../serve/schema-folder.ts'
import { servedSchema } from '../plan/explain/explain.ts'
import type { CliCommand } from './command.ts'
import type { Surroundings } from './explain/explain.ts'

export const command: CliCommand = {
  arguments: { '[folder]': 'the folder of SDL (default: QUIRE_SCHEMA)' },
  settings: ['schema'],
  options: {
    '--out <file>': 'write it to this file',
    '--json': 'print the answer to the introspection query instead of SDL',
    '--check': 'write nothing, and report whether the file is up to date',
  },
  help: `
Code generators, editors, linters and client compilers want the schema as a file. This is the schema that a
gateway serves: it has root fields, filters, inputs and payloads, and the directive @read for operations; it does not
say how documents are stored. No store is opened.

Exits with 0 when it is printed, with 1 when --check finds the file out of date, with 2 when it cannot run.

Example:
  $ quire schema --out schema.graphql            writes it
  $ quire schema --out schema.graphql --check    fails a build that forgot to write it`,
  run: ({ out, json = false, check = false }: Partial<SchemaOptions>, folder: string | undefined) =>
    runSchema(folder, { ...(out === undefined ? {} : { out }), json, check }),
}

export interface SchemaOptions {
  /** Into this file, instead of standard output. */
  readonly out?: string
  /** Only look whether the file is what would be written. */
  readonly check: boolean
  readonly json: boolean
}

const processItself: Pick<Surroundings, 'env' | 'print' | 'printError'> = {
  env: process.env,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
}

/** Answers with the exit code. */
export async function runSchema(folder: string | undefined, { out, check, json }: SchemaOptions, { env, print, printError } = processItself): Promise<number> {
  try {
    if (check && out === undefined) throw new Error('--check needs a file to look at. Name it with --out FILE.')
    const text = printed(await schemaOf(folder ?? env['QUIRE_SCHEMA']), json)
    if (out === undefined) print(text)
    else if (!check) write(out, `${text}\n`)
    else if (read(out) !== `${text}\n`) {
      printError(`${out} is not the schema that is served. Write it anew: the same command without --check.`)
      return 1
    }
    return 0
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error))
    return 2
  }
}

/** No store is asked, so whatever is set of stores does not matter. */
async function schemaOf(folder: string | undefined): Promise<GraphQLSchema> {
  const { typeDefs, derive } = await readDeclaredSchema(readConfig({ QUIRE_SCHEMA: folder }).schemaFolder)
  return servedSchema(readDeclaration(typeDefs, derive))
}

function printed(schema: GraphQLSchema, json: boolean): string {
  return json ? JSON.stringify(introspectionFromSchema(schema), undefined, 2) : printSchema(schema)
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new Error(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}). Give --out a file in a folder that is there.`, { cause: error })
  }
}

/** A file that is not there is out of date, too. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
