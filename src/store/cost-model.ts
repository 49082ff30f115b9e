// The cost model: how many request units (RU) a request would cost on Azure Cosmos DB. It is good for ratios and for
// finding regressions, not for billing: Microsoft publishes the charges of reads by size, and the charge of a query is
// fitted to a few published examples. store/in-process/call-receipts.ts applies it to each call of
// memory and SQLite; a store that measures its charges does not use it.
//
// Charges are whole hundredths, as Cosmos DB prints them, so that sums are exact in any order.

/**
 * What an operation costs: requests to the store, requests that follow one another, and RU.
 *
 * @example
 * ```ts
 * const perWave = ({ roundTrips, waves }: Cost): number => roundTrips / waves
 * ```
 */
export interface Cost {
  readonly roundTrips: number
  readonly waves: number
  readonly requestCharge: number
}

/** RU for reading one document, by kilobytes of UTF-8 JSON. */
const readByKilobytes: readonly (readonly [number, number])[] = [
  [1, 1.0], [2, 1.04], [4, 1.14], [8, 1.33], [16, 1.67], [32, 2.19], [64, 4.76],
  [128, 9.95], [256, 20.28], [512, 40.95], [1024, 145.9], [2048, 291.8],
]

/** RU for writing one document, by kilobytes of UTF-8 JSON. */
const writeByKilobytes: readonly (readonly [number, number])[] = [
  [1, 4.95], [2, 6.29], [4, 6.67], [8, 7.04], [16, 9.52], [32, 11.23], [64, 22.67],
  [128, 48.19], [256, 98.29], [512, 184.57], [1024, 625], [2048, 1250],
]

/** One point read. Without a size, the document is missing, which costs as much as a small one. */
export function readCharge(bytes: number | undefined): number {
  return hundredths(interpolate(readByKilobytes, bytes ?? 0))
}

/** Many keys in one call: the cheaper of point reads and one query. */
export function readManyCharge(sizes: readonly (number | undefined)[]): number {
  const tally = new ReadTally()
  for (const bytes of sizes) tally.add(bytes)
  return tally.manyCharge()
}

/** The documents of a call, counted one by one. */
export class ReadTally {
  keys = 0
  documents = 0
  #bytes = 0
  #reads = 0

  /** Without a size, the document is missing. */
  add(bytes: number | undefined): void {
    this.keys++
    this.#reads += bytes === undefined || bytes <= 1024 ? smallReadCharge : readCharge(bytes)
    if (bytes === undefined) return
    this.documents++
    this.#bytes += bytes
  }

  /** What one call for these keys costs. */
  charge(): number {
    return this.keys === 1 ? hundredths(this.#reads) : this.manyCharge()
  }

  manyCharge(): number {
    return hundredths(Math.min(this.#reads, pageCharge(this.documents, this.#bytes)))
  }
}

/** Reading one document of a kilobyte or less, or none. */
const smallReadCharge = readByKilobytes[0]![1]

/** `readManyCharge` for documents of the same size. */
export function uniformReadCharge(count: number, bytes: number): number {
  return hundredths(Math.min(count * readCharge(bytes), uniformQueryCharge(count, bytes)))
}

/** One page of a query in one physical partition, by the sizes of the documents on it. */
export function queryCharge(sizes: readonly number[]): number {
  return pageCharge(sizes.length, sizes.reduce((sum, bytes) => sum + bytes, 0))
}

/** `queryCharge` for documents of the same size. */
export function uniformQueryCharge(count: number, bytes: number): number {
  return pageCharge(count, count * bytes)
}

/** The same, by the number of documents and their size in all. */
export function pageCharge(count: number, bytes: number): number {
  return hundredths((count > 0 ? 2.8 : 2.5) + 0.1 * count + 0.0102 * (bytes / 1024))
}

/** A count reads only the index and returns one number. */
export function countCharge(): number {
  return hundredths(2.8 + 0.1)
}

/** Values of groups, which an index has, too: like a count, and each group more is a row. */
export function aggregateCharge(groups: number): number {
  return hundredths(2.8 + 0.1 * Math.max(1, groups))
}

/** One write. A replacement pays for the old and the new document. Index terms are not counted. */
export function writeCharge(bytes: number, replacedBytes?: number): number {
  const old = replacedBytes === undefined ? 0 : interpolate(writeByKilobytes, replacedBytes)
  return hundredths(old + interpolate(writeByKilobytes, bytes))
}

/** Rounded as Cosmos DB prints charges. Sums of charges are rounded, too, to remove floating-point errors. */
export function hundredths(charge: number): number {
  return Math.round(charge * 100) / 100
}

function interpolate(table: readonly (readonly [number, number])[], bytes: number): number {
  const kilobytes = bytes / 1024
  let [belowAt, below] = table[0]!
  if (kilobytes <= belowAt) return below
  for (const [at, charge] of table) {
    if (kilobytes <= at) return below + ((charge - below) * (kilobytes - belowAt)) / (at - belowAt)
    ;[belowAt, below] = [at, charge]
  }
  return below * (kilobytes / belowAt)
}
