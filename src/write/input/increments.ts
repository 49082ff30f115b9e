// `increment` in the input of an update, as the values that it leads to. They are checked like values that the client gives, against the
// document that the write replaces: if another writer was faster, the unit of work runs again with that writer's value.

import { GraphQLError } from 'graphql'
import { badInput, clientError } from '../../graphql-errors.ts'
import { incrementables } from '../../model/api/increments.ts'
import type { Body } from '../../model/json/json.ts'
import type { DocumentType, Field } from '../../model/model.ts'
import { violationOf } from '../../model/values/constraint.ts'
import type { Input } from './input.ts'

const maxInt = 2 ** 31 - 1
const minInt = -(2 ** 31)

/** The input with the new values of incremented fields in place of `increment`. */
export function withIncrements(type: DocumentType, before: Body, input: Input): Input {
  const by = input['increment'] as Readonly<Record<string, number | null | undefined>> | null | undefined
  if (!by) return input
  const values: Record<string, number> = {}
  for (const field of incrementables(type)) {
    const amount = by[field.name]
    if (amount === undefined || amount === null) continue
    if (input[field.name] !== undefined) throw badInput(`${field.coordinate} is set and incremented in one input. Do one of the two.`)
    values[field.name] = sum(field, before['id'], before[field.storage.at] ?? 0, amount)
  }
  return { ...input, ...values }
}

/** Errors do not tell the sum: the viewer may be allowed to write the field and not to read it. */
function sum(field: Field, id: unknown, before: unknown, amount: number): number {
  const { coordinate, name, target, constraint } = field
  if (typeof before !== 'number') throw clientError('DOCUMENT_INVALID', `${coordinate} of ${String(id)} cannot be incremented: the stored value is not a number. Set it first.`)
  const value = before + amount
  const refused = `${coordinate} of ${String(id)} cannot be incremented by ${amount}`
  if (target === 'Int' && (value > maxInt || value < minInt)) throw badInput(`${refused}: the sum is beyond 32 bits. Use a smaller number, or declare it Float.`)
  const violation = constraint && violationOf(constraint, value)
  if (violation) throw new GraphQLError(`${refused}: the sum does not meet its ${Object.entries(violation.bound).map(([bound, limit]) => `${bound} ${String(limit)}`).join(' and ')}. Use another number.`, { extensions: { code: 'BAD_USER_INPUT', input: ['increment', name], constraint: violation.bound } })
  return value
}
