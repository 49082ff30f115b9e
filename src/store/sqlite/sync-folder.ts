// A file is found again after a power failure only if its folder says so on the disk too. Syncing the file does
// not promise that; syncing the folder does.

import { closeSync, fsyncSync, openSync } from 'node:fs'
import { StoreUnavailableError } from '../store.ts'

/** Not on Windows, which knows no such thing and keeps folders by itself. */
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
    throw new StoreUnavailableError(`What is in the folder ${folder} of the SQLite store could not be made lasting: ${(error as Error).message}.`, { cause: error })
  }
}
