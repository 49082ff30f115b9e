// The choice between `@reference` and `@snapshot`: which fields a snapshot can copy, and the directive of the same
// pointer with other copied fields, or with none.

import { comesFrom, type Field, type ObjectType } from '../../model/model.ts'
import { holdsIds, isPointer } from '../../model/pointers.ts'

/** Only fields in the target's own document can be copied: a relation in a snapshot would need snapshots of its own. */
export function copyableFields(target: ObjectType): Field[] {
  return [...target.fields.values()].filter((field) => comesFrom(field, 'client', 'part', 'document', 'copy'))
}

/** The fields that a pointer copies, beside the id; undefined for a field where there is no such choice. */
export function copiedBy(field: Field): readonly string[] | undefined {
  if (!isPointer(field)) return undefined
  return 'fields' in field.storage ? field.storage.fields : []
}

/** The directive of the same pointer with these fields copied. */
export function declaredCopying(field: Field, copied: readonly string[]): string {
  if (!holdsIds(field)) throw new Error(`${field.coordinate} is not a pointer.`)
  const { at, max, onDelete } = field.storage
  const name = copied.length > 0 ? 'snapshot' : 'reference'
  const args = [
    `at: ${JSON.stringify(at)}`,
    ...(copied.length > 0 ? [`fields: [${copied.map((one) => JSON.stringify(one)).join(', ')}]`] : []),
    // The default of max differs between the two.
    ...(field.shape === 'list' && max !== defaultMax[name] ? [`max: ${max}`] : []),
    ...(onDelete === 'RESTRICT' ? [] : [`onDelete: ${onDelete}`]),
  ]
  return `@${name}(${args.join(', ')})`
}

const defaultMax = { reference: 1000, snapshot: 100 }
