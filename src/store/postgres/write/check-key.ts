// The longest key: an entry of an index has at most 2,700 bytes. One holds the whole key, others hold the id beside up to four values and a type.

import { keyText } from '../../../model/keys/key.ts'
import { TooLargeError } from '../../store-errors.ts'
import type { Write } from '../../store.ts'

const [maxKeyBytes, maxIdBytes] = [2500, 1200]

/** A longer key cannot exist, so deleting it is nothing. */
export function checkKey({ kind, container, key }: Write): void {
  if (kind === 'delete') return
  check(keyText(key), maxKeyBytes)
  check(key.id, maxIdBytes)

  function check(text: string, max: number): void {
    // Most keys are far too short to be measured.
    const bytes = text.length * 3 <= max ? 0 : Buffer.byteLength(text)
    if (bytes > max) throw new TooLargeError(container, key, bytes, max, 'partition')
  }
}
