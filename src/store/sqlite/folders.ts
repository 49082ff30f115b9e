// The folder of the SQLite file: made if it is missing, and synced to the disk. After a power failure a file is found
// only if its folder has been synced, too; syncing the file alone does not promise that.

import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { SetupError, StoreUnavailableError } from '../store-errors.ts'

export function makeFolderFor(file: string): void {
  const folder = resolve(dirname(file))
  let made: string | undefined
  try {
    made = mkdirSync(folder, { recursive: true })
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'a file has that name' : reasonOf(error)
    throw new SetupError(`Cannot create the folder ${dirname(file)} for the SQLite store: ${why}. Name a file in another folder.`, { cause: error })
  }
  if (made !== undefined) syncParents(folder, dirname(made))
}

/** Does nothing on Windows, which has no such call and syncs folders itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  try {
    const opened = openSync(folder, 'r')
    try {
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
  } catch (error) {
    throw new StoreUnavailableError(`Cannot sync the folder ${folder} of the SQLite store to the disk: ${(error as Error).message}.`, { cause: error })
  }
}

/** Every new folder is an entry of its parent, so all parents up to `top` are synced. */
function syncParents(folder: string, top: string): void {
  const parent = dirname(folder)
  syncFolder(parent)
  if (parent !== top && parent !== folder) syncParents(parent, top)
}

/** `permission denied` of `EACCES: permission denied, mkdir '/x'`. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^[A-Z]+: (.+?), .*$/s, '$1') : String(error)
}
