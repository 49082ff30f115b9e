// The pointers of a model: every path in its documents that holds ids of other documents, at the top level or
// inside contained objects. Checking references, deleting documents and indexing start from this list.

import { comesFrom, storedPath, type DocumentType, type Field, type Model, type ObjectType } from './model.ts'
import { storageTraits, type StorageHolding } from './storages.ts'

/** A field whose documents hold the ids of others. */
export type PointerField = Field<StorageHolding<'ids' | 'snapshots'>>

export interface Pointer {
  /** The type of the documents that point. */
  readonly holder: DocumentType
  readonly field: PointerField
  /** The path from the top of the document to the ids. */
  readonly path: readonly string[]
  /** The fields on that path: contained ones first, the pointer itself last. */
  readonly trail: readonly Step[]
}

export interface Step {
  readonly field: Field
  /** The property that tells the object's shape, where it is a member of a union. */
  readonly has: string | undefined
}

/** All pointers of a type's documents, without the inverse lists that Quire maintains. */
export function pointersOf(model: Model, holder: DocumentType): Pointer[] {
  return inside(model, holder, undefined, [], new Set()).map((trail) => {
    const field = trail.at(-1)!.field as PointerField
    return { holder, field, trail, path: trail.flatMap((step) => storedPath(step.field)!) }
  })
}

export function allPointers(model: Model): Pointer[] {
  return [...model.documents.values()].flatMap((type) => pointersOf(model, type))
}

/** Whether documents hold the ids of others in this field, given or maintained. */
export function holdsIds(field: Field | undefined): field is PointerField {
  if (!field) return false
  const { holds } = storageTraits[field.storage.kind]
  return holds === 'ids' || holds === 'snapshots'
}

/** Whether clients give the ids. The list that is the inverse of another pointer is maintained instead. */
export function isPointer(field: Field | undefined): field is PointerField {
  return holdsIds(field) && !('inverseOf' in field.storage && field.storage.inverseOf !== undefined)
}

/** Whether the ids are the stored values themselves, and not inside snapshots. */
export function holdsPlainIds(field: Field | undefined): field is PointerField {
  return holdsIds(field) && storageTraits[field.storage.kind].holds === 'ids'
}

/** Whether the ids are stored as numbers, although clients give and get them as text. */
export function hasNumericIds(field: Field): boolean {
  return 'numeric' in field.storage && field.storage.numeric
}

/** A contained type that contains itself is entered once: deeper references are not followed. */
function inside(model: Model, type: ObjectType, has: string | undefined, above: readonly Step[], entered: ReadonlySet<string>): Step[][] {
  return [...type.fields.values()].flatMap((field) => {
    const trail = [...above, { field, has }]
    if (isPointer(field)) return [trail]
    if (field.leaf || !comesFrom(field, 'client', 'part') || entered.has(field.target)) return []
    const contained = model.contained.get(field.target)
    const within = new Set([...entered, field.target])
    if (contained) return inside(model, contained, undefined, trail, within)
    return (model.unions.get(field.target) ?? []).flatMap((member) => inside(model, member, member.has, trail, within))
  })
}
