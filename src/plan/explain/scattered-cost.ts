// What a batch of reads takes at most on a store whose containers are in several physical partitions, each of which is asked with a request of
// its own. Charges follow the cost model, with the largest documents.
//
// Failed requests that are sent again, and a list of partitions that is read again, are not counted: the data do not tell of them.

import type { PlannedRead } from '../../read/planned-reads.ts'
import { readCharge } from '../../store/cost-model.ts'

/** What is known of such a store. */
export interface Scattered {
  /** How many requests a read is: one for each physical partition that can have what it looks for, and for each run of an order. */
  readonly reach: (asked: PlannedRead) => number
}

export interface BatchCost {
  readonly roundTrips: number
  readonly requestCharge: number
}

/** The documents that can be read, and the largest of them. */
interface Stored {
  readonly count: number
  readonly bytes: number
}

/** A query finds more keys of one physical partition for less than point reads would. */
const maxPointReads = 3
const rowsPerPage = 1000
const bytesPerPage = 4 * 1024 * 1024
/** Pages of several holders are asked for together in a query of this many documents, or of twice as many as the pages hold. */
const minDocumentsTogether = 50
const holdersTogether = 100
/** Those whose lists are rare among the others' are asked for again together, and those that are rare even then one by one. */
const wavesTogether = 3

export function scatteredCost(asked: PlannedRead, keys: number, { count, bytes }: Stored, { reach }: Scattered): BatchCost {
  if (keys === 0) return { roundTrips: 0, requestCharge: 0 }
  const places = reach(asked)
  const [rows, documents] = [asked.documents.most, Math.min(keys * asked.documents.most, count)]
  if (asked.by === 'count' || asked.by === 'aggregate') {
    // Groups need the values of their documents; a number needs the index alone.
    const isGrouped = asked.by === 'aggregate' || asked.path !== undefined
    return queries(places, { rows: places * (isGrouped ? keys * Math.max(1, rows) : 1), loaded: isGrouped ? count : 0, bytes })
  }
  if (asked.by === 'page') return asked.path ? pagesOfHolders(places, keys, rows, { count, bytes }) : queries(keys * places, { rows: keys * Math.min(places * rows, count), bytes })
  return asked.selection ? queries(places, { rows: documents, bytes }) : pointReads(places, keys, bytes)
}

/** In how many waves more than one an answer can come. */
export function furtherWaves({ by, path, documents }: PlannedRead, count: number): number {
  return by === 'page' && path !== undefined && count >= Math.max(minDocumentsTogether, 4 * documents.most) ? wavesTogether - 1 : 0
}

/** Keys of one physical partition are read one by one, or together by a query. */
function pointReads(places: number, keys: number, bytes: number): BatchCost {
  const groups = Math.min(places, keys)
  return {
    roundTrips: Math.min(keys, maxPointReads * places + Math.floor((keys * bytes) / bytesPerPage)),
    requestCharge: Math.min(keys * readCharge(bytes), groups * Math.max(maxPointReads * readCharge(bytes), 2.8 + roundedUp) + perRow(keys, keys * bytes)),
  }
}

function pagesOfHolders(places: number, holders: number, rows: number, stored: Stored): BatchCost {
  const chunks = Math.ceil(holders / holdersTogether)
  // Only where there are at least as many documents as the first query asks for is there a second one.
  const again = stored.count < minDocumentsTogether ? 0 : Math.min(holders, holdersTogether, Math.floor(stored.count / (2 * Math.max(1, rows))))
  const together = Math.min(places * Math.max(minDocumentsTogether, 2 * Math.min(holders, holdersTogether) * rows), stored.count)
  const alone = again < 2 ? 0 : together + again * Math.min(places * rows, stored.count)
  return queries(chunks * places * Math.max(1, again), { rows: chunks * (together + alone), bytes: stored.bytes })
}

/** Each query takes a page or more. `loaded` are documents that are read and not returned. */
function queries(requests: number, { rows, loaded = rows, bytes }: { readonly rows: number; readonly loaded?: number; readonly bytes: number }): BatchCost {
  return {
    roundTrips: requests + Math.floor(rows / rowsPerPage) + Math.floor((loaded * bytes) / bytesPerPage),
    requestCharge: requests * (2.8 + roundedUp) + perRow(rows, loaded * bytes),
  }
}

/** Each charge is rounded by itself. */
const roundedUp = 0.005

function perRow(rows: number, bytes: number): number {
  return 0.1 * rows + 0.0102 * (bytes / 1024)
}
