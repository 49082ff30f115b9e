// Inputs for the writes of a replay: the input that would create a stored document, and an input that changes some of
// its fields. Changed values keep their length, so that documents keep their size.

import { isEnumType, type GraphQLSchema } from 'graphql'
import { partitionProperties, type DocumentType, type Field, type Model, type ObjectType } from '../../../model/model.ts'
import { inputName, memberName } from '../../../model/api/mutations.ts'
import { isPointer } from '../../../model/pointers.ts'
import { idOf, propertyOf } from '../../../relations/pointers/walk-pointers.ts'
import type { Body, Json } from '../../../model/json/json.ts'
import type { Input } from '../../../write/input/input.ts'

/** The input that creates a document like this one. */
export function createInput(model: Model, type: ObjectType, body: Body): Input {
  return Object.fromEntries([...type.fields.values()].flatMap((field) => {
    const name = inputName(field)
    const held = body[propertyOf(field)]
    return name === undefined || held === undefined || held === null ? [] : [[name, given(model, field, held)]]
  }))
}

export interface ChangeOptions {
  readonly schema: GraphQLSchema
  readonly model: Model
  /** Ids of existing documents of a type. */
  readonly idsOf: (typeName: string) => readonly string[]
  /** Different numbers give different values. */
  readonly turn: number
}

/** The input that changes these fields. Fields without an input follow from others and are left out. */
export function updateInput(type: DocumentType, body: Body, changed: readonly string[], options: ChangeOptions): Input {
  const located = new Set(partitionProperties(type))
  return Object.fromEntries(changed.flatMap((name) => {
    const field = type.fields.get(name)
    const input = field && inputName(field)
    if (!field || input === undefined || name === 'id' || located.has(propertyOf(field))) return []
    return [[input, changedValue(field, body[propertyOf(field)] ?? null, options)]]
  }))
}

function given(model: Model, field: Field, held: Json): unknown {
  const each = (one: Json): unknown => {
    if (isPointer(field)) return idOf(one)
    if (field.leaf) return one
    const contained = model.contained.get(field.target)
    if (contained) return createInput(model, contained, one as Body)
    const member = (model.unions.get(field.target) ?? []).find(({ has }) => has !== undefined && (one as Body)[has] !== undefined)
    return member ? { [memberName(member)]: createInput(model, member, one as Body) } : {}
  }
  return Array.isArray(held) ? (held as readonly Json[]).map(each) : each(held)
}

function changedValue(field: Field, held: Json, options: ChangeOptions): unknown {
  const { model, idsOf, turn } = options
  if (isPointer(field)) return changedIds(field, (Array.isArray(held) ? (held as readonly Json[]) : held === null ? [] : [held]).map(idOf), idsOf(field.target), turn)
  if (!field.leaf) return changedInside(field, held, options)
  if (Array.isArray(held)) return (held as readonly Json[]).map((one) => changedLeaf(field, one, options))
  return changedLeaf(field, held, { ...options, model })
}

/** Another document; a list moves its last entry to the front, or gets another document if it is too short. */
function changedIds(field: Field, ids: readonly string[], all: readonly string[], turn: number): unknown {
  const other = all[turn % Math.max(1, all.length)]
  if (field.shape !== 'list') return other === ids[0] ? all[(turn + 1) % Math.max(1, all.length)] ?? null : other ?? null
  return ids.length > 1 ? [ids.at(-1), ...ids.slice(0, -1)] : other === undefined ? [] : [other]
}

/** Changes the first plain value of the first contained object. */
function changedInside(field: Field, held: Json, options: ChangeOptions): unknown {
  const { model } = options
  if (held === null) return field.shape === 'list' ? [] : null
  const contained = model.contained.get(field.target)
  const changed = (one: Body): Body => {
    const inner = [...(contained?.fields.values() ?? [])].find((each) => each.leaf && one[propertyOf(each)] !== undefined && inputName(each) !== undefined)
    return inner ? { ...one, [propertyOf(inner)]: changedLeaf(inner, one[propertyOf(inner)]!, options) as Json } : one
  }
  if (!Array.isArray(held)) return given(model, field, changed(held as Body))
  const [first, ...rest] = held as readonly Body[]
  return given(model, field, first ? [changed(first), ...rest] : [])
}

function changedLeaf({ target }: Field, held: Json, { schema, turn }: ChangeOptions): unknown {
  const type = schema.getType(target)
  if (isEnumType(type)) return type.getValues()[turn % type.getValues().length]!.name
  if (typeof held === 'string') return `${held.slice(0, -1)}${letters[(letters.indexOf(held.slice(-1)) + 1 + turn) % letters.length]}`
  if (typeof held === 'number') return held + 1 + turn
  if (typeof held === 'boolean') return turn % 2 === 0 ? !held : held
  if (held !== null) return held
  return { String: letters[turn % letters.length], ID: letters[turn % letters.length], Int: 1 + turn, Float: 1 + turn, Boolean: turn % 2 === 0 }[target] ?? null
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
