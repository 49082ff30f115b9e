// What a list has after its filter and order, computed over plain values by the names that clients write, without any code of plans
// and stores. The meaning of each operator comes from the model (src/model/operators.ts) and is tested there.

import { comparisons, filterOperators } from '../../src/model/operators.ts'
import { compareScalars } from '../../src/model/keys/compare-scalars.ts'
import type { Scalar } from '../../src/store/query.ts'

export type Plain = { readonly [name: string]: unknown }
export interface PlainOrder { readonly field: string; readonly direction: 'ASC' | 'DESC' }

/** An object of a union: of which member it is, or of none. */
export class Union {
  readonly member: string | undefined
  readonly value: Plain

  constructor(member: string | undefined, value: Plain) {
    this.member = member
    this.value = value
  }
}

/** The values that match, in order; equal ones by id in the direction of the first. */
export function listed<Value extends Plain & { readonly id: string }>(all: readonly Value[], filter: Plain | undefined, orders: readonly PlainOrder[], keys: Readonly<Record<string, (value: Value) => Scalar>>): Value[] {
  const sorting = [...orders, { field: 'ID', direction: orders[0]?.direction ?? 'ASC' }]
  const keyOf = (value: Value, field: string): Scalar => (field === 'ID' ? value.id : keys[field]!(value))
  return all.filter((value) => matches(value, filter ?? {})).toSorted((one, other) => {
    for (const { field, direction } of sorting) {
      const order = compareScalars(keyOf(one, field), keyOf(other, field))
      if (order !== 0) return direction === 'DESC' ? -order : order
    }
    return 0
  })
}

export function matches(value: Plain | Union, filter: Plain): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    if (name === 'and') return (condition as Plain[]).every((each) => matches(value, each))
    if (name === 'or') return (condition as Plain[]).some((each) => matches(value, each))
    if (name === 'not') return !matches(value, condition as Plain)
    if (value instanceof Union) return value.member === name && matches(value.value, condition as Plain)
    return meets(value[name], condition as Plain)
  })
}

/** A value, an object or a list, told by what is asked of it. */
function meets(found: unknown, condition: Plain): boolean {
  return Object.entries(condition).every(([name, asked]) => {
    if (name === 'some') return (found as unknown[]).some((each) => meets(each, asked as Plain))
    if (name === 'none') return !(found as unknown[]).some((each) => meets(each, asked as Plain))
    if (name === 'every') return (found as unknown[]).every((each) => meets(each, asked as Plain))
    if (Array.isArray(found) && name in filterOperators(true)) return found.some((each) => holds(true, name, each, asked))
    if (!isObject(found) && name in filterOperators(false)) return holds(false, name, found, asked)
    return matches(isObject(found) ? found : {}, { [name]: asked })
  })
}

function holds(many: boolean, name: string, found: unknown, asked: unknown): boolean {
  const { op, operand, negated = false } = filterOperators(many)[name]!.means(asked)
  const comparison: { readonly holds: (found: Scalar, operand: never) => boolean } = comparisons[op]
  return comparison.holds((found ?? null) as Scalar, operand as never) !== negated
}

function isObject(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
