// The fields that the arguments of a list filter and order by, as far as the text of an operation shows them: a snapshot that copies
// all of them can answer.

import { Kind, type FieldNode, type ValueNode } from 'graphql'
import { filterables, orderables } from '../model/api/filters.ts'
import { listArguments } from '../model/api/list-arguments.ts'
import type { Field, Model } from '../model/model.ts'

/** `unknown` where a variable decides which; undefined where the list is asked for as it is. */
export function argumentFields(field: Field, { arguments: given = [] }: FieldNode, model: Model): ReadonlySet<string> | 'unknown' | undefined {
  if (given.length === 0) return undefined
  const known = new Set<string>(listArguments(field, model).map(({ name }) => name))
  const asked = given.filter(({ name, value }) => known.has(name.value) && name.value !== 'first' && value.kind !== Kind.NULL)
  if (asked.length === 0) return undefined
  const target = model.documents.get(field.target)!
  const names = new Map([...filterables(target).map((each) => [each.name, each.field.name] as const), ...orderables(target, model).map((each) => [each.name, each.trail[0]!.name] as const)])
  const used = new Set<string>()
  const isKnown = asked.every(({ name, value }) => (name.value === 'filter' ? inFilter(value, used) : inOrders(value, used)))
  return isKnown ? new Set([...used].map((name) => names.get(name) ?? name)) : 'unknown'
}

/** Adds the names in a filter; false where a variable decides. */
function inFilter(value: ValueNode, used: Set<string>): boolean {
  if (value.kind === Kind.NULL) return true
  if (value.kind === Kind.LIST) return value.values.every((each) => inFilter(each, used))
  if (value.kind !== Kind.OBJECT) return false
  return value.fields.every(({ name, value: inner }) => {
    if (name.value === 'and' || name.value === 'or' || name.value === 'not') return inFilter(inner, used)
    used.add(name.value)
    return true
  })
}

function inOrders(value: ValueNode, used: Set<string>): boolean {
  if (value.kind === Kind.LIST) return value.values.every((each) => inOrders(each, used))
  if (value.kind !== Kind.OBJECT) return false
  const field = value.fields.find(({ name }) => name.value === 'field')?.value
  if (field?.kind === Kind.ENUM) used.add(field.value)
  return field?.kind === Kind.ENUM
}
