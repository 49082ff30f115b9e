// What Yoga remembers of operations that it has parsed, and of what is wrong with those that it could not: within
// a number of bytes. Yoga itself counts operations, and a thousand of the longest would take a gigabyte.

import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { bytesPerCharacter } from '../compiled/known-operations.ts'

/** Enough for some thousand of usual size. */
const usualBytes = 16 * 1024 * 1024

export function createParseCaches(bytes = usualBytes): { readonly documentCache: LRUCache<string, DocumentNode>; readonly errorCache: LRUCache<string, Error> } {
  return {
    documentCache: new LRUCache<string, DocumentNode>({ maxSize: Math.ceil(bytes * 0.75), sizeCalculation: sizeOf }),
    errorCache: new LRUCache<string, Error>({ maxSize: Math.ceil(bytes * 0.25), sizeCalculation: sizeOf }),
  }
}

function sizeOf(_: unknown, text: string): number {
  return 1000 + text.length * bytesPerCharacter
}
