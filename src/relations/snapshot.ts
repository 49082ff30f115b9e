// `@snapshot`: the document holds `{ id, …copied fields }` of the target. A selection that stays
// within the copied fields is answered from it; anything more is looked up by the id.

import { objectType, type Field, type Model, type StorageOf } from '../model/model.ts'
import type { Body } from '../store/store.ts'
import { checkPointer, followIds, idIndex } from './by-id.ts'
import type { Kind } from './kind.ts'

export const snapshot: Kind<StorageOf<'snapshot'>> = {
  check(field, model) {
    const problems = checkPointer(field, model)
    return problems.length > 0 ? problems : checkFields(field, model)
  },
  indexes: idIndex,
  prepare: (field, { model }) => followIds(field, model, field.storage.fields, (entry) => entry as Body),
}

/** Only what is in the target's own document can be copied: a copy of a relation would need copies of its own. */
function checkFields(field: Field<StorageOf<'snapshot'>>, model: Model): string[] {
  const target = objectType(model, field.target)!
  const copyable = [...target.fields.values()].filter(({ storage }) => ['stored', 'contained', 'derived'].includes(storage.kind))
  return field.storage.fields.flatMap((name) => {
    if (copyable.some((one) => one.name === name)) return []
    return target.fields.has(name)
      ? [`${field.coordinate} copies ${name}, which is itself a relation of ${target.name}. Copy stored or derived fields only.`]
      : [`${field.coordinate} copies ${name}, and ${target.name} has no such field. It has ${copyable.map((one) => one.name).join(', ')}.`]
  })
}
