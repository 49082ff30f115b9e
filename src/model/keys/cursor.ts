// Cursors: where a page ended, signed so that a client can keep one but not make one up. A cursor
// belongs to one list in one order and is refused anywhere else.

import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createHmacOf } from './hmac.ts'
import type { Position, Scalar } from './position.ts'

export interface Cursors {
  write(scope: string, position: Position): string
  /** Undefined when the cursor was not written for this scope by someone with the same secret. */
  read(scope: string, cursor: string): Position | undefined
}

const signatureBytes = 12

/**
 * The first pages of a list are asked for again and again, and a signature takes longer than everything else about
 * a cursor. What was signed is remembered with its cursor, and a cursor that was good with its position: neither can
 * ever become another, for the secret stays the same.
 */
export function createCursors(secret: string): Cursors {
  const signed = signedCursors(secret)
  const [cursors, positions] = [new LRUCache<string, string>({ max: mostRemembered }), new LRUCache<string, Position>({ max: mostRemembered })]
  return {
    write: (scope, position) => remembered(cursors, scope, JSON.stringify([position.value, position.id]), () => signed.write(scope, position))!,
    read: (scope, cursor) => remembered(positions, scope, cursor, () => signed.read(scope, cursor)),
  }
}

const mostRemembered = 1000

/** What is long hardly comes twice. What is refused is not remembered: whoever guesses would push out what is not. */
function remembered<Value extends object | string>(known: LRUCache<string, Value>, scope: string, text: string, make: () => Value | undefined): Value | undefined {
  if (text.length > 300) return make()
  // With its length, so that no end of a scope can be taken for the beginning of a text.
  const name = `${scope.length} ${scope}${text}`
  const found = known.get(name)
  if (found !== undefined) return found
  const made = make()
  if (made !== undefined) known.set(name, made)
  return made
}

function signedCursors(secret: string): Cursors {
  const hmacOf = createHmacOf(secret)
  const sign = (scope: string, text: string) => hmacOf(`${scope}\0${text}`).subarray(0, signatureBytes)
  return {
    write(scope, { value, id }) {
      const text = JSON.stringify([value, id])
      return Buffer.concat([sign(scope, text), Buffer.from(text)]).toString('base64url')
    },
    read(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= signatureBytes) return undefined
      const text = bytes.subarray(signatureBytes).toString()
      if (!timingSafeEqual(sign(scope, text), bytes.subarray(0, signatureBytes))) return undefined
      const [value, id] = JSON.parse(text) as [Scalar, string]
      return { value, id }
    },
  }
}
