// Checks the values that must be unique: two documents that share one, and, on stores that need reservations, documents without
// theirs. The documents are read in the order of the value, so that those with the same one come one after the other.

import { keyText } from '../../../model/keys/key.ts'
import type { DocumentType } from '../../../model/model.ts'
import { uniqueFields, type UniqueField } from '../../../model/values/unique.ts'
import { selectionOf } from '../../../read/selection.ts'
import { ownContainer, ownPut } from '../../../store/own-container.ts'
import { readAll } from '../../../store/read-all.ts'
import { ConflictError } from '../../../store/store-errors.ts'
import type { Store, StoredDocument } from '../../../store/store.ts'
import { valueIn } from '../../../write/unique/check-unique.ts'
import { isHeldBy, isOver, reservationKey, reservationOf } from '../../../write/unique/reservations.ts'
import type { CheckRun } from '../check-run.ts'
import { documentPages } from '../document-pages.ts'
import { placeOf, type Finding } from '../finding.ts'

export async function* checkUniqueFields(run: CheckRun, type: DocumentType): AsyncGenerator<Finding> {
  for (const unique of uniqueFields(type)) {
    for await (const { page, doubles } of pagesByValue(run.store, type, unique)) {
      for (const [document, first] of doubles) {
        if (!(await stillHave(run.store, type, unique, [document, first]))) continue
        const sentence = `${placeOf(unique.field, type, document.key.id)} is ${JSON.stringify(valueIn(unique, document.body))}, and so is that of ${first.key.id}, but it must be unique. Repair cannot choose: change one of them, or remove @unique.`
        yield { kind: 'duplicate', at: unique.field.coordinate, id: document.key.id, sentence, repair: 'impossible' }
      }
      if (run.store.supports.atomic === 'partition') yield* checkReserved(run, type, unique, page.filter((document) => !doubles.has(document)))
      await run.checked(0)
    }
  }
}

/** Two documents that have the same value; undefined if there are none. */
export async function firstDouble(store: Store, type: DocumentType, unique: UniqueField): Promise<readonly [StoredDocument, StoredDocument] | undefined> {
  for await (const { doubles } of pagesByValue(store, type, unique)) for (const [document, first] of doubles) return [first, document]
  return undefined
}

interface PageByValue {
  readonly page: readonly StoredDocument[]
  /** Documents with a value that the document beside each has, too. */
  readonly doubles: ReadonlyMap<StoredDocument, StoredDocument>
}

async function* pagesByValue(store: Store, type: DocumentType, unique: UniqueField): AsyncGenerator<PageByValue> {
  let first: StoredDocument | undefined
  for await (const all of documentPages(store, selectionOf(type), unique.path)) {
    const page = all.filter(({ body }) => valueIn(unique, body) !== null)
    const doubles = new Map<StoredDocument, StoredDocument>()
    for (const document of page) {
      if (first && valueIn(unique, first.body) === valueIn(unique, document.body) && keyText(first.key) !== keyText(document.key)) doubles.set(document, first)
      else first = document
    }
    yield { page, doubles }
  }
}

/** Writers may have changed one since it was read. */
async function stillHave(store: Store, { container }: DocumentType, unique: UniqueField, documents: readonly StoredDocument[]): Promise<boolean> {
  const now = await store.readMany(container, documents.map(({ key }) => key))
  return now.every((document, at) => valueIn(unique, document?.body) === valueIn(unique, documents[at]!.body))
}

async function* checkReserved({ store, repair }: CheckRun, type: DocumentType, unique: UniqueField, documents: readonly StoredDocument[]): AsyncGenerator<Finding> {
  const reservationsOf = async (some: readonly StoredDocument[]) => {
    const found = await readAll(store, ownContainer, some.map(({ body }) => reservationKey(type, unique, valueIn(unique, body))))
    return some.map((document, at) => ({ document, reservation: found[at] }))
  }
  const isWrong = ({ document, reservation }: { document: StoredDocument; reservation: StoredDocument | undefined }) => !reservation || !isHeldBy(reservation.body, type.container, document.key)
  const suspects = (await reservationsOf(documents)).filter(isWrong).map(({ document }) => document)
  if (suspects.length === 0) return
  const { earliest, latest } = await store.now()
  for (const { document, reservation } of (await reservationsOf(suspects)).filter(isWrong)) {
    const { key } = document
    // A writer is giving the value to another document: it has lost its own.
    if (reservation && !isOver(reservation.body, earliest, store)) continue
    if (!(await stillHave(store, type, unique, [document]))) continue
    const sentence = `${placeOf(unique.field, type, key.id)} has no reservation of its value, which keeps other documents from getting it at the same moment. Repair writes it.`
    const finding: Finding = { kind: 'reservation', at: unique.field.coordinate, id: key.id, sentence, repair: 'possible' }
    const value = valueIn(unique, document.body)
    const isWritten = repair && (await tried(() => store.write([ownPut(reservationKey(type, unique, value), reservationOf(type, unique, value, key, latest), reservation ? { ifMatch: reservation.etag } : 'if-absent')])))
    yield isWritten ? { ...finding, repair: 'done' } : finding
  }
}

/** Whether no other writer was faster. */
export async function tried(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (error instanceof ConflictError) return false
    throw error
  }
}
