// The sample of the library as writes, for tests that need no gateway.

import { documents } from '../../schema/library/documents.ts'
import type { Model } from '../../src/model/model.ts'
import { createDocumentTools } from '../../src/serve/schema-folder/document-tools.ts'
import { placeDocuments } from '../../src/serve/schema-folder/place-documents.ts'
import type { Write } from '../../src/store/store.ts'

export function sampleDocuments(model: Model): Write[] {
  return placeDocuments(model, documents(createDocumentTools(model, 'documents.ts')), 'documents.ts')
}
