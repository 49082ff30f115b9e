// What can be wrong with an input before anything is read for it: nulls, numbers and lists that cannot be stored, and ids.

import { GraphQLError } from 'graphql'
import type { Declaration } from '../../relations/declaration.ts'
import { badInput } from '../../graphql-errors.ts'
import type { DocumentType, Field, ObjectType } from '../../model/model.ts'
import { isPointer } from '../../model/pointers.ts'
import { containedInputs, givenFields } from './given-fields.ts'
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

function checkInput(declaration: Declaration, type: ObjectType, input: Input): void {
  for (const { field, value } of givenFields(type, input)) {
    checkValue(field, value)
    if (isPointer(field)) continue
    for (const { shape, inner } of containedInputs(declaration, field, value)) checkInput(declaration, shape, inner)
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
