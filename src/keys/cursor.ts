// Cursors: where a page ended, signed so that a client can keep one but not make one up. A cursor
// belongs to one list in one order and is refused anywhere else.

import { timingSafeEqual } from 'node:crypto'
import { createHmacOf } from './hmac.ts'
import type { Position, Scalar } from './position.ts'

export interface Cursors {
  write(scope: string, position: Position): string
  /** Undefined when the cursor was not written for this scope by someone with the same secret. */
  read(scope: string, cursor: string): Position | undefined
}

const signatureBytes = 12

export function createCursors(secret: string): Cursors {
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
