// The fields that no two documents of a type share the value of, and the root field that finds a document by each. How a second
// holder is refused is in write/unique/.

import { storedPath, type DocumentType, type Field, type Model } from '../model.ts'

export interface UniqueField {
  readonly field: Field
  /** `postBySlug`. */
  readonly rootField: string
  readonly path: readonly string[]
}

export function uniqueFields(type: DocumentType): readonly UniqueField[] {
  let known = uniqueFieldsOf.get(type)
  if (!known) {
    known = [...type.fields.values()].filter(({ unique }) => unique).map((field) => ({ field, rootField: `${type.singular}By${field.name[0]!.toUpperCase()}${field.name.slice(1)}`, path: storedPath(field)! }))
    uniqueFieldsOf.set(type, known)
  }
  return known
}

/** Whether any type has such a field. */
export function hasUnique(model: Model): boolean {
  return [...model.documents.values()].some((type) => uniqueFields(type).length > 0)
}

/** What the root field of that name finds a document by. */
export function uniqueRootField(model: Model, name: string): { readonly type: DocumentType; readonly unique: UniqueField } | undefined {
  for (const type of model.documents.values()) {
    const unique = uniqueFields(type).find(({ rootField }) => rootField === name)
    if (unique) return { type, unique }
  }
  return undefined
}

/** Cached: every write asks. */
const uniqueFieldsOf = new WeakMap<DocumentType, readonly UniqueField[]>()
