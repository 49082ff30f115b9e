// Reads and checks a mapping file: every field is one that the schema lets clients set, and every column one that its
// file has. All problems are reported at once, each with its place in the mapping.

import { basename } from 'node:path'
import { fieldAt, type Model } from '../../../model/model.ts'
import { kindOf } from '../../../relations/kinds.ts'
import { jsonError } from '../../../model/json/json-error.ts'
import { readTextFile } from '../../../model/json/json-file.ts'
import { MappingError, type DocumentRows, type EntryRows, type Mapping, type RowSplit, type Skip } from './mapping.ts'
import { placeFinder } from './json-locations.ts'
import { instead, MappingInput, wholeMapping } from './mapping-input.ts'
import { readFields } from './read-field-sources.ts'
import { readIdRule } from './read-id-rule.ts'
import type { RowFile } from '../rows/rows.ts'

/** The folder has the files that the mapping names. */
export async function readMapping(path: string, folder: string, model: Model): Promise<Mapping> {
  const name = basename(path)
  const input = new MappingInput(model, folder)
  const { text, given } = parsed(path, name)
  const mapping = await readAll(input, given)
  if (input.problems.length === 0) return mapping
  const find = placeFinder(text)
  throw new MappingError(input.problems.map(({ place, at, problem }) => {
    const { line, column } = find(at)
    return `${name}:${line}:${column}: ${place}: ${problem}`
  }))
}

function parsed(path: string, name: string): { readonly text: string; readonly given: unknown } {
  try {
    const text = readTextFile(path)
    return { text, given: JSON.parse(text) as unknown }
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = error instanceof SyntaxError ? `${name} is not JSON: ${jsonError(error)}.` : `${path} cannot be read: ${(error as Error).message}.`
    throw new MappingError([missing ? `There is no mapping at ${path}. docs/import.md explains how to write one.` : why])
  }
}

async function readAll(input: MappingInput, given: unknown): Promise<Mapping> {
  const { documents, entries } = input.object(wholeMapping, given, 'the mapping')
  const mapping: Mapping = {
    documents: await input.list('documents', documents, (place, one) => readDocuments(input, place, one)),
    entries: await input.list('entries', entries, (place, one) => readEntries(input, place, one)),
  }
  const count = mapping.documents.length + mapping.entries.length
  if (count === 0 && input.problems.length === 0) input.wrong('documents', 'there is nothing to import. Write a list like [{ "type": "…", "file": "….csv", "id": "column", "fields": { "field": "column" } }]')
  return mapping
}

async function readDocuments(input: MappingInput, place: string, given: unknown): Promise<DocumentRows | undefined> {
  const { type: typeName, skip, split, id: idRule, fields, ...fileGiven } = input.object(place, given, 'an element of "documents"')
  const type = input.model.documents.get(String(typeName))
  if (!type) return input.wrong(`${place}.type`, `there is no document type ${shown(typeName)}. ${instead(String(typeName), [...input.model.documents.keys()], 'Write one of')}`)
  const file = await input.file(place, fileGiven)
  if (!file) return undefined
  const parts = readRowSplit(input, `${place}.split`, split, file)
  const rows = { type, file, skip: readSkip(input, `${place}.skip`, skip, file), ...(parts ? { split: parts } : {}) }
  const id = readIdRule(input, `${place}.id`, idRule, file)
  const read = readFields(input, `${place}.fields`, type, fields, file)
  return id && { ...rows, id, fields: read }
}

async function readEntries(input: MappingInput, place: string, given: unknown): Promise<EntryRows | undefined> {
  const { list: coordinate, skip, of: ofRule, id: idRule, fields, ...fileGiven } = input.object(place, given, 'an element of "entries"')
  const list = fieldAt(input.model, String(coordinate))
  if (!list || !kindOf(list).fill) {
    const lists = [...input.model.documents.values()].flatMap((type) => [...type.fields.values()]).filter((field) => kindOf(field).fill)
    return input.wrong(`${place}.list`, `${shown(coordinate)} is not a bucketed list. ${lists.length > 0 ? `Write ${lists.map((field) => `"${field.coordinate}"`).join(' or ')}` : 'The schema has none'}`)
  }
  const file = await input.file(place, fileGiven)
  if (!file) return undefined
  const entry = input.model.contained.get(list.target)!
  const rows = { list, entry, file, owner: input.model.documents.get(list.owner)!, skip: readSkip(input, `${place}.skip`, skip, file) }
  const of = readIdRule(input, `${place}.of`, ofRule, file)
  const id = readIdRule(input, `${place}.id`, idRule, file)
  const read = readFields(input, `${place}.fields`, entry, fields, file)
  return id && of && { ...rows, of, id, fields: read }
}

function readSkip(input: MappingInput, place: string, given: unknown, file: RowFile): Skip[] {
  if (given === undefined) return []
  if (!Array.isArray(given)) return input.wrong(place, 'must be a list like [{ "column": "…", "is": "" }]') ?? []
  return given.map((each, index) => {
    const { column, is } = input.object(`${place}[${index}]`, each, 'an element of "skip"')
    const texts = (Array.isArray(is) ? is : [is]) as unknown[]
    if (!texts.every((text) => typeof text === 'string')) input.wrong(`${place}[${index}].is`, 'must be a text or a list of texts')
    return { column: input.column(`${place}[${index}].column`, column, file), is: texts.map(String) }
  })
}

function readRowSplit(input: MappingInput, place: string, given: unknown, file: RowFile): RowSplit | undefined {
  if (given === undefined) return undefined
  const { column, by } = input.object(place, given, 'the "split" of "documents"')
  if (typeof by !== 'string' || by === '') input.wrong(`${place}.by`, 'must be the text between two documents, such as ","')
  return { column: input.column(`${place}.column`, column, file), by: String(by) }
}

function shown(given: unknown): string {
  return given === undefined ? '(none given)' : String(given)
}
