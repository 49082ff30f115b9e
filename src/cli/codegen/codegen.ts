// `quire codegen`: writes the types of a schema folder beside its SDL, or checks that they are current.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readConfig } from '../../config/config.ts'
import { ConfigError } from '../../errors.ts'
import { readSdlFolder } from '../../model/sdl/read-sdl.ts'
import { processIo, type CommandIo } from '../command/command-io.ts'
import type { CliCommand } from '../command/command.ts'
import { errorText } from '../command/print-error.ts'
import { generatedFiles } from './generated-files.ts'

export const command: CliCommand = {
  arguments: { '[folder]': 'the schema folder (default: that of the settings)' },
  settings: ['schema'],
  options: { '--check': 'write nothing, and report whether the files are up to date' },
  help: `
Writes two files into the schema folder, from its SDL alone. "quire dev" writes them again at every save of the SDL.

quire.generated.ts has the types of your code: stored documents, the functions of derive.ts, the resolvers of
resolvers.ts with their arguments and context, and the documents of documents.ts.
quire.generated.graphql has the directives, and everything else that Quire adds to your SDL, for editors.

Exits with 0 when the files are written, with 1 when --check finds one out of date, with 2 when it cannot run.

Example:
  $ quire codegen                writes the types of the schema folder
  $ quire codegen --check        fails a build that forgot to write them`,
  run: ({ check = false }: { check?: boolean }, folder: string | undefined) => runCodegen(folder, { check }),
}

/** Answers with the exit code. */
export async function runCodegen(given: string | undefined, { check }: { readonly check: boolean }, { env, print, printError }: Pick<CommandIo, 'env' | 'print' | 'printError'> = processIo): Promise<number> {
  try {
    const schema = given ?? env['QUIRE_SCHEMA']
    // The default is the sample library, which is part of the package.
    if (schema === undefined) throw new ConfigError('There is no schema folder to write types for. Name it, or set "schema" in quire.config.ts.')
    const outdated = outdatedFiles(readConfig({ QUIRE_SCHEMA: schema }).schemaFolder)
    if (check) {
      for (const [file] of outdated) printError(`${relative(process.cwd(), file)} is out of date: the SDL has changed since. Run "quire codegen" to write it.`)
      return outdated.size === 0 ? 0 : 1
    }
    for (const [file, text] of outdated) {
      writeFileSync(file, text)
      print(`Wrote ${relative(process.cwd(), file)}.`)
    }
    if (outdated.size === 0) print('The generated files are up to date.')
    return 0
  } catch (error) {
    printError(errorText(error))
    return 2
  }
}

/** Writes the files again where a folder has them. Answers with those that were out of date; with none if the SDL is not valid. */
export function updateGenerated(folder: string): string[] {
  let outdated: Map<string, string>
  try {
    outdated = outdatedFiles(folder)
  } catch {
    // The gateway that is about to open says what is wrong.
    return []
  }
  return [...outdated].filter(([file]) => existsSync(file)).map(([file, text]) => {
    writeFileSync(file, text)
    return file
  })
}

/** The new text of each file that does not have it, by its path. */
function outdatedFiles(folder: string): Map<string, string> {
  const files = [...generatedFiles(readSdlFolder(folder))].map(([name, text]) => [join(folder, name), text] as const)
  return new Map(files.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text))
}
