// A folder of files as an existing database: each file is a container, named like the file.

import { readdirSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { ConfigError } from '../../../errors.ts'
import type { Body } from '../../../model/json/json.ts'
import { singularOf } from '../../../model/api/plurals.ts'
import { countInPages, type ExistingContainer, type ExistingDatabase, type ExistingSelection } from '../../../store/existing/existing-database.ts'
import type { Path, Scalar } from '../../../store/query.ts'
import { Columns } from './columns.ts'
import { columnsLeftOut, dataFileEndings, documentsIn, isTable } from './data-file.ts'

export async function openExistingFolder(folder: string): Promise<ExistingDatabase> {
  const names = filesIn(folder)
  const files = new Map<string, DataFile>()
  for (const name of names) {
    const container = name.slice(0, -extname(name).length)
    if (files.has(container)) throw new ConfigError(`${folder} has two files called ${container}. Keep one of them.`)
    files.set(container, await readFile(folder, name, container))
  }
  return new FoundFolder(folder, files)
}

interface DataFile {
  readonly name: string
  readonly columns: Columns
  readonly container: ExistingContainer
  readonly unreadable: number
}

class FoundFolder implements ExistingDatabase {
  readonly isServable = false
  readonly containers: readonly ExistingContainer[]
  readonly #folder: string
  readonly #files: ReadonlyMap<string, DataFile>

  constructor(folder: string, files: ReadonlyMap<string, DataFile>) {
    this.#folder = folder
    this.#files = files
    this.containers = [...files.values()].map(({ container }) => container).filter(({ documents }) => documents! > 0)
  }

  async *pages(container: string, max: number): AsyncGenerator<readonly Body[]> {
    const { name, columns, container: { idFrom } } = this.#files.get(container)!
    let number = 0
    for await (const rows of documentsIn(this.#folder, name)) {
      const page = rows.filter((row) => row !== undefined).slice(0, max - number).map((row) => columns.documentOf(row, idFrom === '' ? undefined : (idFrom ?? 'id'), ++number))
      if (page.length > 0) yield page
      if (number >= max) return
    }
  }

  async find(container: string, ids: readonly string[]): Promise<readonly Body[]> {
    const wanted = new Set(ids)
    const found: Body[] = []
    for await (const page of this.pages(container, Infinity)) for (const document of page) if (wanted.has(document['id'] as string)) found.push(document)
    return found
  }

  countEach(selection: ExistingSelection, path: Path, values: readonly Scalar[]): Promise<readonly number[]> {
    return countInPages(this.pages(selection.container, Infinity), selection, path, values)
  }

  problems(): string[] {
    return [...this.#files.values()].flatMap(({ name, columns, unreadable }) => [
      ...(unreadable > 0 ? [`${name}: ${unreadable} ${unreadable === 1 ? 'document' : 'documents'} cannot be read and ${unreadable === 1 ? 'is' : 'are'} left out.`] : []),
      ...(columns.repeatsIds ? [`${name}: some documents have the same id; the last of them counts.`] : []),
    ])
  }

  spent(): { requests: number } {
    return { requests: 0 }
  }

  async close(): Promise<void> {}
}

function filesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new ConfigError(`There is no folder ${folder}. Give a folder of JSON, JSON lines or CSV files, sqlite:FILE or cosmos.`)
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && dataFileEndings.includes(extname(entry.name).toLowerCase())).map(({ name }) => name)
  if (names.length === 0) throw new ConfigError(`${folder} has no file that ends in ${dataFileEndings.slice(0, -1).join(', ')} or ${dataFileEndings.at(-1)}. Put one file for each container there.`)
  return names.toSorted()
}

async function readFile(folder: string, name: string, container: string): Promise<DataFile> {
  const columns = new Columns(isTable(name))
  let [documents, unreadable] = [0, 0]
  for await (const rows of documentsIn(folder, name)) {
    for (const row of rows) {
      if (row) {
        documents++
        columns.add(row)
      } else unreadable++
    }
  }
  const id = columns.idFor(singularOf(container))
  const leftOut = [
    ...await columnsLeftOut(folder, name),
    ...(id !== 'id' && columns.idsLeftOut > 0 ? [`id, in ${columns.idsLeftOut} of ${documents} documents: the others have none, or one that is no text or whole number, so ${id === undefined ? 'all are numbered' : `${id} is the id`}.`] : []),
  ]
  return { name, columns, unreadable, container: { name: container, documents, isForeign: true, ...(leftOut.length > 0 ? { leftOut } : {}), ...(id === 'id' ? {} : { idFrom: id ?? '' }) } }
}
