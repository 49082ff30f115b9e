// How commands say that they cannot do what they were asked to: in a line that says what to do, not in a
// stack trace. That is kept for mistakes that are not the caller's.

import { ConfigError } from '../errors.ts'

/** Answers with the exit code. */
export function printError(error: unknown): number {
  console.error(errorText(error))
  return 2
}

export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isSystemError(error)) return ofSystem(error)
  // Whatever is thrown on purpose has a sentence. These are not, and only their place helps.
  const unforeseen = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
  return unforeseen ? (error.stack ?? error.message) : error.message
}

/** Reads a file that a person has named. */
export function readNamed(read: () => string, file: string, what: string): string {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && isSystemError(error)) throw new ConfigError(ofSystem(error, file, what), { cause: error })
    throw error
  }
}

type SystemError = NodeJS.ErrnoException & { readonly syscall: string }

function isSystemError(error: Error): error is SystemError {
  return 'syscall' in error && 'code' in error
}

function ofSystem({ code, path, message }: SystemError, file = path ?? '', what = 'file'): string {
  switch (code) {
    case 'ENOENT': return `There is no ${what} ${file}. Check the name, and where you are.`
    case 'EISDIR': return `${file} is a folder. Name a ${what} in it.`
    case 'ENOTDIR': return `${file} is not in a folder: a part of its name is a file.`
    case 'EACCES': case 'EPERM': return `${file} is not for you to read or write. Change its permissions, or name another.`
    case 'EROFS': return `${file} is on a disk that cannot be written. Name another place.`
    case 'ENOSPC': return `There is no room left for ${file}. Make some, and begin again.`
    default: return `${message}.`
  }
}
