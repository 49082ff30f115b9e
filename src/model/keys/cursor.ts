// Cursors: the position where a page ended, signed so that clients can keep cursors but not forge them. A cursor belongs
// to one list in one order and is rejected for any other.

import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createHmacOf } from './hmac.ts'
import type { Position, Scalar } from './position.ts'

export interface Cursors {
  write(scope: string, position: Position): string
  /** Undefined if the cursor was written for another scope or with another secret. */
  read(scope: string, cursor: string): Position | undefined
}

const signatureBytes = 12

/**
 * Clients read the first pages of a list again and again, and signing takes most of the time of a cursor. So written
 * cursors and the positions of valid cursors are cached. The secret never changes, so neither can become wrong.
 */
export function createCursors(secret: string): Cursors {
  const signed = signedCursors(secret)
  const [cursors, positions] = [new ScopedCache<string>(), new ScopedCache<Position>()]
  return {
    write: (scope, position) => cursors.get(scope, textOf(position), () => signed.write(scope, position))!,
    read: (scope, cursor) => positions.get(scope, cursor, () => signed.read(scope, cursor)),
  }
}

/** Cursors that are valid only together with this text; without a text, the same ones. */
export function cursorsWithin(cursors: Cursors, text: string): Cursors {
  if (text === '') return cursors
  const scoped = (scope: string): string => JSON.stringify([text, scope])
  return { write: (scope, position) => cursors.write(scoped(scope), position), read: (scope, cursor) => cursors.read(scoped(scope), cursor) }
}

const maxCached = 1000

/** A cache for each scope, found by the scope's own string: one name made of scope and text would be hashed for every request. */
class ScopedCache<Value extends object | string> {
  readonly #scopes = new LRUCache<string, LRUCache<string, Value>>({ max: 200 })

  /** Long texts are not cached: they hardly repeat. Neither are rejected cursors: guesses would evict valid ones. */
  get(scope: string, text: string, make: () => Value | undefined): Value | undefined {
    if (text.length > 300) return make()
    let cache = this.#scopes.get(scope)
    if (cache === undefined) this.#scopes.set(scope, (cache = new LRUCache({ max: maxCached })))
    const found = cache.get(text)
    if (found !== undefined) return found
    const made = make()
    if (made !== undefined) cache.set(text, made)
    return made
  }
}

function signedCursors(secret: string): Cursors {
  const hmacOf = createHmacOf(secret)
  const sign = (scope: string, text: string) => hmacOf(`${scope}\0${text}`).subarray(0, signatureBytes)
  return {
    write(scope, position) {
      const text = textOf(position)
      return Buffer.concat([sign(scope, text), Buffer.from(text)]).toString('base64url')
    },
    read(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= signatureBytes) return undefined
      const text = bytes.subarray(signatureBytes).toString()
      if (!timingSafeEqual(sign(scope, text), bytes.subarray(0, signatureBytes))) return undefined
      const [value, id, further] = JSON.parse(text) as [Scalar, string, Scalar[]?]
      return further ? { value, id, further } : { value, id }
    },
  }
}

function textOf({ value, id, further }: Position): string {
  return JSON.stringify(further ? [value, id, further] : [value, id])
}
