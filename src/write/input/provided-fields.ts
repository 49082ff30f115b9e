// Walks an input along its type: which fields it provides, and which type each contained object has.

import type { Declaration } from '../../relations/declaration.ts'
import { inputName, memberName } from '../../model/api/mutations.ts'
import type { ContainedType, Field, ObjectType } from '../../model/model.ts'
import type { Input } from './input.ts'

export function providedFields(type: ObjectType, input: Input): { field: Field; value: unknown }[] {
  const given: { field: Field; value: unknown }[] = []
  for (const { field, name } of inputFields(type)) {
    const value = input[name]
    if (value !== undefined) given.push({ field, value })
  }
  return given
}

interface ContainedInput {
  readonly shape: ContainedType
  readonly inner: Input
  /** Where it is in the value of the field. */
  readonly at: readonly (string | number)[]
}

/** The contained objects of an input, each with its type. */
export function containedInputs({ model }: Declaration, field: Field, value: unknown): ContainedInput[] {
  if (field.leaf || value === null) return []
  const all = (Array.isArray(value) ? value : [value]) as Input[]
  const contained = model.contained.get(field.target)
  const place = (index: number) => (Array.isArray(value) ? [index] : [])
  if (contained) return all.map((inner, index) => ({ shape: contained, inner, at: place(index) }))
  const members = model.unions.get(field.target) ?? []
  return all.flatMap((choice, index) => members.filter((member) => choice[memberName(member)]).map((shape) => ({ shape, inner: choice[memberName(shape)] as Input, at: [...place(index), memberName(shape)] })))
}

/** Cached: an import asks for every row. */
function inputFields(type: ObjectType): readonly { field: Field; name: string }[] {
  const known = inputFieldsOf.get(type) ?? [...type.fields.values()].flatMap((field) => {
    const name = inputName(field)
    return name === undefined ? [] : [{ field, name }]
  })
  inputFieldsOf.set(type, known)
  return known
}

const inputFieldsOf = new WeakMap<ObjectType, readonly { field: Field; name: string }[]>()
