// `documents.ts` or `documents.json` of a schema folder: the documents that fill a new store.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { jsonError } from '../../model/json/json-error.ts'
import { readJsonFile } from '../../model/json/json-file.ts'
import type { Model } from '../../model/model.ts'
import type { Write } from '../../store/store.ts'
import { createDocumentTools, type DocumentTools } from './document-tools.ts'
import { loadExport, runExport } from './load-export.ts'
import { placeDocuments, type DocumentsByType } from './place-documents.ts'

/**
 * What `documents.ts` exports.
 *
 * @example
 * ```ts
 * export const documents: Documents = { Post: [{ id: 'p1', title: 'Hello' }] }
 * ```
 */
export type Documents = DocumentsByType | ((tools: DocumentTools) => DocumentsByType)

/** Makes the writes once the model is known. Undefined when the folder has neither file. */
export async function readDocumentsFile(folder: string): Promise<((model: Model) => Write[]) | undefined> {
  const loaded = await loadExport<Documents>(folder, 'documents')
  const path = join(folder, 'documents.json')
  if (!existsSync(path)) return loaded && ((model) => placeDocuments(model, documentsOf(model, loaded.value, loaded.file), loaded.file))
  if (loaded) throw new ConfigError(`${folder} has both ${loaded.file} and documents.json. Keep one of them.`)
  const documents = parseDocuments(path)
  return (model) => placeDocuments(model, documents, 'documents.json')
}

function documentsOf(model: Model, documents: Documents, file: string): DocumentsByType {
  if (typeof documents !== 'function') return documents
  const made: DocumentsByType | Promise<unknown> = runExport(file, () => documents(createDocumentTools(model, file)))
  if (made instanceof Promise) throw new ConfigError(`${file}: documents() returned a promise. Load what it needs with await at the top of the file, and return the documents themselves.`)
  return made
}

function parseDocuments(path: string): DocumentsByType {
  try {
    return readJsonFile(path) as DocumentsByType
  } catch (error) {
    throw new ConfigError(error instanceof SyntaxError ? `${path} is not JSON: ${jsonError(error)}.` : `${path} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}
