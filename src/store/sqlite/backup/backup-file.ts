// `quire backup` of a SQLite store: a copy beside its place, which gets its name only when it is whole and on the disk.

import { existsSync, linkSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigError } from '../../../errors.ts'
import { makeFolderFor, syncFolder } from '../folders.ts'
import { copyDatabase, partialName, removeDatabase, type CopyProgress } from './copy-database.ts'

/** Returns the size of the backup in bytes. */
export async function backupFile(store: string, file: string, onProgress: CopyProgress, signal: AbortSignal): Promise<number> {
  if (existsSync(file)) throw alreadyThere(file)
  makeFolderFor(file)
  const partial = partialName(file, 'partial')
  await copyDatabase(store, partial, onProgress)
  try {
    signal.throwIfAborted()
    // Unlike a rename, a link never takes the place of another file.
    linkSync(partial, file)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyThere(file) : error
  } finally {
    removeDatabase(partial)
  }
  syncFolder(dirname(resolve(file)))
  return statSync(file).size
}

function alreadyThere(file: string): ConfigError {
  return new ConfigError(`The file ${file} exists, and a backup overwrites no file. Name another file, or move this one away.`)
}
