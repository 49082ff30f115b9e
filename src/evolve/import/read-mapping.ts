// From a mapping file to a checked mapping: every field is one that the schema lets be given, every
// column one that its file has. All that is wrong is told at once, each with its place in the file.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { inputName, memberName } from '../../model/api/mutations.ts'
import { fieldAt, type ContainedType, type Field, type Model, type ObjectType } from '../../model/model.ts'
import { isPointer } from '../../model/pointers.ts'
import { kindOf } from '../../relations/index.ts'
import { isObject, type Json } from '../../model/json/json.ts'
import { jsonError } from '../../model/json/json-error.ts'
import { columnsIn, type IdRule } from './id-rule.ts'
import { MappingError, type DocumentRows, type EntryRows, type Given, type GivenObject, type Mapping, type Skip, type Source } from './mapping.ts'
import { bytesOf, columnsOf, rowFile, type RowFile } from './rows.ts'

/** Files are looked for in the folder. */
export async function readMapping(path: string, folder: string, model: Model): Promise<Mapping> {
  const name = basename(path)
  const reader = new MappingReader(model, folder)
  const mapping = await reader.read(parsed(path, name))
  if (reader.problems.length > 0) throw new MappingError(reader.problems.map((problem) => `${name}: ${problem}`))
  return mapping
}

function parsed(path: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = error instanceof SyntaxError ? `${name} is no JSON: ${jsonError(error)}.` : `${path} cannot be read: ${(error as Error).message}.`
    throw new MappingError([missing ? `There is no mapping at ${path}. docs/import.md says how to write one.` : why])
  }
}

class MappingReader {
  readonly problems: string[] = []
  readonly #model: Model
  readonly #folder: string
  readonly #columns = new Map<string, readonly string[] | undefined>()

  constructor(model: Model, folder: string) {
    this.#model = model
    this.#folder = folder
  }

  async read(given: unknown): Promise<Mapping> {
    const { documents, entries } = this.#object('the mapping', given, ['about', 'documents', 'entries'])
    const read: Mapping = {
      documents: await this.#each('documents', documents, (place, one) => this.#documents(place, one)),
      entries: await this.#each('entries', entries, (place, one) => this.#entries(place, one)),
    }
    const count = read.documents.length + read.entries.length
    if (count === 0 && this.problems.length === 0) this.#wrong('documents', 'says nothing to import. Write a list like [{ "type": "…", "file": "….csv", "id": "column", "fields": { "field": "column" } }]')
    return read
  }

