// The expected cost of migrating the documents of a type, by the cost model. Offline, each document is read to prepare it, to replace it and
// to verify it (twice), written to the prepared documents and to its container, and deleted where it is not needed any more.

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

export function expectedCost(store: Store, { old, now, isPlacedAnew, makes }: TypeWork, documents: number, bytes: number): ExpectedCost {
  const pages = Math.ceil(documents / pageSize)
  const made = makes.length
  const removed = isPlacedAnew || !now ? 1 : 0
  const writes = documents * ((now ? 2 : 1) + 1 + removed + 3 * made)
  const perTrip = store.supports.atomic === 'store' ? pageSize : 1
  const put = isPlacedAnew ? writeCharge(bytes) : writeCharge(bytes, bytes)
  const each = 2 * writeCharge(bytes) + (now ? put : 0) + removed * writeCharge(bytes) + made * (3 * writeCharge(bytes / 2))
  return {
    roundTrips: readings * pages * store.reach({ container: old.container }) + Math.ceil(writes / perTrip),
    requestCharge: hundredths(readings * pages * pageCharge(Math.min(documents, pageSize), Math.min(documents, pageSize) * bytes) + documents * each),
  }
}
