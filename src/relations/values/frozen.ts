// `@frozen`: a value taken from a referenced document when the reference is written, and kept as it was: what a line of an order cost that
// day. It is a plain property from then on, so nothing maintains it, nothing about it can be stale, and `quire check` compares it with nothing.

import type { StorageOf } from '../../model/storages.ts'
import { isStored, objectType, type Field, type Model, type ObjectType } from '../../model/model.ts'
import { isPointer, type PointerField } from '../../model/pointers.ts'
import { copyableFields } from '../pointers/copied-fields.ts'
import type { Kind } from '../kind.ts'
import { valueIndex } from '../value-index.ts'

type Frozen = Field<StorageOf<'frozen'>>

export const frozen: Kind<StorageOf<'frozen'>> = {
  check(field, model) {
    const { coordinate, storage: { of } } = field
    const source = frozenSource(field, model)
    if (source) return checkSource(field, source)
    const pointers = [...objectType(model, field.owner)!.fields.values()].filter((each) => isPointer(each) && each.shape === 'one' && model.documents.has(each.target))
    const possible = pointers.flatMap((pointer) => copyableFields(model.documents.get(pointer.target)!).filter(({ leaf, shape }) => leaf && shape === 'one').map(({ name }) => `${pointer.name}.${name}`))
    const advice = possible.length === 0 ? `Give ${field.owner} a @reference to one document first.` : `Write one of ${possible.slice(0, 10).join(', ')}.`
    return [`${coordinate}: it freezes ${JSON.stringify(of)}, which is not a reference of ${field.owner} to one document and a scalar of that document. ${advice}`]
  },
  indexes: valueIndex,
  prepare: ({ storage: { at } }) => ({ value: (holder) => holder[at] ?? null, property: at }),
}

/** The reference in the same object, and the field of its target; undefined where there is no such field. */
export interface FrozenSource {
  readonly pointer: PointerField
  readonly field: Field
}

export function frozenSource({ owner, storage: { of } }: Frozen, model: Model): FrozenSource | undefined {
  const [name = '', copied = '', ...more] = of.split('.')
  const pointer = objectType(model, owner)?.fields.get(name)
  const target = isPointer(pointer) && pointer.shape === 'one' && more.length === 0 ? model.documents.get(pointer.target) : undefined
  const field = target && copyableFields(target).find((each) => each.name === copied && each.leaf && each.shape === 'one')
  return field && isPointer(pointer) ? { pointer, field } : undefined
}

/** The frozen fields of a type, by the properties that hold them. Cached, because every write asks. */
export function frozenIn(model: Model, type: ObjectType): readonly { readonly at: string; readonly source: FrozenSource }[] {
  let known = frozenOf.get(type)
  if (!known) {
    known = [...type.fields.values()].flatMap((field) => (isStored(field, 'frozen') ? [{ at: field.storage.at, source: frozenSource(field, model)! }] : []))
    frozenOf.set(type, known)
  }
  return known
}

const frozenOf = new WeakMap<ObjectType, ReturnType<typeof frozenIn>>()

function checkSource({ coordinate, shape, target, required }: Frozen, { pointer, field }: FrozenSource): string[] {
  if (shape !== 'one' || target !== field.target) return [`${coordinate}: it freezes ${field.coordinate}, which is a ${field.target}. Return ${field.target}.`]
  const optional = [pointer, field].find((each) => !each.required)
  return required && optional ? [`${coordinate}: it cannot be null, but ${optional.coordinate} can. Make it nullable, or ${optional.coordinate} required.`] : []
}
