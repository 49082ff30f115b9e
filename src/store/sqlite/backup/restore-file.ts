// `quire restore` of a SQLite store: a copy of the backup is prepared beside the store and takes its place at once. The old file is kept.
// No process may have the store open meanwhile: a process that goes on writing to the old file would lose everything it acknowledges.

import { existsSync, linkSync, lstatSync, realpathSync, renameSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { dirname, resolve } from 'node:path'
import { ConfigError } from '../../../errors.ts'
import { ownContainer } from '../../own-container.ts'
import { beginNewHistory } from '../change-feed.ts'
import { columnsOf } from '../indexes/sort-key-columns.ts'
import { makeFolderFor, syncFolder } from '../folders.ts'
import { isBusy } from '../sqlite-errors.ts'
import { identifier } from '../sql/sql-fragment.ts'
import { copyDatabase, partialName, removeDatabase, type CopyProgress } from './copy-database.ts'

export interface RestoreOptions {
  /** Allows to restore over documents. */
  readonly replace: boolean
  /** Named after the time: where the old file is kept. */
  readonly keptSuffix: string
  /** Changes the copy before it takes the place of the store. */
  readonly prepare: (file: string) => Promise<void>
  readonly onProgress?: CopyProgress
}

/** Returns where the old store is kept; undefined if there was none. */
export async function restoreFile(given: string, file: string, { replace, keptSuffix, prepare, onProgress }: RestoreOptions): Promise<string | undefined> {
  checkBackup(file)
  const store = behindLinks(given)
  makeFolderFor(store)
  if (existsSync(store) && statSync(store).ino === statSync(file).ino) throw new ConfigError(`${file} is the store itself. Name a backup of it.`)
  // Before the long part, and once more at its end.
  claim(store, replace)?.close()
  const partial = partialName(store, 'restoring')
  try {
    await copyDatabase(file, partial, onProgress)
    const copy = new DatabaseSync(partial)
    copy.exec(beginNewHistory)
    copy.close()
    await prepare(partial)
    const claimed = claim(store, replace)
    try {
      const kept = `${store}.${keptSuffix}`
      if (claimed) linkSync(store, kept)
      // There is a store at every moment: the old one or the new one.
      renameSync(partial, store)
      syncFolder(dirname(resolve(store)))
      return claimed && kept
    } finally {
      claimed?.close()
    }
  } finally {
    removeDatabase(partial)
  }
}

/** A link stays, and what it names is replaced. */
function behindLinks(store: string): string {
  if (existsSync(store)) return realpathSync(store)
  if (lstatSync(store, { throwIfNoEntry: false })?.isSymbolicLink()) throw new ConfigError(`${store} is a link to a missing file. Correct the link, or name the file itself.`)
  return store
}

function checkBackup(file: string): void {
  if (!existsSync(file)) throw new ConfigError(`There is no file ${file}. Name one that "quire backup" wrote.`)
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    if (columnsOf(database, ownContainer).size > 0) return
  } catch {
    // It is reported below.
  } finally {
    database.close()
  }
  throw new ConfigError(`${file} is not a store of Quire. Name a file that "quire backup" wrote.`)
}

/**
 * The store, locked against every other process until it is closed, and without a log beside it; undefined if there is none. SQLite gives up
 * the write-ahead log only for a process that is alone.
 */
function claim(store: string, replace: boolean): DatabaseSync | undefined {
  if (!existsSync(store)) return undefined
  const database = new DatabaseSync(store)
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    if (!replace && hasDocuments(database)) throw new ConfigError(`${store} has documents, which restoring would replace. Add --replace to restore anyway; the old file is kept.`)
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) throw new ConfigError(`${store} is open in another process, such as a gateway. Stop that process, then restore.`)
    if (error instanceof ConfigError || !replace) throw error
    // A damaged store cannot be locked; that may be the reason to restore.
    return new DatabaseSync(':memory:')
  }
}

function hasDocuments(database: DatabaseSync): boolean {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all().map(({ name }) => String(name))
  const containers = tables.filter((name) => name !== ownContainer && ['key', 'etag', 'body'].every((column) => columnsOf(database, name).has(column)))
  return containers.some((name) => database.prepare(`SELECT 1 FROM ${identifier(name).text} LIMIT 1`).get() !== undefined)
}
