// Copies a SQLite database while others write to it, as it is at one moment, and proves the copy before anyone sees it. The copy is
// one file without a log beside it.

import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { SetupError } from '../../store-errors.ts'
import { busyTimeoutMs } from '../connection.ts'

export type CopyProgress = (pages: number, total: number) => void

/** Between two reports of progress; others may write meanwhile. */
const pagesPerStep = 256

/** `to` must not exist. It is removed if anything fails. */
export async function copyDatabase(from: string, to: string, onProgress: CopyProgress = () => {}): Promise<void> {
  // Not read-only: such a connection leaves a log beside the file when it is the last to close.
  const source = new DatabaseSync(from, { timeout: busyTimeoutMs })
  try {
    // In a transaction all steps read the same moment. Without it, a write between two of them would make SQLite begin again.
    source.exec('BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1')
    await backup(source, to, { rate: pagesPerStep, progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages) })
    proveWhole(to)
    syncFile(to)
  } catch (error) {
    removeDatabase(to)
    throw error
  } finally {
    source.close()
  }
}

/** A name beside a file for what is not complete. Removes what processes that were killed have left under such names. */
export function partialName(file: string, what: 'partial' | 'restoring'): string {
  const [folder, prefix] = [dirname(resolve(file)), `${basename(file)}.${what}-`]
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = name.startsWith(prefix) ? /^\d+$/.exec(name.slice(prefix.length)) : null
    if (pid && !isRunning(Number(pid[0]))) removeDatabase(join(folder, name))
  }
  return `${file}.${what}-${process.pid}`
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return pid !== process.pid
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export function removeDatabase(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

/** Throws if SQLite finds a fault. Leaves it without a write-ahead log. */
function proveWhole(file: string): void {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA journal_mode = DELETE')
    const faults = database.prepare('PRAGMA integrity_check').all().map((row) => String(Object.values(row)[0]))
    if (faults.length !== 1 || faults[0] !== 'ok') throw new SetupError(`The copy is damaged, so it was removed: ${faults.slice(0, 3).join('; ')}. The original may be damaged, too: run "quire check".`)
  } finally {
    database.close()
  }
}

function syncFile(file: string): void {
  const opened = openSync(file, 'r+')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
