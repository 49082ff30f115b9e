// Reads where a mapping takes the fields of a type from: columns, values, texts, ids of other documents, and contained
// objects. Every field must be one that a mutation's input has.

import { inputName, memberName } from '../../../model/api/mutations.ts'
import type { Field, ObjectType } from '../../../model/model.ts'
import { isPointer } from '../../../model/pointers.ts'
import { kindOf } from '../../../relations/kinds.ts'
import type { Json } from '../../../model/json/json.ts'
import { columnsIn } from './id-rule.ts'
import type { Given, GivenObject, Source } from './mapping.ts'
import { instead, type MappingInput } from './mapping-input.ts'
import { readIdRule } from './read-id-rule.ts'
import type { RowFile } from '../rows/rows.ts'

/** All fields, including those that every document needs. */
export function readFields(input: MappingInput, place: string, type: ObjectType, given: unknown, file: RowFile): Given[] {
  const fields = Object.entries(input.object(place, given ?? {})).flatMap(([name, from]) => readField(input, `${place}.${name}`, type, name, from, file))
  checkComplete(input, place, type, fields)
  return fields
}

function readField(input: MappingInput, place: string, type: ObjectType, name: string, from: unknown, file: RowFile): Given[] {
  const field = type.fields.get(name)
  const inputField = field && inputName(field)
  if (!field) return input.wrong(place, `${type.name} has no field ${name}. ${calledHere(type, name) ?? instead(name, givableNames(type), 'It has')}`) ?? []
  if (name === 'id') return input.wrong(place, 'the id is set by "id" next to "fields". Move it there') ?? []
  if (kindOf(field).fill) return input.wrong(place, `${field.coordinate} is a bucketed list. Write it under "entries", with "list": "${field.coordinate}"`) ?? []
  if (inputField === undefined) return input.wrong(place, `${field.coordinate} is computed by Quire. Omit it`) ?? []
  const source = readSource(input, place, field, from, file)
  return source ? [{ field, input: inputField, from: source }] : []
}

function readSource(input: MappingInput, place: string, field: Field, given: unknown, file: RowFile): Source | undefined {
  if (isPointer(field)) return readReference(input, place, field, given, file)
  if (!field.leaf) return { by: 'objects', objects: readObjects(input, place, field, given, file) }
  if (typeof given === 'string') return { by: 'column', column: input.column(place, given, file), match: undefined, empty: [], otherwise: undefined, split: undefined }
  const { column, value, text, match, empty, default: otherwise, split } = input.object(place, given, 'a field in "fields"')
  if (value !== undefined) return { by: 'value', value: value as Json }
  if (typeof text === 'string') {
    for (const each of columnsIn(text)) input.column(`${place}.text`, each, file)
    return { by: 'text', text }
  }
  if (column === undefined) return input.wrong(place, 'has no source. Write a column, { "column": "…" }, { "text": "… {column}" } or { "value": … }')
  return {
    by: 'column', column: input.column(`${place}.column`, column, file), match: readMatch(input, `${place}.match`, match),
    empty: empty === undefined ? [] : ((Array.isArray(empty) ? empty : [empty]) as unknown[]).map(String), otherwise: otherwise as Json | undefined, split: readSplit(input, place, field, split),
  }
}

function readReference(input: MappingInput, place: string, field: Field, given: unknown, file: RowFile): Source | undefined {
  if (typeof given === 'string') return { by: 'id', rule: { by: 'column', columns: [input.column(place, given, file)] }, split: undefined }
  const { id, split } = input.object(place, given, 'a reference in "fields"')
  const rule = readIdRule(input, `${place}.id`, id, file)
  if (rule && split !== undefined && (rule.by === 'text' || rule.columns.length !== 1)) input.wrong(`${place}.split`, 'needs ids from exactly one column. Name one')
  return rule && { by: 'id', rule, split: readSplit(input, place, field, split) }
}

function readObjects(input: MappingInput, place: string, field: Field, given: unknown, file: RowFile): GivenObject[] {
  const all = (Array.isArray(given) ? given : [given]) as unknown[]
  return all.flatMap((each, index): GivenObject[] => {
    const at = Array.isArray(given) ? `${place}[${index}]` : place
    const shape = input.model.contained.get(field.target)
    if (shape) return [{ shape, member: undefined, fields: readFields(input, at, shape, each, file) }]
    const members = input.model.unions.get(field.target) ?? []
    const [[name, inner] = []] = Object.entries(input.object(at, each))
    const member = members.find((one) => memberName(one) === name)
    if (!member) return input.wrong(at, `${field.target} is a union. Write { "${members.map(memberName).join('": … } or { "')}": … }`) ?? []
    return [{ shape: member, member: name, fields: readFields(input, `${at}.${name}`, member, inner, file) }]
  })
}

/** Every required field needs a source. */
function checkComplete(input: MappingInput, place: string, type: ObjectType, fields: readonly Given[]): void {
  const given = new Set(fields.map(({ field }) => field))
  const missing = [...type.fields.values()].filter((field) => field.name !== 'id' && field.required && field.shape === 'one' && inputName(field) !== undefined && !given.has(field))
  // A field with a problem of its own is not reported again as missing.
  const unreported = missing.filter(({ name }) => !input.problems.some((problem) => problem.place.startsWith(`${place}.${name}`)))
  if (unreported.length > 0) input.wrong(place, `every ${type.name} needs ${unreported.map(({ name }) => name).join(' and ')}. Name a source, or write { "value": … }`)
}

function readSplit(input: MappingInput, place: string, field: Field, given: unknown): string | undefined {
  if (given === undefined) return undefined
  if (field.shape !== 'list') return input.wrong(`${place}.split`, `${field.coordinate} is not a list. Omit it`)
  return typeof given === 'string' && given !== '' ? given : input.wrong(`${place}.split`, 'must be the text between two elements, such as ";"')
}

function readMatch(input: MappingInput, place: string, given: unknown): RegExp | undefined {
  if (given === undefined) return undefined
  try {
    return new RegExp(String(given), 'u')
  } catch (error) {
    return input.wrong(place, `is not a regular expression: ${(error as Error).message}`)
  }
}

/** For a name that a field has in mutations, or in stored documents. */
function calledHere(type: ObjectType, name: string): string | undefined {
  const field = [...type.fields.values()].find((each) => inputName(each) === name || ('at' in each.storage && each.storage.at === name))
  return field && `A mapping calls it ${field.name}`
}

function givableNames(type: ObjectType): string[] {
  return [...type.fields.values()].filter((field) => field.name !== 'id' && inputName(field) !== undefined).map(({ name }) => name)
}
