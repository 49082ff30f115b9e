// Loads the TypeScript and JavaScript files of a schema folder. Every error names the file.

import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { importModule } from '../../config/import-module.ts'
import { loadErrorText } from '../../config/load-error.ts'
import { ConfigError } from '../../errors.ts'
import { DeclarationError } from '../../model/sdl/declaration-error.ts'

export interface LoadedExport<T> {
  readonly value: T
  /** The name of the file, for messages. */
  readonly file: string
}

/** The export that has the name of its file, or the default export. Undefined when the folder has no such file. */
export async function loadExport<T>(folder: string, name: string): Promise<LoadedExport<T> | undefined> {
  const path = ['ts', 'js', 'mjs'].map((ending) => join(folder, `${name}.${ending}`)).find(existsSync)
  if (path === undefined) return undefined
  const file = basename(path)
  let module: Record<string, T | undefined>
  try {
    module = (await importModule(path)) as Record<string, T | undefined>
  } catch (error) {
    throw new DeclarationError([`${file} cannot be loaded: ${loadErrorText(path, error)}`])
  }
  const value = module[name] ?? module['default']
  if (value === undefined) throw new DeclarationError([`${file} has no export "${name}". Write "export const ${name} = …".`])
  return { value, file }
}

/** Runs a function that such a file exports. Its errors show the stack, because the user has to find the line. */
export function runExport<R>(file: string, run: () => R): R {
  try {
    return run()
  } catch (error) {
    throw exportError(file, error)
  }
}

export function exportError(file: string, error: unknown): ConfigError {
  if (error instanceof ConfigError) return error
  return new ConfigError(`${file} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, { cause: error })
}
