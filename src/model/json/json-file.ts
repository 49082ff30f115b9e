// Reads files that people write: UTF-8, with or without the byte order mark that some editors put first.

import { readFileSync } from 'node:fs'

export function readJsonFile(file: string): unknown {
  return JSON.parse(readTextFile(file))
}

/** Throws for bytes that are not UTF-8, which would otherwise silently become other characters. */
export function readTextFile(file: string): string {
  const bytes = readFileSync(file)
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw new Error('it has bytes that are not UTF-8. Save it as UTF-8', { cause: error })
  }
}

/** Drops a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true })
