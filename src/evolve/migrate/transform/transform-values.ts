// Converts the values of a document, and of objects inside it, from the old model to the new one.

import { isBody, type Body, type Json } from '../../../model/json/json.ts'
import type { Field, ObjectType } from '../../../model/model.ts'
import { isPointer } from '../../../model/pointers.ts'
import { idsHeld, storedId } from '../../../relations/pointers/by-id.ts'
import { conversionTo } from '../scalar-conversions.ts'
import type { MatchedModels } from './matched-models.ts'
import { sourceOf } from './field-sources.ts'

/** A document cannot be migrated, and why. */
export class Unfit extends Error {
  override readonly name = 'Unfit'
}

/** What the new field stores for these values, or for none. */
export function storedValues(field: Field, values: readonly Json[]): Json | undefined {
  const max = 'max' in field.storage ? field.storage.max : undefined
  if (field.shape === 'list') {
    if (max !== undefined && values.length > max) throw new Unfit(`${field.coordinate} would have ${values.length} entries, max ${max}`)
    return values
  }
  if (values.length > 1) throw new Unfit(`${field.coordinate} would have ${values.length} values, and can have one`)
  return values[0]
}

export function convertedValues(pairs: MatchedModels, old: Field, field: Field, values: readonly Json[]): readonly Json[] {
  if (!field.leaf) return values.map((value) => (isBody(value) ? convertedObject(pairs, field.target, value) : value))
  if (old.target === field.target) return values
  const convert = conversionTo(field.target)!
  return values.map((value) => {
    const converted = convert(value)
    if (!converted) throw new Unfit(`${field.coordinate} would be ${JSON.stringify(value)}, which is no ${field.target}`)
    return converted.value
  })
}

/** An object as the new model stores it. What neither model declares stays. */
function convertedObject(pairs: MatchedModels, name: string, object: Body): Body {
  const [old, now] = [pairs.old.contained.get(name), pairs.now.contained.get(name)]
  return old && now ? rewritten(pairs, now, object, (field, source) => objectValue(pairs, field, source, object)) : object
}

/** The properties that fields do not need any more are left out before the new ones are set, so that fields can change places. */
export function rewritten(pairs: MatchedModels, now: ObjectType, body: Body, valueOf: (field: Field, old: Field) => Json | undefined): Body {
  const next = { ...body } as Record<string, Json>
  const changed = [...now.fields.values()].flatMap((field) => {
    const source = sourceOf(pairs, field)
    return 'old' in source && source.old ? [{ field, old: source.old }] : []
  })
  const own = pairs.oldObject(now)?.name
  for (const { old } of changed) if ('at' in old.storage && old.owner === own) delete next[old.storage.at]
  for (const { field, old } of changed) {
    const value = 'at' in field.storage ? valueOf(field, old) : undefined
    if (value !== undefined && 'at' in field.storage) next[field.storage.at] = value
  }
  for (const field of now.fields.values()) fillDefault(pairs, field, body, next)
  return next
}

function objectValue(pairs: MatchedModels, field: Field, old: Field, object: Body): Json | undefined {
  const held = object['at' in old.storage ? old.storage.at : old.name]
  if (held === undefined) return undefined
  if (isPointer(field) && isPointer(old)) return storedValues(field, idsHeld(old, object).map(storedId(field))) ?? null
  return storedValues(field, convertedValues(pairs, old, field, isList(held) ? held : held === null ? [] : [held])) ?? null
}

/** The default is a value, or computed from the document as it was. */
export function fillDefault(pairs: MatchedModels, field: Field, body: Body, next: Record<string, Json>): void {
  const given = pairs.default(field.coordinate)
  if (given === undefined || !('at' in field.storage) || (next[field.storage.at] ?? null) !== null) return
  const value = (typeof given === 'function' ? given(body) : given) as Json | undefined
  const convert = field.leaf && field.shape === 'one' ? conversionTo(field.target) : undefined
  const fits = value !== undefined && value !== null && (!convert || convert(value)?.value === value)
  if (!fits) throw new Unfit(`the default of ${field.coordinate} is ${JSON.stringify(value)}, which is no ${field.target}`)
  next[field.storage.at] = value
}

/** `Array.isArray` does not narrow read-only lists. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
