// `quire schema`: prints the schema that clients see, for their tools. It has `@read`, and nothing about storage.

import { readFileSync, writeFileSync } from 'node:fs'
import { introspectionFromSchema, printSchema, type GraphQLSchema } from 'graphql'
import { readConfig } from '../config/config.ts'
import { readDeclaration } from '../relations/declaration.ts'
import { readDeclaredSchema } from '../serve/schema-folder.ts'
import { servedSchema } from '../plan/explain/explain.ts'
import { processIo, type CommandIo } from './command/command-io.ts'
import type { CliCommand } from './command/command.ts'

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
  /** The file to write to instead of standard output. */
  readonly out?: string
  /** Compare the file with the schema instead of writing it. */
  readonly check: boolean
  readonly json: boolean
}

/** Answers with the exit code. */
export async function runSchema(folder: string | undefined, { out, check, json }: SchemaOptions, { env, print, printError }: Pick<CommandIo, 'env' | 'print' | 'printError'> = processIo): Promise<number> {
  try {
    if (check && out === undefined) throw new Error('--check needs a file to compare. Name it with --out FILE.')
    const text = printed(await schemaOf(folder ?? env['QUIRE_SCHEMA']), json)
    if (out === undefined) print(text)
    else if (!check) write(out, `${text}\n`)
    else if (read(out) !== `${text}\n`) {
      printError(`${out} is out of date: it differs from the served schema. Run the command without --check to write it.`)
      return 1
    }
    return 0
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error))
    return 2
  }
}

/** No store is opened, so the settings of stores do not matter. */
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
    throw new Error(`Cannot write ${file}: ${(error as NodeJS.ErrnoException).code}. Give --out a path in an existing folder.`, { cause: error })
  }
}

/** Undefined if the file cannot be read, which counts as out of date. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
