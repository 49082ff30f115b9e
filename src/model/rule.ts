// Who may read documents of a type or a field of theirs, who may write them, and who may call a root field.
// What a rule means for somebody who asks is not decided here.

import { hasNumericIds, holdsIds } from './pointers.ts'
import { scalarCalled } from './scalars.ts'
import { isStored, objectType, storedPath, type DocumentType, type Field, type Model, type ObjectType } from './model.ts'

/** Alternatives: whoever one of them fits may. */
export interface Rule {
  /** Everyone, or everyone who says who they are. */
  readonly by: 'PUBLIC' | 'SIGNED_IN' | undefined
  readonly roles: readonly string[]
  /** The field that says whose a document is: of the type that has the rule, or as `Type.field` on a mutation. */
  readonly owner: string | undefined
}

/** The field that a type's documents name their owner in. */
export function ownerField(type: DocumentType, rule: Rule | undefined): Field | undefined {
  return rule?.owner === undefined ? undefined : type.fields.get(rule.owner)
}

/** The way to the id of the owner; undefined where a field does not hold exactly one id. */
export function ownerPath(field: Field): readonly string[] | undefined {
  const holds = holdsIds(field) || (isStored(field, 'stored') && scalarCalled(field.target)?.holdsId === true)
  return holds && field.shape === 'one' ? storedPath(field) : undefined
}

/** The fields that could say whose a document is. */
export function possibleOwners(type: ObjectType): string[] {
  return [...type.fields.values()].filter((field) => ownerPath(field) !== undefined).map(({ name }) => name)
}

/** Whether the id of the owner is kept as a number, where it is one. */
export function ownerIsNumeric(field: Field): boolean {
  return hasNumericIds(field)
}

/** Whatever has rules that a field shows something of: the types that it leads to or through, or counts, and the relation that it counts. */
export function shownBy(model: Model, field: Field): (ObjectType | Field)[] {
  if (isStored(field, 'counted')) {
    const relation = objectType(model, field.owner)!.fields.get(field.storage.relation)!
    return [relation, ...shownBy(model, relation)]
  }
  const through = isStored(field, 'joined') ? model.documents.get(field.storage.through) : undefined
  return [objectType(model, field.target), through].filter((type) => type !== undefined)
}
