// Turns conditions and references into functions of a row. Conditions have three values: a comparison
// with something missing, or of two different types, is undefined, and only true selects a row.

import { Refusal } from '../http-messages.ts'
import { areEqual, compareInOrder, typeOf } from './compare.ts'
import { caseless, textFunctions } from './text-functions.ts'
import type { Comparison, Condition, DistinctJoin, Expression, Json, Loop, Operand, Ref, Shape, TypeCheck } from './syntax.ts'

export type Truth = boolean | undefined

/** The values of the aliases in scope, outermost first. */
export type Row = readonly unknown[]

export function compileCondition(condition: Condition, scope: readonly string[]): (row: Row) => Truth {
  switch (condition.kind) {
    case 'constant': return () => condition.value
    case 'and': return junction(condition.parts.map((part) => compileCondition(part, scope)), false)
    case 'or': return junction(condition.parts.map((part) => compileCondition(part, scope)), true)
    case 'not': {
      const part = compileCondition(condition.part, scope)
      return (row) => { const truth = part(row); return truth === undefined ? undefined : !truth }
    }
    case 'comparison': {
      const left = compileOperand(condition.left, scope)
      const right = compileOperand(condition.right, scope)
      return (row) => compare(condition.operator, left(row), right(row))
    }
    case 'in': return membership(compileRef(condition.ref, scope), condition.values)
    case 'textFunction': {
      const ref = compileRef(condition.ref, scope)
      const { name, part, ignoresCase } = condition
      const compared = ignoresCase ? caseless : (text: string) => text
      return (row) => { const value = ref(row); return typeof value === 'string' && typeof part === 'string' ? textFunctions[name](compared(value), compared(part)) : undefined }
    }
    case 'typeCheck': {
      const ref = compileRef(condition.ref, scope)
      const type = checkedTypes[condition.check]
      return (row) => (type === undefined ? ref(row) !== undefined : typeOf(ref(row)) === type)
    }
    case 'exists': return existence(condition.loops, condition.where, scope)
  }
}

export function compileRef(ref: Ref, scope: readonly string[]): (row: Row) => unknown {
  const slot = scope.lastIndexOf(ref.alias)
  if (slot < 0) throw new Refusal(400, `Identifier '${ref.alias}' could not be resolved.`)
  return (row) => {
    let value = row[slot]
    for (const step of ref.steps) {
      if (typeof value !== 'object' || value === null || Array.isArray(value) !== (typeof step === 'number') || !Object.hasOwn(value, step)) return undefined
      value = (value as Record<string | number, unknown>)[step]
    }
    return value
  }
}

/** The value of an aggregate's argument in a row. */
export function compileExpression(expression: Expression, scope: readonly string[]): (row: Row) => unknown {
  if (expression.kind === 'undefined') return () => undefined
  if (expression.kind !== 'iif') return compileOperand(expression, scope)
  const [condition, ifTrue, otherwise] = [compileCondition(expression.condition, scope), compileExpression(expression.ifTrue, scope), compileExpression(expression.otherwise, scope)]
  return (row) => (condition(row) === true ? ifTrue(row) : otherwise(row))
}

/** What is missing in an object or a list is left out of it. */
export function compileShape(shape: Shape, scope: readonly string[]): (row: Row) => unknown {
  if (shape.kind === 'object') {
    const entries = shape.entries.map(([name, each]) => [name, compileShape(each, scope)] as const)
    return (row) => Object.fromEntries(entries.map(([name, value]) => [name, value(row)] as const).filter(([, value]) => value !== undefined))
  }
  if (shape.kind === 'array') {
    const items = shape.items.map((each) => compileShape(each, scope))
    return (row) => items.map((item) => item(row)).filter((value) => value !== undefined)
  }
  return compileOperand(shape, scope)
}

/** The distinct values that a JOIN adds to a row, one row for each. */
export function compileJoin(join: DistinctJoin, scope: readonly string[]): (row: Row) => unknown[] {
  const rows = expansion(join.loops, scope)
  const value = compileRef(join.value, [...scope, ...join.loops.map(({ alias }) => alias)])
  return (row) => {
    const found = rows(row).map(value).filter((each) => each !== undefined)
    return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()]
  }
}

/** A row for each element, of each element, … that the loops go through. */
function expansion([loop, ...rest]: readonly Loop[], scope: readonly string[]): (row: Row) => Row[] {
  if (loop === undefined) return (row) => [row]
  const list = compileRef(loop.over, scope)
  const inner = expansion(rest, [...scope, loop.alias])
  return (row) => {
    const elements = list(row)
    return Array.isArray(elements) ? elements.flatMap((element) => inner([...row, element])) : []
  }
}

const checkedTypes: Record<TypeCheck, ReturnType<typeof typeOf> | undefined> = {
  IS_DEFINED: undefined, IS_NULL: 'null', IS_ARRAY: 'array', IS_OBJECT: 'object', IS_STRING: 'string', IS_NUMBER: 'number', IS_BOOL: 'boolean',
}

/** For OR the deciding value is true, for AND it is false; without it, one undefined makes all undefined. */
function junction(parts: readonly ((row: Row) => Truth)[], deciding: boolean): (row: Row) => Truth {
  return (row) => {
    let result: Truth = !deciding
    for (const part of parts) {
      const truth = part(row)
      if (truth === deciding) return deciding
      if (truth === undefined) result = undefined
    }
    return result
  }
}

function compileOperand(operand: Operand, scope: readonly string[]): (row: Row) => unknown {
  return operand.kind === 'ref' ? compileRef(operand.ref, scope) : () => operand.value
}

function compare(operator: Comparison, left: unknown, right: unknown): Truth {
  const type = typeOf(left)
  if (type === 'undefined' || type !== typeOf(right)) return undefined
  if (operator === '=') return areEqual(left, right)
  if (operator === '!=') return !areEqual(left, right)
  if (type === 'array' || type === 'object') return undefined
  const order = compareInOrder(left, right)
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

/** Equality with any of the values, as OR would have it; a set, because lists of keys are long. */
function membership(ref: (row: Row) => unknown, values: readonly Json[]): (row: Row) => Truth {
  const scalars = new Set<unknown>(values)
  const types = new Set(values.map(typeOf))
  return (row) => {
    const value = ref(row)
    if (value === undefined) return undefined
    if (scalars.has(value) || (typeof value === 'object' && values.some((each) => areEqual(each, value)))) return true
    return types.size === 1 && types.has(typeOf(value)) ? false : undefined
  }
}

function existence(loops: readonly Loop[], where: Condition | undefined, scope: readonly string[]): (row: Row) => boolean {
  const [loop, ...rest] = loops
  if (loop === undefined) {
    const condition = where === undefined ? undefined : compileCondition(where, scope)
    return (row) => condition === undefined || condition(row) === true
  }
  const list = compileRef(loop.over, scope)
  const inner = existence(rest, where, [...scope, loop.alias])
  return (row) => {
    const elements = list(row)
    return Array.isArray(elements) && elements.some((element) => inner([...row, element]))
  }
}
