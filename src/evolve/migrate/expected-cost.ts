// The expected cost of migrating the documents of a type, by the cost model. Offline, each document is read to prepare it, to replace it and
// to verify it (twice). It is written to the prepared documents and to its container, where that is needed once more to compute what follows from
// other documents, and the prepared one is deleted. Where it moves, the old place is noted for --finish, whose own cost is not in it.

import type { DocumentType } from '../../model/model.ts'
import { storageTraits, type Storage } from '../../model/storages.ts'
import { hundredths, pageCharge, writeCharge } from '../../store/cost-model.ts'
import type { Store } from '../../store/store.ts'
import { pageSize } from '../check/document-pages.ts'
import type { TypeWork } from './transform/type-work.ts'

export interface ExpectedCost {
  readonly roundTrips: number
  readonly requestCharge: number
}

/** Prepare, put, verify what was put, compute, verify what is answered. */
const readings = 5

/** Online, each document is read twice in each of two rounds, and written once. */
export function expectedCostOnline(store: Store, { old }: TypeWork, documents: number, bytes: number): ExpectedCost {
  const pages = Math.ceil(documents / pageSize)
  return {
    roundTrips: 2 * pages * store.reach({ container: old.container }) + 2 * Math.ceil(documents / 100),
    requestCharge: hundredths(4 * pages * pageCharge(Math.min(documents, pageSize), Math.min(documents, pageSize) * bytes) + documents * writeCharge(bytes, bytes)),
  }
}

/** Each document is read to copy it and to compute its effects (twice). The copy, its copy record and the documents that are created from it are written. */
export function expectedCostOfCopying(store: Store, { old, now, makes }: TypeWork, documents: number, bytes: number): ExpectedCost {
  const pages = Math.ceil(documents / pageSize)
  const writes = documents * ((now ? 2 : 1) + makes.length)
  const perTrip = store.supports.atomic === 'store' ? 100 : 1
  return {
    roundTrips: 3 * pages * store.reach({ container: old.container }) + 3 * Math.ceil(documents / 100) + Math.ceil(writes / perTrip),
    requestCharge: hundredths(4 * pages * pageCharge(Math.min(documents, pageSize), Math.min(documents, pageSize) * bytes) + documents * ((now ? writeCharge(bytes) : 0) + writeCharge(copyRecordBytes) + makes.length * writeCharge(bytes / 2))),
  }
}

const copyRecordBytes = 400

/** What migrating the documents of a type in place takes, without `--finish`. `others` is the number of documents that are only looked at, because what they have may follow from those. */
export function expectedCost(store: Store, work: TypeWork, documents: number, bytes: number, others = 0): ExpectedCost {
  const { old, now, isPlacedAnew, makes } = work
  const isMeasured = store.supports.charges === 'measured'
  const [created, computed, removed] = [makes.length, isComputed(work), isPlacedAnew || !now ? 1 : 0]
  // A store that measures its charges counts index terms, too.
  const ownWrite = (size: number): number => writeCharge(size + preparedBytes) + (isMeasured ? preparedTerms * termCharge : 0)
  const write = (size: number): number => writeCharge(size) + (isMeasured ? termsOf(now ?? old) * termCharge : 0)
  const replaced = writeCharge(bytes, bytes)
  const prepared = (now ? 2 * ownWrite(bytes) : ownWrite(0)) + (now ? removed * ownWrite(0) : 0)
  const put = now ? (isPlacedAnew ? write(bytes) : replaced) : write(bytes)
  const each = prepared + put + (computed ? replaced : 0) + created * (2 * ownWrite(bytes / 2) + write(bytes / 2))
  const passes = readings + (removed ? 1 : 0) + (computed ? 1 : 0)
  const kept = documents * ((now ? 1 : 0) + removed + created)
  const pages = pagesOf(documents)
  const writes = documents * ((now ? 3 : 2) + removed + (computed ? 1 : 0) + 3 * created)
  const perTrip = store.supports.atomic === 'store' ? pageSize : 1
  return {
    roundTrips: (passes * pages + (computed ? 2 : 1) * pagesOf(others)) * store.reach({ container: old.container }) + preparedReadings * pagesOf(kept) + Math.ceil(writes / perTrip),
    requestCharge: hundredths(passes * readCharge(documents, bytes) + preparedReadings * readCharge(kept, bytes + preparedBytes) + (computed ? 2 : 1) * readCharge(others, bytes) + (pages + stages) * ownWrite(0) * 2 + documents * each),
  }
}

/** Prepared documents are read to be put, to be verified, to remove old ones, and to be forgotten. */
const preparedReadings = 4
/** The migration's own record is replaced at every page and every stage. */
const stages = 8
/** What a prepared document has beside the document, and how many index terms. */
const preparedBytes = 300
const preparedTerms = 5
/** RU of an index term. */
const termCharge = 0.2

function pagesOf(documents: number): number {
  return Math.ceil(documents / pageSize)
}

function readCharge(documents: number, bytes: number): number {
  return pagesOf(documents) * pageCharge(Math.min(documents, pageSize), Math.min(documents, pageSize) * bytes)
}

/** Its id, its partition key and its `type`, and every value that it indexes. */
function termsOf({ fields }: DocumentType): number {
  return 3 + fields.values().filter(({ indexed }) => indexed).toArray().length
}

/** Whether documents are written once more when all are there: to fill in copies, and lists and counts that follow from other documents. */
function isComputed({ now, old }: TypeWork): boolean {
  return now?.fields.values().some(({ name, storage }) => {
    const { holds } = storageTraits[storage.kind]
    const before = old.fields.get(name)?.storage
    const isOther = before?.kind !== storage.kind
    if (holds === 'snapshots') return isOther || copiedBy(storage).some((copied) => !copiedBy(before).includes(copied))
    return isOther && (holds === 'count' || ('inverseOf' in storage && storage.inverseOf !== undefined))
  }) ?? false
}

function copiedBy(storage: Storage): readonly string[] {
  return 'fields' in storage ? storage.fields : []
}
