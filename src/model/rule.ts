// Rules: who may read or write documents of a type, read one of its fields, or call a root field. auth/ applies them
// to a viewer.

import { hasNumericIds, holdsIds } from './pointers.ts'
import { scalarCalled } from './scalars.ts'
import { comesFrom, objectType, storedPath, type DocumentType, type Field, type Model, type ObjectType } from './model.ts'

/** Alternatives: a viewer who meets one of them is allowed. */
export interface Rule {
  /** Everyone, or every viewer with a token. */
  readonly by: 'PUBLIC' | 'SIGNED_IN' | undefined
  readonly roles: readonly string[]
  /** The field that holds the owner's id: of the type that has the rule, or as `Type.field` on a mutation. */
  readonly owner: string | undefined
}

/** The field that holds the owner's id in a type's documents. */
export function ownerField(type: DocumentType, rule: Rule | undefined): Field | undefined {
  return rule?.owner === undefined ? undefined : type.fields.get(rule.owner)
}

/** The path of the owner's id; undefined where a field does not hold exactly one id. */
export function ownerPath(field: Field): readonly string[] | undefined {
  const holds = holdsIds(field) || (comesFrom(field, 'client') && scalarCalled(field.target)?.holdsId === true)
  return holds && field.shape === 'one' ? storedPath(field) : undefined
}

/** The fields that could hold the owner's id. */
export function possibleOwners(type: ObjectType): string[] {
  return [...type.fields.values()].filter((field) => ownerPath(field) !== undefined).map(({ name }) => name)
}

/** Whether the id of the owner is stored as a number. */
export function ownerIsNumeric(field: Field): boolean {
  return hasNumericIds(field)
}

/** The types and fields whose rules apply to what a field shows: the types that it returns, joins through or counts, the relation that it counts, and the field that it aggregates or has frozen. */
export function shownBy(model: Model, field: Field): (ObjectType | Field)[] {
  if (comesFrom(field, 'list')) {
    const relation = objectType(model, field.owner)!.fields.get(field.storage.relation)!
    const value = 'field' in field.storage ? objectType(model, relation.target)?.fields.get(field.storage.field) : undefined
    return [relation, ...shownBy(model, relation), ...(value ? [value] : [])]
  }
  if (comesFrom(field, 'copy')) {
    const [name = '', copied = ''] = field.storage.of.split('.')
    const pointer = objectType(model, field.owner)!.fields.get(name)!
    return [pointer, ...shownBy(model, pointer), model.documents.get(pointer.target)!.fields.get(copied)!]
  }
  const through = comesFrom(field, 'joining') ? model.documents.get(field.storage.through) : undefined
  return [objectType(model, field.target), through].filter((type) => type !== undefined)
}
