// What can be wrong with an input before anything is read for it: nulls, numbers and lists that cannot be stored, and ids.

import { GraphQLError } from 'graphql'
import type { Declaration } from '../../relations/declaration.ts'
import { badInput } from '../../graphql-errors.ts'
import type { DocumentType, Field, ObjectType } from '../../model/model.ts'
import { isPointer } from '../../model/pointers.ts'
import { inputName } from '../../model/api/mutations.ts'
import { itemsViolation, violationOf, type Violation } from '../../model/values/constraint.ts'
import { containedInputs, providedFields } from './provided-fields.ts'
import type { Input } from './input.ts'

export function inputProblem(declaration: Declaration, type: ObjectType, input: Input): GraphQLError | undefined {
  try {
    checkInput(declaration, type, input)
    return undefined
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}

/** Returns an id that every store can keep and every URL can carry. */
export function checkId(type: DocumentType, id: string): string {
  const carried = /^[^/\\?#\p{Cc}]{1,255}$/u.test(id) && id !== '.' && id !== '..' && id.trim() !== '' && id.isWellFormed()
  if (!carried) throw badInput(`"${id.slice(0, 40)}" cannot be the id of a ${type.name}. Use up to 255 characters, without / \\ ? #.`)
  return id
}

/** JSON cannot store such a number: it would become null. */
export function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value)
}

type InputPath = readonly (string | number)[]

function checkInput(declaration: Declaration, type: ObjectType, input: Input, above: InputPath = []): void {
  for (const { field, value } of providedFields(type, input)) {
    checkValue(field, value)
    if (field.constraint) checkConstraint(field, value, [...above, inputName(field)!])
    if (isPointer(field)) continue
    for (const { shape, inner, at } of containedInputs(declaration, field, value)) checkInput(declaration, shape, inner, [...above, field.name, ...at])
  }
}

/** Refuses a value that does not meet the field's `@constraint`. */
export function checkConstraint(field: Field, value: unknown, at: InputPath): void {
  const refuse = ({ bound, is, advice }: Violation, where: InputPath): never => {
    throw new GraphQLError(`${field.coordinate} ${is}. ${advice}`, { extensions: { code: 'BAD_USER_INPUT', input: where, constraint: bound } })
  }
  if (field.shape === 'one') {
    const violation = violationOf(field.constraint!, value)
    return violation && refuse(violation, at)
  }
  const tooFew = itemsViolation(field.constraint!, value)
  if (tooFew) refuse(tooFew, at)
  if (!field.leaf || !Array.isArray(value)) return
  for (const [index, each] of value.entries()) {
    const violation = violationOf(field.constraint!, each)
    if (violation) refuse(violation, [...at, index])
  }
}

function checkValue(field: Field, value: unknown): void {
  if (value === null && field.required && field.shape === 'one') throw badInput(`${field.coordinate} cannot be null. Give a value, or omit the field.`)
  if (isInfinite(value) || (Array.isArray(value) && value.some(isInfinite))) throw badInput(`${field.coordinate} cannot be stored: the number is too large. Give a smaller one.`)
  const max = 'max' in field.storage ? field.storage.max : undefined
  if (max !== undefined && Array.isArray(value) && value.length > max) {
    throw badInput(`${field.coordinate} is too long: ${value.length} entries, max ${max}. Give fewer.`)
  }
}
