// Several writes of one document in one call, as the one operation that has their effect: Cosmos would
// take each of them, and its change feed could tell only of the last.

import { keyText, type Key } from '../../../model/keys/key.ts'
import type { Body } from '../../../model/json/json.ts'
import { ConflictError, type Write } from '../../store.ts'

/** What becomes of one document, and what has to be true of it before. */
export interface Intent {
  readonly key: Key
  readonly only: 'if-absent' | { readonly ifMatch: string } | undefined
  /** Undefined when it is to be gone. */
  readonly body: Body | undefined
  /** What it holds at the moment it goes, if that is known. */
  readonly last: Body | undefined
}

/** One intent per document, in the order in which they were last mentioned. */
export function collapsed(writes: readonly Write[]): Intent[] {
  const intents = new Map<string, Intent>()
  for (const write of writes) {
    const name = keyText(write.key)
    const before = intents.get(name)
    if (before) checkAfter(write, before)
    const last = write.kind === 'delete' ? (write.last ?? before?.body ?? before?.last) : undefined
    // Taken out first: a map keeps the order in which its names came, and this one comes anew.
    intents.delete(name)
    intents.set(name, { key: write.key, only: before ? before.only : write.only, body: write.kind === 'put' ? write.body : undefined, last })
  }
  return [...intents.values()]
}

/** A condition that an earlier write of the same call has already decided. */
function checkAfter({ container, key, only }: Write, { body }: Intent): void {
  if (only === undefined || (only === 'if-absent' && body === undefined)) return
  throw new ConflictError(container, key, only === 'if-absent' ? 'present' : body === undefined ? 'absent' : 'changed')
}
