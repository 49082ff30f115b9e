// The values of fields that need nothing but their row. Relations are not here.

import type { Body } from '../model/json/json.ts'
import { nodeId } from '../model/keys/node-id.ts'
import type { ContainedType, DocumentType } from '../model/model.ts'
import type { Declaration } from '../relations/declaration.ts'
import { Copy } from '../relations/kind.ts'
import type { StoredDocument } from '../store/store.ts'

/** A document, or the snapshot in place of it. */
export type Row = StoredDocument | Copy

/** Reads a value from its row. */
export type Plain<S> = (source: S) => unknown

/** The values of a document, by field name. */
export function documentValues(type: DocumentType, { prepared }: Declaration): Map<string, Plain<Row>> {
  const values = new Map<string, Plain<Row>>()
  for (const field of type.fields.values()) {
    const found = prepared(field)
    // The properties of a snapshot have the names of fields, those of a document have the names they are stored under.
    if ('value' in found) values.set(field.name, (row) => (row instanceof Copy ? row.body[field.name] ?? null : found.value(row.body)))
  }
  values.set('nodeId', (row) => nodeId(type, row.body['id'] as string, row instanceof Copy ? undefined : row.key.partition))
  values.set('etag', (row) => (row as StoredDocument).etag)
  return values
}

/** The values of an object inside a document, by field name. */
export function containedValues(type: ContainedType, { prepared }: Declaration): Map<string, Plain<Body>> {
  const values = new Map<string, Plain<Body>>()
  for (const field of type.fields.values()) {
    const found = prepared(field)
    if ('value' in found) values.set(field.name, found.value)
  }
  return values
}

/** Where the pointers and lists of a row are stored. */
export function bodyOf(row: Row): Body {
  return row.body
}
