// Reads how a mapping makes ids: from a column, a slug, a hash or a text.

import { isObject } from '../../../model/json/json.ts'
import { columnsIn, type IdRule } from './id-rule.ts'
import type { MappingInput } from './mapping-input.ts'
import type { RowFile } from '../rows/rows.ts'

const example = 'Write a column, { "slug": ["column"] }, { "hash": ["column"] } or { "text": "{column}-{column}" }'

export function readIdRule(input: MappingInput, place: string, given: unknown, file: RowFile): IdRule | undefined {
  if (typeof given === 'string') return { by: 'column', columns: [input.column(place, given, file)] }
  if (!isObject(given)) return input.wrong(place, `must say how ids are made. ${example}`)
  const [[by, of] = [], ...more] = Object.entries(given)
  if (more.length > 0) return input.wrong(place, `has ${1 + more.length} ways to make an id. Keep one`)
  if (by === 'text' && typeof of === 'string') return { by, text: of, columns: columnsIn(of).map((column) => input.column(`${place}.text`, column, file)) }
  const columns = typeof of === 'string' ? [of] : of
  if ((by !== 'slug' && by !== 'hash') || !isTexts(columns)) return input.wrong(place, `must say how ids are made. ${example}`)
  return { by, columns: columns.map((column) => input.column(`${place}.${by}`, column, file)) }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
}
