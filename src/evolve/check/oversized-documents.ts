// Finds documents near the store's size limit: the store may refuse the next write to them.

import type { DocumentType } from '../../model/model.ts'
import type { StoredDocument, Supports } from '../../store/store.ts'
import type { Finding } from './finding.ts'

/** Reported from this part of the limit on. */
const nearlyFull = 0.8

export function oversized(type: DocumentType, { key: { id }, bytes }: StoredDocument, { documentBytes }: Supports): Finding[] {
  if (bytes <= nearlyFull * documentBytes) return []
  const percent = Math.floor((bytes / documentBytes) * 100)
  const sentence = `${type.name} ${id} is at ${percent} % of the max document size of ${documentBytes} bytes. Repair cannot shrink it: move the part that grows into documents of its own.`
  return [{ kind: 'oversized', at: type.name, id, sentence, repair: 'impossible' }]
}
