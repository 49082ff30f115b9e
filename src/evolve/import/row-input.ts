// Turns a row into the input that a mutation would get for the same document. The type of a field decides how its cell is
// read: an Int is a whole number, a String is trimmed, an empty cell is null.

import type { Field } from '../../model/model.ts'
import type { Json } from '../../model/json/json.ts'
import { scalarCalled } from '../../model/scalars.ts'
import type { Input } from '../../write/input/input.ts'
import { cellText, filled, idFrom, idFromText } from './mapping/id-rule.ts'
import type { Given, GivenObject, Source } from './mapping/mapping.ts'
import type { Row } from './rows/rows.ts'

/** Rejects a row. The message is printed after the row number. */
export class RowError extends Error {
  override readonly name = 'RowError'
}

/** The values of each enum. */
export type Enums = ReadonlyMap<string, ReadonlySet<string>>

export function inputFrom(fields: readonly Given[], row: Row, enums: Enums): Input {
  return Object.fromEntries(fields.map(({ field, input, from }) => {
    const value = valueFrom(field, from, row, enums)
    if (value === null && field.required && field.shape === 'one') throw new RowError(`${field.name} is empty, but ${field.owner}.${field.name} is required`)
    return [input, value]
  }))
}

function valueFrom(field: Field, from: Source, row: Row, enums: Enums): unknown {
  switch (from.by) {
    case 'value':
      return from.value
    case 'text':
      return converted(field, filled(from.text, row), enums)
    case 'id':
      return idsFrom(field, from, row)
    case 'objects':
      return objectsFrom(field, from.objects, row, enums)
    case 'column':
      return columnFrom(field, from, row, enums)
  }
}

function columnFrom(field: Field, { column, match, empty, otherwise = null, split }: Source & { by: 'column' }, row: Row, enums: Enums): Json {
  const cell = row.cell(column)
  if (field.shape === 'list') {
    const elements = Array.isArray(cell) ? (cell as readonly Json[]) : cellText(cell) === '' ? [] : split === undefined ? [cell!] : cellText(cell).split(split)
    return elements.map((element) => converted(field, matched(element, match, empty), enums)).filter((element) => element !== null)
  }
  return converted(field, matched(cell, match, empty), enums) ?? otherwise
}

/** Null where the cell is empty, means null, or does not match. */
function matched(cell: Json | undefined, match: RegExp | undefined, empty: readonly string[]): Json {
  if (cell === undefined || cell === null) return null
  const text = cellText(cell)
  if (text === '' || empty.includes(text)) return null
  if (!match) return cell
  const found = match.exec(text)
  return found ? (found[1] ?? found[0]).trim() : null
}

function converted(field: Field, given: Json, enums: Enums): Json {
  if (given === null) return null
  const text = cellText(given)
  const invalid = (why: string) => new RowError(`${field.name} is ${JSON.stringify(text.slice(0, 60))}, which is ${why}`)
  const scalar = scalarCalled(field.target)
  if (scalar) {
    const read = scalar.fromText(text)
    if ('wrong' in read) throw invalid(read.wrong)
    return read.value
  }
  const values = enums.get(field.target)
  if (values && !values.has(text)) throw invalid(`not one of ${[...values].join(', ')}`)
  return values ? text : given
}

function idsFrom(field: Field, { rule, split }: Source & { by: 'id' }, row: Row): string | readonly string[] | null {
  const cell = row.cell(rule.columns[0] ?? '')
  const parts = Array.isArray(cell) ? cell.map((part) => cellText(part as Json)) : split === undefined ? undefined : cellText(cell).split(split).map((part) => part.trim())
  const ids = (parts ? parts.map((part) => idFromText(rule, part)) : [idFrom(rule, row)]).filter((id) => id !== undefined)
  return field.shape === 'list' ? ids : (ids[0] ?? null)
}

/** An object whose fields are all empty is omitted. */
function objectsFrom(field: Field, objects: readonly GivenObject[], row: Row, enums: Enums): unknown {
  const known = objects.flatMap(({ member, fields }) => {
    if (fields.every(({ field: inner, from }) => from.by === 'value' || isEmpty(valueFrom(inner, from, row, enums)))) return []
    const inside = inputFrom(fields, row, enums)
    return [member === undefined ? inside : { [member]: inside }]
  })
  return field.shape === 'list' ? known : (known[0] ?? null)
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}
