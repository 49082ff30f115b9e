// The object types that are stored in documents. Custom resolvers return all others, and may return anything for them.

import { comesFrom, type Field, type Model, type ObjectType } from './model.ts'

/** Documents, and whatever is inside of them, however deep. */
export function storedTypes(model: Model): Set<ObjectType> {
  const held = new Set<ObjectType>()
  const visit = (type: ObjectType): void => {
    if (held.has(type)) return
    held.add(type)
    for (const field of type.fields.values()) if (isInside(field, model)) innerTypes(field, model)?.forEach(visit)
  }
  for (const type of model.documents.values()) visit(type)
  return held
}

/** Whether the value of a field is an object inside of the document. */
export function isInside(field: Field, { documents }: Model): boolean {
  return !field.leaf && !documents.has(field.target) && comesFrom(field, 'client', 'part', 'entries')
}

/** The types that such an object can have; undefined if nothing says which. */
export function innerTypes({ target }: Field, { contained, unions }: Model): readonly ObjectType[] | undefined {
  return contained.has(target) ? [contained.get(target)!] : unions.get(target)
}
