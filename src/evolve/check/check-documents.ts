// Every document of one type, a page at a time. A finding is told only if the document is still the
// one that was read when all that was needed to judge it had been read too: otherwise it is looked at
// again. So where copies change together with their documents, work that is under way is no finding.

import { keyText } from '../../model/keys/key.ts'
import { selectionOf } from '../../read/selection.ts'
import type { DocumentType } from '../../model/model.ts'
import type { Store, StoredDocument } from '../../store/store.ts'
import { maxLooks, type Checking } from './checking.ts'
import { trailsOf } from './dangling.ts'
import { documentPages } from './document-pages.ts'
import type { Finding } from './finding.ts'
import { BatchedView } from './batched-view.ts'
import { inspectDocument, type Inspected, type Inspection } from './inspect-document.ts'
import { asRepaired, writeRepaired } from './repair.ts'

export async function* checkDocuments(checking: Checking, type: DocumentType): AsyncGenerator<Finding> {
  const { declaration, store, looked } = checking
  const inspected = { declaration, type, trails: trailsOf(declaration.model, type), supports: store.supports }
  for await (const page of documentPages(store, selectionOf(type))) {
    yield* checkPage(checking, inspected, page)
    await looked(page.length)
  }
}

async function* checkPage({ store, repair }: Checking, inspected: Inspected, page: readonly StoredDocument[]): AsyncGenerator<Finding> {
  const { container } = inspected.type
  let documents = page
  for (let look = 1; documents.length > 0; look++) {
    const view = new BatchedView(store)
    const inspections = await Promise.all(documents.map((document) => inspectDocument(inspected, document, view)))
    const wrong = inspections.filter(({ findings }) => findings.length > 0)
    const mended = repair ? await writeRepaired(store, container, wrong) : new Set<Inspection>()
    const current = await readAgain(store, container, wrong.filter((one) => !mended.has(one)))
    const changed: StoredDocument[] = []
    for (const one of wrong) {
      const now = current.get(keyText(one.document.key))
      if (mended.has(one)) yield* asRepaired(one.findings)
      else if (now && (now.etag === one.document.etag || look === maxLooks)) yield* one.findings
      else if (now) changed.push(now)
    }
    documents = changed
  }
}

async function readAgain(store: Store, container: string, all: readonly Inspection[]): Promise<Map<string, StoredDocument>> {
  const found = all.length === 0 ? [] : await store.readMany(container, all.map(({ document }) => document.key))
  return new Map(found.flatMap((document) => (document ? [[keyText(document.key), document]] : [])))
}
