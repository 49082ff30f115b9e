// How commands report that they cannot run: one line that says what to do. Only bugs get a stack trace.

import { ConfigError } from '../../errors.ts'

/** Answers with the exit code. */
export function printError(error: unknown): number {
  console.error(errorText(error))
  return 2
}

export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isSystemError(error)) return systemErrorText(error)
  // Quire throws none of these on purpose, so they are bugs.
  const isBug = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
  return isBug ? (error.stack ?? error.message) : error.message
}

/** Reads a file that the user named. */
export function readNamed(read: () => string, file: string, what: string): string {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && isSystemError(error)) throw new ConfigError(systemErrorText(error, file, what), { cause: error })
    throw error
  }
}

type SystemError = NodeJS.ErrnoException & { readonly syscall: string }

function isSystemError(error: Error): error is SystemError {
  return 'syscall' in error && 'code' in error
}

function systemErrorText({ code, path, message }: SystemError, file = path ?? '', what = 'file'): string {
  switch (code) {
    case 'ENOENT': return `There is no ${what} ${file}. Check the path and the current folder.`
    case 'EISDIR': return `${file} is a folder. Name a ${what} in it.`
    case 'ENOTDIR': return `Cannot use ${file}: part of its path is a file, not a folder.`
    case 'EACCES': case 'EPERM': return `Permission denied: ${file}. Change its permissions, or use another path.`
    case 'EROFS': return `Cannot write ${file}: the file system is read-only. Use another path.`
    case 'ENOSPC': return `Cannot write ${file}: the disk is full. Free some space and run the command again.`
    default: return `${message}.`
  }
}
