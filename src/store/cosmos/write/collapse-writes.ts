// Several writes of one document in one call, combined into one with the same effect: Cosmos DB would accept each of
// them, but its change feed would report only the last.

import { keyText, type Key } from '../../../model/keys/key.ts'
import type { Body } from '../../../model/json/json.ts'
import { checkCondition } from '../../write-condition.ts'
import type { Write } from '../../store.ts'

/** The combined effect on one document, and the condition on its state before. */
export interface Intent {
  readonly key: Key
  readonly only: 'if-absent' | { readonly ifMatch: string } | undefined
  /** Undefined for a deletion. */
  readonly body: Body | undefined
  /** The body that is deleted, if it is known. */
  readonly last: Body | undefined
}

/** One intent per document, in the order of each document's last write. */
export function collapseWrites(writes: readonly Write[]): Intent[] {
  const intents = new Map<string, Intent>()
  for (const write of writes) {
    const name = keyText(write.key)
    const before = intents.get(name)
    // An earlier write of the same call decides the condition. Its etag is not known yet, so none can match it.
    if (before) checkCondition(write, before.body && { etag: undefined })
    const last = write.kind === 'delete' ? (write.last ?? before?.body ?? before?.last) : undefined
    // Deleted first, so that the intent moves to the end of the map.
    intents.delete(name)
    intents.set(name, { key: write.key, only: before ? before.only : write.only, body: write.kind === 'put' ? write.body : undefined, last })
  }
  return [...intents.values()]
}