  async #each<T>(place: string, given: unknown, one: (place: string, given: unknown) => Promise<T | undefined>): Promise<T[]> {
    if (given === undefined) return []
    if (!Array.isArray(given)) return this.#wrong(place, 'has to be a list') ?? []
    const read: T[] = []
    for (const [index, each] of given.entries()) {
      const found = await one(`${place}[${index}]`, each)
      if (found) read.push(found)
    }
    return read
  }

  async #documents(place: string, given: unknown): Promise<DocumentRows | undefined> {
    const { type: typeName, file: fileName, separator, skip, id, fields } = this.#object(place, given, ['about', 'type', 'file', 'separator', 'skip', 'id', 'fields'])
    const type = this.#model.documents.get(String(typeName))
    if (!type) return this.#wrong(`${place}.type`, `there is no document type ${shown(typeName)}. Write one of ${[...this.#model.documents.keys()].join(', ')}`)
    const file = await this.#file(place, fileName, separator)
    if (!file) return undefined
    const read = {
      type, file,
      skip: this.#skip(`${place}.skip`, skip, file),
      id: this.#id(`${place}.id`, id, file),
      fields: this.#fields(`${place}.fields`, type, fields, file),
    }
    this.#checkComplete(`${place}.fields`, type, read.fields)
    return read.id && { ...read, id: read.id }
  }

  async #entries(place: string, given: unknown): Promise<EntryRows | undefined> {
    const { list: coordinate, file: fileName, separator, skip, of, id, fields } = this.#object(place, given, ['about', 'list', 'file', 'separator', 'skip', 'of', 'id', 'fields'])
    const list = fieldAt(this.#model, String(coordinate))
    if (!list || !kindOf(list).fill) {
      const lists = [...this.#model.documents.values()].flatMap((type) => [...type.fields.values()]).filter((field) => kindOf(field).fill)
      return this.#wrong(`${place}.list`, `${shown(coordinate)} is no list that entries are added to. ${lists.length > 0 ? `Write ${lists.map((field) => `"${field.coordinate}"`).join(' or ')}` : 'The schema has none'}`)
    }
    const file = await this.#file(place, fileName, separator)
    if (!file) return undefined
    const entry = this.#model.contained.get(list.target)!
    const read = {
      list, entry, file,
      owner: this.#model.documents.get(list.owner)!,
      skip: this.#skip(`${place}.skip`, skip, file),
      of: this.#id(`${place}.of`, of, file),
      id: this.#id(`${place}.id`, id, file),
      fields: this.#fields(`${place}.fields`, entry, fields, file),
    }
    this.#checkComplete(`${place}.fields`, entry, read.fields)
    return read.id && read.of && { ...read, id: read.id, of: read.of }
  }

  async #file(place: string, name: unknown, separator: unknown): Promise<RowFile | undefined> {
    if (typeof name !== 'string') return this.#wrong(`${place}.file`, 'names no file. Write the name of a .csv or .jsonl file')
    if (separator !== undefined && (typeof separator !== 'string' || separator.length !== 1 || separator === '"')) return this.#wrong(`${place}.separator`, 'has to be one character, such as ";"')
    const file = rowFile(this.#folder, name, separator ?? ',')
    if (bytesOf(file) === undefined) return this.#wrong(`${place}.file`, `there is no ${name} in ${this.#folder}. Say with --from where the files are`)
    if (!this.#columns.has(columnsKey(file))) this.#columns.set(columnsKey(file), await columnsOf(file))
    return file
  }

  #skip(place: string, given: unknown, file: RowFile): Skip[] {
    if (given === undefined) return []
    if (!Array.isArray(given)) return this.#wrong(place, 'has to be a list like [{ "column": "…", "is": "" }]') ?? []
    return given.map((each, index) => {
      const { column, is } = this.#object(`${place}[${index}]`, each, ['column', 'is'])
      const texts = (Array.isArray(is) ? is : [is]) as unknown[]
      if (!texts.every((text) => typeof text === 'string')) this.#wrong(`${place}[${index}].is`, 'has to be a text or a list of texts')
      return { column: this.#column(`${place}[${index}].column`, column, file), is: texts.map(String) }
    })
  }

  #id(place: string, given: unknown, file: RowFile): IdRule | undefined {
    if (typeof given === 'string') return { by: 'column', columns: [this.#column(place, given, file)] }
    const example = 'Write a column, { "slug": ["column"] }, { "hash": ["column"] } or { "text": "{column}-{column}" }'
    if (!isObject(given)) return this.#wrong(place, `does not say how ids are made. ${example}`)
    const [[by, of] = [], ...more] = Object.entries(given)
    if (more.length > 0) return this.#wrong(place, `gives ${1 + more.length} ways to make an id. Keep one`)
    if (by === 'text' && typeof of === 'string') return { by, text: of, columns: columnsIn(of).map((column) => this.#column(`${place}.text`, column, file)) }
    const columns = typeof of === 'string' ? [of] : of
    if ((by !== 'slug' && by !== 'hash') || !isTexts(columns)) return this.#wrong(place, `does not say how ids are made. ${example}`)
    return { by, columns: columns.map((column) => this.#column(`${place}.${by}`, column, file)) }
  }

  #fields(place: string, type: ObjectType, given: unknown, file: RowFile): Given[] {
    const fields = this.#object(place, given ?? {})
    return Object.entries(fields).flatMap(([name, from]) => {
      const field = type.fields.get(name)
      const at = `${place}.${name}`
      const input = field && inputName(field)
      if (!field) this.#wrong(at, `${type.name} has no field ${name}. It has ${givable(type).join(', ')}`)
      else if (name === 'id') this.#wrong(at, 'the id is said by "id" beside "fields". Move it there')
      else if (kindOf(field).fill) this.#wrong(at, `${field.coordinate} is a list that entries are added to. Write it under "entries", with "list": "${field.coordinate}"`)
      else if (input === undefined) this.#wrong(at, `${field.coordinate} is worked out by Quire and cannot be given. Leave it out`)
      else {
        const source = this.#source(at, field, from, file)
        return source ? [{ field, input, from: source }] : []
      }
      return []
    })
  }

  #source(place: string, field: Field, given: unknown, file: RowFile): Source | undefined {
    if (isPointer(field)) {
      if (typeof given === 'string') return { by: 'id', rule: { by: 'column', columns: [this.#column(place, given, file)] }, split: undefined }
      const { id, split } = this.#object(place, given, ['id', 'split'])
      const rule = this.#id(`${place}.id`, id, file)
      if (rule && split !== undefined && (rule.by === 'text' || rule.columns.length !== 1)) this.#wrong(`${place}.split`, 'takes the ids from one column. Name one')
      return rule && { by: 'id', rule, split: this.#split(place, field, split) }
    }
    if (!field.leaf) return this.#objects(place, field, given, file)
    if (typeof given === 'string') return { by: 'column', column: this.#column(place, given, file), match: undefined, empty: [], otherwise: undefined, split: undefined }
    const { column, value, text, match, empty, default: otherwise, split } = this.#object(place, given, ['column', 'value', 'text', 'match', 'empty', 'default', 'split'])
    if (value !== undefined) return { by: 'value', value: value as Json }
    if (typeof text === 'string') {
      for (const each of columnsIn(text)) this.#column(`${place}.text`, each, file)
      return { by: 'text', text }
    }
    if (column === undefined) return this.#wrong(place, 'does not say where it comes from. Write a column, { "column": "…" }, { "text": "… {column}" } or { "value": … }')
    return {
      by: 'column', column: this.#column(`${place}.column`, column, file), match: this.#match(`${place}.match`, match),
      empty: empty === undefined ? [] : ((Array.isArray(empty) ? empty : [empty]) as unknown[]).map(String), otherwise: otherwise as Json | undefined, split: this.#split(place, field, split),
    }
  }

  #objects(place: string, field: Field, given: unknown, file: RowFile): Source {
    const all = (Array.isArray(given) ? given : [given]) as unknown[]
    const objects = all.flatMap((each, index): GivenObject[] => {
      const at = Array.isArray(given) ? `${place}[${index}]` : place
      const shape = this.#model.contained.get(field.target)
      if (shape) return [{ shape, member: undefined, fields: this.#complete(at, shape, each, file) }]
      const members = this.#model.unions.get(field.target) ?? []
      const [[name, inner] = []] = Object.entries(this.#object(at, each))
      const member = members.find((one) => memberName(one) === name)
      if (!member) return this.#wrong(at, `a ${field.target} is one of several. Write { "${members.map(memberName).join('": … } or { "')}": … }`) ?? []
      return [{ shape: member, member: name, fields: this.#complete(`${at}.${name}`, member, inner, file) }]
    })
    return { by: 'objects', objects }
  }

  #complete(place: string, shape: ContainedType, given: unknown, file: RowFile): Given[] {
    const fields = this.#fields(place, shape, given, file)
    this.#checkComplete(place, shape, fields)
    return fields
  }

  /** What a document cannot do without has to come from somewhere. */
  #checkComplete(place: string, type: ObjectType, fields: readonly Given[]): void {
    const given = new Set(fields.map(({ field }) => field))
    const missing = [...type.fields.values()].filter((field) => field.name !== 'id' && field.required && field.shape === 'one' && inputName(field) !== undefined && !given.has(field))
    // A place that is wrong in itself has been told already.
    const told = missing.filter(({ name }) => !this.problems.some((problem) => problem.startsWith(`${place}.${name}`)))
    if (told.length > 0) this.#wrong(place, `every ${type.name} needs ${told.map(({ name }) => name).join(' and ')}. Say where it comes from, or write { "value": … }`)
  }

  #split(place: string, field: Field, given: unknown): string | undefined {
    if (given === undefined) return undefined
    if (field.shape !== 'list') return this.#wrong(`${place}.split`, `${field.coordinate} is no list. Leave it out`)
    return typeof given === 'string' && given !== '' ? given : this.#wrong(`${place}.split`, 'has to be the text between two elements, such as ";"')
  }

  #match(place: string, given: unknown): RegExp | undefined {
    if (given === undefined) return undefined
    try {
      return new RegExp(String(given), 'u')
    } catch (error) {
      return this.#wrong(place, `is no regular expression: ${(error as Error).message}`)
    }
  }

  #column(place: string, column: unknown, file: RowFile): string {
    const columns = this.#columns.get(columnsKey(file))
    if (typeof column !== 'string') this.#wrong(place, 'names no column')
    else if (columns && !columns.includes(column)) this.#wrong(place, `${file.name} has no column ${column}. It has ${columns.join(', ')}`)
    return String(column)
  }

  #object(place: string, given: unknown, known?: readonly string[]): Record<string, unknown> {
    if (!isObject(given)) return this.#wrong(place, 'has to be an object') ?? {}
    for (const word of Object.keys(given)) if (known && !known.includes(word)) this.#wrong(place, `knows no "${word}". It knows ${known.join(', ')}`)
    return given
  }

  #wrong(place: string, problem: string): undefined {
    this.problems.push(`${place}: ${problem}.`)
  }
}

function givable(type: ObjectType): string[] {
  return [...type.fields.values()].filter((field) => field.name !== 'id' && inputName(field) !== undefined).map(({ name }) => name)
}

function columnsKey({ name, separator }: RowFile): string {
  return `${separator}${name}`
}

function shown(given: unknown): string {
  return given === undefined ? '(none is named)' : String(given)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
}
