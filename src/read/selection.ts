// All documents of one type as a selection of a store: the container, and the value of `type` where several
// types share the container.

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

/** Without documents of other types, which can have the same keys in a shared container. */
export function ofType(type: DocumentType, documents: readonly (StoredDocument | undefined)[]): readonly (StoredDocument | undefined)[] {
  return type.discriminator === undefined ? documents : documents.map((document) => (isOfType(type, document?.body) ? document : undefined))
}
