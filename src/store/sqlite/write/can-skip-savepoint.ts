// Whether the writes of one writer will certainly all succeed or all fail: only the first can still fail. Then no
// savepoint is needed to undo them, for which SQLite would copy every page that they touch.

import type { Key } from '../../../model/keys/key.ts'
import type { EncodedWrite } from '../../in-process/prepare-write.ts'
import type { StoredDocument } from '../../store.ts'

/** Called while no other writer runs, so that a document that is known now stays the same until it is written. */
export function canSkipSavepoint(writes: readonly EncodedWrite[], knownDocument: (container: string, key: Key) => StoredDocument | undefined): boolean {
  const written = new Set<StoredDocument>()
  for (const [at, { write: { container, key, only } }] of writes.entries()) {
    const document = knownDocument(container, key)
    if (at > 0 && only !== undefined && !isCertainlyMet(only, document)) return false
    if (!document) continue
    // A second write of the same document meets what the first one wrote, which is not known yet.
    if (written.has(document)) return false
    written.add(document)
  }
  return true
}

function isCertainlyMet(only: NonNullable<EncodedWrite['write']['only']>, document: StoredDocument | undefined): boolean {
  return document !== undefined && only !== 'if-absent' && document.etag === only.ifMatch
}
