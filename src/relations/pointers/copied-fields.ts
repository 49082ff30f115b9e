// The choice between pointing and copying, in the words of a schema: which fields can be copied, and how
// the same pointer is declared with these fields copied, or with none.

import { isStored, type Field, type ObjectType } from '../../model/model.ts'

/** Only what is in the target's own document can be copied: a copy of a relation would need copies of its own. */
export function copyableFields(target: ObjectType): Field[] {
  return [...target.fields.values()].filter((field) => isStored(field, 'stored', 'contained', 'derived'))
}

/** The fields that a pointer copies, beside the id; undefined where it is no pointer whose copies can be chosen. */
export function copiedBy(field: Field): readonly string[] | undefined {
  if (isStored(field, 'snapshot')) return field.storage.fields
  return isStored(field, 'reference') && field.storage.inverseOf === undefined ? [] : undefined
}

/** The directive of the same pointer with these fields copied. */
export function declaredCopying(field: Field, copied: readonly string[]): string {
  if (!isStored(field, 'reference', 'snapshot')) throw new Error(`${field.coordinate} is no pointer.`)
  const { at, max, onDelete } = field.storage
  const name = copied.length > 0 ? 'snapshot' : 'reference'
  const args = [
    `at: ${JSON.stringify(at)}`,
    ...(copied.length > 0 ? [`fields: [${copied.map((one) => JSON.stringify(one)).join(', ')}]`] : []),
    // What goes without saying differs between the two.
    ...(field.shape === 'list' && max !== usualMax[name] ? [`max: ${max}`] : []),
    ...(onDelete === 'RESTRICT' ? [] : [`onDelete: ${onDelete}`]),
  ]
  return `@${name}(${args.join(', ')})`
}

const usualMax = { reference: 1000, snapshot: 100 }
