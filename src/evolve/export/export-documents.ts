// Exports the documents of a store as JSON lines: one file for each type, one for the buckets of each bucketed list, in the order of ids.
// One page of documents is in memory at a time. Where the files are written is decided by the caller.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DocumentType, Model } from '../../model/model.ts'
import { selectionOf } from '../../read/selection.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { Store, StoredDocument } from '../../store/store.ts'
import { bucketedFields } from '../check/bucketed-lists.ts'
import { namedStorage } from '../declared/declared-storage.ts'
import { exportedLine } from './exported-body.ts'
import { manifestName, manifestText, type ExportedFile } from './export-manifest.ts'

export interface ExportOptions {
  /** Adds text to the end of a file; a file is begun with an empty text. */
  readonly append: (file: string, text: string) => Promise<void> | void
  /** The names of the document types to export, with their bucketed lists; all by default. */
  readonly types?: ReadonlySet<string>
  readonly onProgress?: (documents: number, total: number) => void
  /** Stops the export after the current page. */
  readonly signal?: AbortSignal
}

export interface Exported {
  readonly files: readonly ExportedFile[]
  /** Whether all documents are as they were at one moment; false if the store cannot tell. */
  readonly isOneMoment: boolean
}

export async function exportDocuments(declaration: Declaration, store: Store, { append, types, onProgress, signal }: ExportOptions): Promise<Exported> {
  const { model } = declaration
  const moment = store.moment()
  const exported = exportedTypes(model).filter(({ owner }) => types?.has(owner) ?? true)
  const total = onProgress ? (await Promise.all(exported.map(async ({ type }) => store.count(selectionOf(type))))).reduce((sum, count) => sum + count, 0) : 0
  const files: ExportedFile[] = []
  let done = 0
  for (const { type } of exported) {
    const file = `${type.name}.jsonl`
    let documents = 0
    await append(file, '')
    for await (const page of pagesWithin(store, type)) {
      await append(file, page.map(({ body }) => exportedLine(type, body)).join(''))
      documents += page.length
      onProgress?.((done += page.length), total)
      // A store in this process answers synchronously: without this, no signal would ever be handled.
      await nextTurn()
      signal?.throwIfAborted()
    }
    files.push({ file, of: type.name, documents })
  }
  // Last of all: a folder without it is no export, but one that was cut off.
  await append(manifestName, manifestText(files, namedStorage(declaration)))
  return { files, isOneMoment: moment !== undefined && moment === store.moment() }
}

/** Document types and the types of buckets, in the order of their names. */
function exportedTypes(model: Model): { readonly type: DocumentType; readonly owner: string }[] {
  const documents = [...model.documents.values()].map((type) => ({ type, owner: type.name }))
  const buckets = bucketedFields(model).map(({ part, owner }) => ({ type: part, owner: owner.name }))
  return [...documents, ...buckets].toSorted((one, other) => (one.type.name < other.type.name ? -1 : 1))
}

/** About so much is in memory at a time, judged by the largest document of the page before; and never more documents than this. */
const bytesPerPage = 4 * 1024 * 1024
const maxPerPage = 100

/** Pages in the order of ids, which writers do not disturb. They get shorter where documents are large. */
async function* pagesWithin(store: Store, type: DocumentType): AsyncGenerator<readonly StoredDocument[]> {
  let limit = 10
  let after: { readonly value: string; readonly id: string } | undefined
  for (;;) {
    const page = await store.query({ ...selectionOf(type), orderBy: { path: ['id'], descending: false }, limit, ...(after ? { after } : {}) })
    const last = page.at(-1)
    if (last) yield page
    if (!last || page.length < limit) return
    after = { value: last.key.id, id: last.key.id }
    const largest = Math.max(...page.map(({ bytes }) => bytes), 1)
    limit = Math.min(maxPerPage, limit * 10, Math.max(1, Math.floor(bytesPerPage / largest)))
  }
}
