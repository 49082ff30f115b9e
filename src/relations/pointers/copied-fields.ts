// The choice between `@reference` and `@snapshot`: which fields a snapshot can copy, and the directive of the same
// pointer with other copied fields, or with none.

import { isStored, type Field, type ObjectType } from '../../model/model.ts'

/** Only fields in the target's own document can be copied: a relation in a snapshot would need snapshots of its own. */
export function copyableFields(target: ObjectType): Field[] {
  return [...target.fields.values()].filter((field) => isStored(field, 'stored', 'contained', 'derived', 'frozen'))
}

/** The fields that a pointer copies, beside the id; undefined for a field where there is no such choice. */
export function copiedBy(field: Field): readonly string[] | undefined {
  if (isStored(field, 'snapshot')) return field.storage.fields
  return isStored(field, 'reference') && field.storage.inverseOf === undefined ? [] : undefined
}

/** The directive of the same pointer with these fields copied. */
export function declaredCopying(field: Field, copied: readonly string[]): string {
  if (!isStored(field, 'reference', 'snapshot')) throw new Error(`${field.coordinate} is not a pointer.`)
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
