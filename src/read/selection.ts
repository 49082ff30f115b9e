// All the documents of one type, as stores are asked for them: the container, and the `type` that
// tells them from others in it.

import type { DocumentType } from '../model/model.ts'
import type { Selection } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'
import type { StoredDocument } from '../store/store.ts'

export function selectionOf(type: DocumentType): Pick<Selection, 'container' | 'type'> {
  return type.discriminator === undefined ? { container: type.container } : { container: type.container, type: type.discriminator }
}

export function isOfType(type: DocumentType, body: Body | undefined): boolean {
  return body !== undefined && (type.discriminator === undefined || body['type'] === type.discriminator)
}

/** In a shared container documents of other types may be behind the same keys. */
export function ofType(type: DocumentType, documents: readonly (StoredDocument | undefined)[]): readonly (StoredDocument | undefined)[] {
  return type.discriminator === undefined ? documents : documents.map((document) => (isOfType(type, document?.body) ? document : undefined))
}
