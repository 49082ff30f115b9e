// A folder of files as an existing database: each file is a container, named like the file. The files of an export are in the containers that
// they were exported from.

import { readdirSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { ConfigError } from '../../../errors.ts'
import type { Body } from '../../../model/json/json.ts'
import { singularOf } from '../../../model/api/plurals.ts'
import { countInPages, type ExistingContainer, type ExistingDatabase, type ExistingSelection } from '../../../store/existing/existing-database.ts'
import type { Path, Scalar } from '../../../store/query.ts'
import { manifestName } from '../../export/export-manifest.ts'
import { Columns } from './columns.ts'
import { columnsLeftOut, dataFileEndings, documentsIn, isTable } from './data-file.ts'
import { exportedContainers, type ExportedContainer } from './exported-containers.ts'

export async function openExistingFolder(folder: string): Promise<ExistingDatabase> {
  const exported = exportedContainers(folder)
  const names = filesIn(folder).filter((name) => !(exported && name === manifestName))
  const containers = new Map<string, { named: ExportedContainer; isExported: boolean; names: string[] }>()
  for (const name of names) {
    const named = exported?.get(name) ?? { name: name.slice(0, -extname(name).length) }
    const isExported = exported?.has(name) ?? false
    const known = containers.get(named.name)
    if (known && !(known.isExported && isExported)) throw new ConfigError(`${folder} has two files called ${named.name}. Keep one of them.`)
    if (known) known.names.push(name)
    else containers.set(named.name, { named, isExported, names: [name] })
  }
  const read = new Map<string, DataFiles>()
  for (const [name, { named, names: some }] of containers) read.set(name, await readFiles(folder, some, named))
  return new FoundFolder(folder, read)
}

/** The files of one container: one, but for an export. */
interface DataFiles {
  readonly columns: Columns
  readonly container: ExistingContainer
  readonly files: readonly { readonly name: string; readonly documents: number; readonly unreadable: number }[]
}

class FoundFolder implements ExistingDatabase {
  readonly isServable = false
  readonly containers: readonly ExistingContainer[]
  readonly #folder: string
  readonly #files: ReadonlyMap<string, DataFiles>

  constructor(folder: string, files: ReadonlyMap<string, DataFiles>) {
    this.#folder = folder
    this.#files = files
    this.containers = [...files.values()].map(({ container }) => container).filter(({ documents }) => documents! > 0)
  }

  async *pages(container: string, max: number): AsyncGenerator<readonly Body[]> {
    const { files, columns, container: { documents: all, idFrom } } = this.#files.get(container)!
    let number = 0
    for (const { name, documents } of files) {
      // Of each file its share, so that a sample has documents of every type.
      let left = Math.min(max - number, max < all! ? Math.ceil((max * documents) / all!) : Infinity)
      for await (const rows of documentsIn(this.#folder, name)) {
        const page = rows.filter((row) => row !== undefined).slice(0, left).map((row) => columns.documentOf(row, idFrom === '' ? undefined : (idFrom ?? 'id'), ++number))
        if (page.length > 0) yield page
        left -= page.length
        if (left <= 0) break
      }
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
    return [...this.#files.values()].flatMap(({ files, columns, container: { partitionKey } }) => [
      ...files.filter(({ unreadable }) => unreadable > 0).map(({ name, unreadable }) => `${name}: ${unreadable} ${unreadable === 1 ? 'document' : 'documents'} cannot be read and ${unreadable === 1 ? 'is' : 'are'} left out.`),
      // In several partitions the same id is right.
      ...(columns.repeatsIds && !partitionKey ? [`${files[0]!.name}: some documents have the same id; the last of them counts.`] : []),
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

async function readFiles(folder: string, names: readonly string[], named: ExportedContainer): Promise<DataFiles> {
  // The files of an export are JSON lines, all of them.
  const columns = new Columns(isTable(names[0]!))
  const files: DataFiles['files'][number][] = []
  for (const name of names) {
    let [documents, unreadable] = [0, 0]
    for await (const rows of documentsIn(folder, name)) {
      for (const row of rows) {
        if (row) {
          documents++
          columns.add(row)
        } else unreadable++
      }
    }
    files.push({ name, documents, unreadable })
  }
  const documents = files.reduce((sum, each) => sum + each.documents, 0)
  const id = columns.idFor(singularOf(named.name))
  const leftOut = [
    ...(await Promise.all(names.map((name) => columnsLeftOut(folder, name)))).flat(),
    ...(id !== 'id' && columns.idsLeftOut > 0 ? [`id, in ${columns.idsLeftOut} of ${documents} documents: the others have none, or one that is no text or whole number, so ${id === undefined ? 'all are numbered' : `${id} is the id`}.`] : []),
  ]
  return { columns, files, container: { ...named, documents, isForeign: true, ...(leftOut.length > 0 ? { leftOut } : {}), ...(id === 'id' ? {} : { idFrom: id ?? '' }) } }
}
