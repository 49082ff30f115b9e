// Making certain that a commit which has failed stays so. All of it may be in the log all the same: confirmed by the disk
// or not, and seen by nobody, until a crash makes SQLite read the log from its beginning and believe in it.
//
// Another commit takes the very place in the log, and once the disk has confirmed that, the failed one is gone for good. It
// changes nothing that anybody reads, and needs no room that is not there already.

import { isBusy, type SqliteConnection } from './connection.ts'

/** The connection is new by then, if the old one has seen the disk fail; and a disk that fails now and then may not do so again. */
const maxTries = 3

/** False when that cannot be made certain, so that nobody knows. The next commit of anyone, which takes the same place, will. */
export function settle(writer: SqliteConnection): boolean {
  for (let tries = 0; tries < maxTries; tries++) {
    try {
      writer.attempt('be written', () => {
        writer.exec('BEGIN IMMEDIATE')
        writer.exec('PRAGMA user_version = 1; COMMIT')
      })
      return true
    } catch (error) {
      writer.rollBack()
      // Someone else writes, and has kept this process waiting long enough.
      if (isBusy(error)) return false
    }
  }
  return false
}
