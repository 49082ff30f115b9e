// Checks the documents of one type, page by page. A finding counts only if its document has not changed while the
// documents it depends on were read; otherwise it is read and checked again. So a write in progress is no finding.

import { keyText } from '../../model/keys/key.ts'
import { selectionOf } from '../../read/selection.ts'
import type { DocumentType } from '../../model/model.ts'
import type { Store, StoredDocument } from '../../store/store.ts'
import { maxLooks, type CheckRun } from './check-run.ts'
import { referencePathsOf } from './dangling-references.ts'
import { documentPages } from './document-pages.ts'
import type { Finding } from './finding.ts'
import { BatchedView } from './batched-view.ts'
import { inspectDocument, type Inspected, type Inspection } from './inspect-document.ts'
import { asRepaired, writeRepaired } from './repair/write-repaired.ts'

export async function* checkDocuments(run: CheckRun, type: DocumentType): AsyncGenerator<Finding> {
  const { declaration, store, checked } = run
  const inspected = { declaration, type, trails: referencePathsOf(declaration.model, type), supports: store.supports, acceptLoss: run.acceptLoss, fits: run.fits }
  for await (const page of documentPages(store, selectionOf(type))) {
    yield* checkPage(run, inspected, page)
    await checked(page.length)
  }
}

async function* checkPage({ store, repair, keep }: CheckRun, inspected: Inspected, page: readonly StoredDocument[]): AsyncGenerator<Finding> {
  const { container } = inspected.type
  let documents = page
  for (let look = 1; documents.length > 0; look++) {
    const view = new BatchedView(store)
    const inspections = await Promise.all(documents.map((document) => inspectDocument(inspected, document, view)))
    const wrong = inspections.filter(({ findings }) => findings.length > 0)
    const repaired = repair ? await writeRepaired(store, container, wrong, keep) : new Set<Inspection>()
    const current = await readAgain(store, container, wrong.filter((one) => !repaired.has(one)))
    const changed: StoredDocument[] = []
    for (const one of wrong) {
      const now = current.get(keyText(one.document.key))
      if (repaired.has(one)) yield* asRepaired(one.findings)
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
