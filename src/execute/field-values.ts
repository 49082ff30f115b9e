// What resolvers hand on: rows, and the values that need nothing but their row. Relations are not here.

import type { Declaration } from '../relations/declaration.ts'
import { nodeId } from '../model/keys/node-id.ts'
import type { ContainedType, DocumentType } from '../model/model.ts'
import { Copy } from '../relations/kind.ts'
import type { Body } from '../model/json/json.ts'
import type { StoredDocument } from '../store/store.ts'

/** A row is a document, or the copy that stands in for it. */
export type Row = StoredDocument | Copy

/** A value that is there with its row. */
export type Plain<S> = (source: S) => unknown

/** The values of a document, by the name of their field. */
export function documentValues(type: DocumentType, { prepared }: Declaration): Map<string, Plain<Row>> {
  const values = new Map<string, Plain<Row>>()
  for (const field of type.fields.values()) {
    const found = prepared(field)
    // A copy's properties have the names of fields, a document's have their own.
    if ('value' in found) values.set(field.name, (row) => (row instanceof Copy ? row.body[field.name] ?? null : found.value(row.body)))
  }
  values.set('nodeId', (row) => nodeId(type, row.body['id'] as string, row instanceof Copy ? undefined : row.key.partition))
  values.set('etag', (row) => (row as StoredDocument).etag)
  return values
}

/** The values of an object inside a document. */
export function containedValues(type: ContainedType, { prepared }: Declaration): Map<string, Plain<Body>> {
  const values = new Map<string, Plain<Body>>()
  for (const field of type.fields.values()) {
    const found = prepared(field)
    if ('value' in found) values.set(field.name, found.value)
  }
  return values
}

/** What holds the pointers and lists of a row. */
export function bodyOf(row: Row): Body {
  return row.body
}
