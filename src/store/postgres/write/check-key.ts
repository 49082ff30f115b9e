// The longest key: an entry of an index has at most 2,700 bytes, and the key must fit in beside two values and a type.

import { keyText } from '../../../model/keys/key.ts'
import { TooLargeError } from '../../store-errors.ts'
import type { Write } from '../../store.ts'

const maxKeyBytes = 1200

/** A longer key cannot exist, so deleting it is nothing. */
export function checkKey({ kind, container, key }: Write): void {
  if (kind === 'delete') return
  const text = keyText(key)
  // Most keys are far too short to be measured.
  const bytes = text.length * 3 <= maxKeyBytes ? 0 : Buffer.byteLength(text)
  if (bytes > maxKeyBytes) throw new TooLargeError(container, key, bytes, maxKeyBytes, 'partition')
}
