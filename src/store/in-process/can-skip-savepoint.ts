// Whether it is a foregone conclusion that the writes of one writer will all be made, or none: only the first can
// still be refused. Then nothing need be kept for undoing them, for which SQLite copies every page that they touch.

import type { Key } from '../../model/keys/key.ts'
import type { StoredDocument } from '../store.ts'
import type { EncodedWrite } from './prepare-write.ts'

/** Asked while nobody else writes: what is known to be stored then stays so until it is written. */
export function canSkipSavepoint(writes: readonly EncodedWrite[], stored: (container: string, key: Key) => StoredDocument | undefined): boolean {
  const written = new Set<StoredDocument>()
  for (const [at, { write: { container, key, only } }] of writes.entries()) {
    const document = stored(container, key)
    if (at > 0 && only !== undefined && !isMet(only, document)) return false
    if (!document) continue
    // What an earlier one of them has written is not what is stored any more.
    if (written.has(document)) return false
    written.add(document)
  }
  return true
}

/** Of a document that is not known it cannot be said. */
function isMet(only: NonNullable<EncodedWrite['write']['only']>, document: StoredDocument | undefined): boolean {
  return document !== undefined && only !== 'if-absent' && document.etag === only.ifMatch
}
