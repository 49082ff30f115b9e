// Which contained types a document or an object has objects of, at any depth.

import { innerTypes, isInside } from '../../model/stored-types.ts'
import type { Model, ObjectType } from '../../model/model.ts'

/** Their names. Members of unions are among them. */
export function objectsIn(model: Model, type: ObjectType): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = ({ fields }: ObjectType): void => {
    for (const field of fields.values()) {
      for (const inner of (isInside(field, model) ? innerTypes(field, model) : undefined) ?? []) {
        if (found.has(inner.name)) continue
        found.add(inner.name)
        visit(inner)
      }
    }
  }
  visit(type)
  return found
}
