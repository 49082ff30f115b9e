// Makes sure that a failed commit stays undone. All of it may be in the write-ahead log nevertheless: no reader sees it,
// until after a crash SQLite reads the log from the beginning and takes it for committed.
//
// Another commit overwrites the same part of the log, and once the disk has confirmed that one, the failed one is gone
// for good. That commit changes nothing that anyone reads, and needs no further disk space.

import type { SqliteConnection } from '../connection.ts'
import { isBusy } from '../sqlite-errors.ts'

/** The connection has been reopened by then if it had seen the disk fail, and the next try may succeed. */
const maxTries = 3

/** False if that cannot be confirmed: then the outcome stays unknown until the next commit of any process overwrites the log. */
export function confirmRollback(writer: SqliteConnection): boolean {
  for (let tries = 0; tries < maxTries; tries++) {
    try {
      writer.attempt('write', () => {
        writer.exec('BEGIN IMMEDIATE')
        writer.exec('PRAGMA user_version = 1; COMMIT')
      })
      return true
    } catch (error) {
      writer.rollback()
      // Another process is writing, and this one has been blocked long enough.
      if (isBusy(error)) return false
    }
  }
  return false
}
