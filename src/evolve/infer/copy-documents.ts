// Copies the documents of a database that was found into a store, as they are, without the properties that Quire writes itself. The schema was guessed from them, so each is of one of its types.

import type { Body } from '../../model/json/json.ts'
import { quireProperties } from '../../model/check/check-properties.ts'
import { placed } from '../../model/keys/partition.ts'
import type { DocumentType } from '../../model/model.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { ExistingDatabase } from '../../store/existing/existing-database.ts'
import { writeAll } from '../../store/write-all.ts'
import type { Store, Write } from '../../store/store.ts'
import { bucketedFields } from '../check/bucketed-lists.ts'

export interface CopyOptions {
  readonly onProgress?: (copied: number, total: number) => void
  readonly signal?: AbortSignal
}

/** How many documents were copied, and how many are of no type of the schema. */
export async function copyDocuments(database: ExistingDatabase, { model }: Declaration, store: Store, { onProgress, signal }: CopyOptions = {}): Promise<{ copied: number; left: number }> {
  const types = [...model.documents.values(), ...bucketedFields(model).map(({ part }) => part)]
  const total = database.containers.reduce((sum, { documents = 0 }) => sum + documents, 0)
  let [copied, left] = [0, 0]
  for (const { name } of database.containers) {
    const here = types.filter(({ container }) => container === name)
    for await (const page of database.pages(name, Infinity)) {
      const writes = page.flatMap((document) => writeOf(document, here))
      await writeAll(store, writes)
      copied += writes.length
      left += page.length - writes.length
      onProgress?.(copied + left, total)
      signal?.throwIfAborted()
    }
  }
  return { copied, left }
}

function writeOf(found: Body, types: readonly DocumentType[]): Write[] {
  // Another program's values would be taken for Quire's own.
  const document: Body = Object.fromEntries(Object.entries(found).filter(([name]) => !quireProperties.has(name)))
  const type = types.find(({ discriminator }) => discriminator === undefined || discriminator === document['type'])
  const { id } = document
  if (!type || typeof id !== 'string') return []
  try {
    const { partition, body } = placed(type, document)
    return [{ kind: 'put', container: type.container, key: { partition, id }, body }]
  } catch {
    // It lacks a part of its partition key.
    return []
  }
}
