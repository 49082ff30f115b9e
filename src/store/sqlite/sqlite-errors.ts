// SQLite's error codes, and the errors that Quire makes of them. Extended codes carry the plain one in their lowest byte.

import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { SetupError, StoreUnavailableError } from '../store-errors.ts'

/** What the store was doing when it failed. */
export type Attempt = 'open' | 'reopen' | 'prepare' | 'read' | 'write' | 'ping'

/** An error that names the file, the reason and, where there is something to do, the remedy. */
export function sqliteError(file: string, attempt: Attempt, error: unknown): Error {
  if (codeOf(error) === codes.notADatabase && attempt === 'prepare') return new SetupError(`${file} is not a SQLite database. Name another file as the store, or move this one away.`, { cause: error })
  const message = error instanceof Error ? error.message : String(error)
  // SQLite reports a write that it could not complete as full, and everything else that needs space as an I/O error.
  const [why, code] = codeOf(error) === codes.io && isDiskFull(file) ? [`the disk is full (${message})`, codes.full] : [message, codeOf(error)]
  const remedy = code === codes.full && attempt === 'prepare' ? fullAtStart : remedies.get(code) ?? ''
  return new (isUnavailable(error) ? StoreUnavailableError : Error)(`Cannot ${attempt} the SQLite store ${file}: ${why}.${remedy}`, { cause: error })
}

/** Failing, damaged or unreadable: after these errors the connection's memory may differ from the file. */
export function isConnectionSuspect(error: unknown): boolean {
  return suspectCodes.has(codeOf(error))
}

/** Whether a second row with the same key was inserted. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === codes.uniqueConstraint
}

export function isBusy(error: unknown): boolean {
  return codeOf(error) === codes.busy
}

/** Whether the disk is full. SQLite reports that only for a write that it could not complete. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === codes.full
}

const codes = { busy: 5, locked: 6, outOfMemory: 7, readOnly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, protocol: 15, notADatabase: 26, uniqueConstraint: 2067 }

/** Conditions of the file or the machine, which may pass, rather than mistakes in the code. */
const unavailableCodes = new Set([codes.busy, codes.locked, codes.outOfMemory, codes.readOnly, codes.io, codes.corrupt, codes.full, codes.cannotOpen, codes.protocol, codes.notADatabase])

const suspectCodes = new Set([codes.io, codes.corrupt, codes.cannotOpen, codes.protocol, codes.notADatabase])

/** What to do, for errors that do not pass by waiting. */
const remedies = new Map([
  [codes.readOnly, ' Make the file and its folder writable, or name another file as the store.'],
  [codes.corrupt, ' Move it away, and restore it from a backup.'],
  [codes.full, ' Free some disk space.'],
  [codes.cannotOpen, ' Name a file, in a folder that you may write to.'],
])

/** After a crash some acknowledged writes are only in the log. */
const fullAtStart = ' Free some disk space and start again. Keep the -wal file beside it: it has acknowledged writes.'

/** Less than this is no room for the files beside the database: its log and the index of that. */
const minFreeBytes = 64 * 1024

function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file))
    return bavail * bsize < minFreeBytes
  } catch {
    return false
  }
}

function isUnavailable(error: unknown): boolean {
  return unavailableCodes.has(codeOf(error))
}

/** Also of an error that was made of SQLite's; 0 if there is no code. */
function codeOf(error: unknown): number {
  const original = error instanceof StoreUnavailableError ? error.cause : error
  return original instanceof Error && 'errcode' in original ? Number(original.errcode) & 0xff : 0
}
