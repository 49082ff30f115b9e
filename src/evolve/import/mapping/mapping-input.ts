// What reading a mapping collects: its problems, each with its place, and the columns of its files.

import { isObject } from '../../../model/json/json.ts'
import type { Model } from '../../../model/model.ts'
import { didYouMean } from '../../../model/sdl/suggest-name.ts'
import { hasUndecodable, isEncoding, notText } from '../rows/decode-text.ts'
import { mappingWords, wordAdvice, type MappingPart } from './mapping-keywords.ts'
import { bytesOf, columnsOf, rowFile, type RowFile } from '../rows/rows.ts'

/** A problem, where it is, and what an editor should jump to. */
export interface Problem {
  readonly place: string
  readonly at: string
  readonly problem: string
}

/** The place of the mapping as a whole. */
export const wholeMapping = 'the mapping'

export class MappingInput {
  readonly problems: Problem[] = []
  readonly model: Model
  readonly #folder: string
  readonly #columns = new Map<string, readonly string[] | undefined>()

  /** Files are read from the folder. */
  constructor(model: Model, folder: string) {
    this.model = model
    this.#folder = folder
  }

  /** Adds a problem. `at` is what it points at, where that is not the place itself. Returns undefined, so that a reader can return its result. */
  wrong(place: string, problem: string, at = place): undefined {
    this.problems.push({ place, at, problem: `${problem}${problem.endsWith('?') ? '' : '.'}` })
  }

  /** The properties of an object; one that the part of the mapping does not have is a problem. */
  object(place: string, given: unknown, part?: MappingPart): Record<string, unknown> {
    if (!isObject(given)) return this.wrong(place, 'must be an object') ?? {}
    for (const word of Object.keys(given)) {
      if (part && !(mappingWords[part] as readonly string[]).includes(word)) this.wrong(place, `unknown property "${word}". ${wordAdvice(word, part)}`, place === wholeMapping ? word : `${place}.${word}`)
    }
    return given
  }

  async list<T>(place: string, given: unknown, read: (place: string, given: unknown) => Promise<T | undefined>): Promise<T[]> {
    if (given === undefined) return []
    if (!Array.isArray(given)) return this.wrong(place, 'must be a list') ?? []
    const all: T[] = []
    for (const [index, each] of given.entries()) {
      const one = await read(`${place}[${index}]`, each)
      if (one) all.push(one)
    }
    return all
  }

  async file(place: string, { file: name, separator, encoding }: Record<string, unknown>): Promise<RowFile | undefined> {
    if (typeof name !== 'string') return this.wrong(`${place}.file`, 'is missing. Write the name of a .csv or .jsonl file')
    if (separator !== undefined && (typeof separator !== 'string' || separator.length !== 1 || separator === '"')) return this.wrong(`${place}.separator`, 'must be one character, such as ";"')
    if (encoding !== undefined && (typeof encoding !== 'string' || !isEncoding(encoding))) return this.wrong(`${place}.encoding`, `${JSON.stringify(encoding)} is not an encoding. Write one such as "utf-8", "windows-1252" or "utf-16le"`)
    const file = rowFile(this.#folder, name, separator, encoding)
    if (bytesOf(file) === undefined) return this.wrong(`${place}.file`, `there is no ${name} in ${this.#folder}. Name the folder of the files with --from`)
    if (!this.#columns.has(columnsKey(file))) this.#columns.set(columnsKey(file), await columnsOf(file))
    if (this.#columns.get(columnsKey(file))?.some(hasUndecodable)) return this.wrong(`${place}.file`, `the header of ${name} ${notText}`)
    return file
  }

  column(place: string, column: unknown, file: RowFile): string {
    const columns = this.#columns.get(columnsKey(file))
    if (typeof column !== 'string') this.wrong(place, 'must be the name of a column')
    else if (columns && !columns.includes(column)) this.wrong(place, `${file.name} has no column ${column}. ${instead(column, columns, 'It has')}`)
    else if (columns && columns.indexOf(column) !== columns.lastIndexOf(column)) this.wrong(place, `${file.name} has more than one column ${column}. Rename all but one of them`)
    return String(column)
  }
}

/** The name that was probably meant; all of them where none is near. */
export function instead(given: string, known: readonly string[], otherwise: string): string {
  return didYouMean(given, known).trim() || `${otherwise} ${known.join(', ')}`
}

function columnsKey({ name, separator, encoding }: RowFile): string {
  return JSON.stringify([separator, encoding, name])
}
