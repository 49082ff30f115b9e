// The pieces that Cosmos SQL is written from: references to properties, and tests of what they hold. Property names come from the
// model and are written in brackets.

import type { Path, Scalar } from '../../query.ts'

/** Makes a value a parameter, and returns its name. */
export type Bind = (value: Scalar) => string

/** The types of values in the port's order, which is also that of Cosmos. */
export const valueTypes = ['IS_BOOL', 'IS_NUMBER', 'IS_STRING'] as const

export type TypeCheck = (typeof valueTypes)[number]

export function typeCheck(value: Exclude<Scalar, null>): TypeCheck {
  return typeof value === 'boolean' ? 'IS_BOOL' : typeof value === 'number' ? 'IS_NUMBER' : 'IS_STRING'
}

/** What counts as null: absent, null itself, a list or an object. */
export function countsAsNull(reference: string): string {
  return `(NOT IS_DEFINED(${reference}) OR IS_NULL(${reference}) OR IS_ARRAY(${reference}) OR IS_OBJECT(${reference}))`
}

export function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'false' : conditions.length === 1 ? conditions[0]! : `(${conditions.join(' OR ')})`
}

export function referenceTo(path: Path, of = 'c'): string {
  return `${of}${path.map(bracketed).join('')}`
}

export function bracketed(name: string): string {
  return `[${JSON.stringify(name)}]`
}

export const idReference = referenceTo(['id'])
