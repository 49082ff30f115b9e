// The facts behind the cost report, logged while a request runs: the reads that were needed, those that snapshots
// saved, and the round trips. observe/cost-report.ts makes the report of them. A request without a cost
// report has no read log, and pays nothing for this file.

import type { DocumentType } from '../model/model.ts'
import type { Query } from '../store/query.ts'
import { CallLog } from './call-log.ts'

/** A position in the answer: GraphQL.js makes one such object for every field of every row. */
export interface AnswerPath {
  readonly prev: AnswerPath | undefined
  readonly key: string | number
}

/** What needs a read: the relation, and where in the answer it is being resolved. */
export interface Asker {
  readonly field: string
  readonly place: AnswerPath
  /** How many reads for the same position had to be answered before this one; 0 for the first. */
  readonly stage: number
  /** Whether nothing else can be read in the same wave. */
  readonly alone?: boolean
}

/** The cost of a read by itself, without batching. */
export interface NaiveCost {
  readonly roundTrips: number
  readonly charge: number
}

/** A document that a snapshot made unnecessary to read. What reading it would have cost is found out at the end. */
export interface Unread {
  readonly type: DocumentType
  readonly id: string
}

/** How a filter by what a relation shows was answered, and why. */
export interface FilteredRelation {
  readonly field: string
  readonly from: 'SNAPSHOT' | 'REFERENCE'
  readonly because: string
}

export class ReadLog extends CallLog {
  readonly startMs = performance.now()
  /** How often each document was not read. One line for a document, however many rows show its snapshot. */
  readonly unread = new Map<DocumentType, Map<string, number>>()
  /** Queries that copies made unnecessary. What they would have found is found out at the end. */
  readonly unasked: Query[] = []
  /** The relations that a filter says something of, and how that was answered. */
  readonly filters: FilteredRelation[] = []
  /** How many documents were read one after the other in one call of a resolver, at most, by field. */
  readonly oneByOne = new Map<string, number>()
  /** The naive round trips for everything that was read, and their charge in RU. */
  asked = 0
  askedCharge = 0
  /** The same for counts that were stored. Documents are in `unread`. */
  spared = 0
  sparedCharge = 0
  /** How many waves the naive strategy takes. */
  naiveWaves = 0
  /** Whether any answer came from a snapshot, and so may be as old as snapshots are. */
  usedCopies = false

  /** Not a WeakMap: it ends with the request, and garbage collection takes long for many weak keys. */
  readonly #depths = new Map<AnswerPath, number>()
  #base = 0

  /** Mutations run one after the other: the naive waves of the next one follow all waves so far. */
  nextInSeries(): void {
    this.#base = this.naiveWaves
  }

  /** A read that the naive strategy makes too, by itself. */
  ask(asker: Asker, { roundTrips, charge }: NaiveCost): void {
    this.asked += roundTrips
    this.askedCharge += charge
    this.#settle(asker)
  }

  /** A count that the naive strategy makes too. Nothing is read below a count, so its depth is not kept. */
  askCount(asker: Asker, { roundTrips, charge }: NaiveCost): void {
    this.asked += roundTrips
    this.askedCharge += charge
    this.#deepen(asker)
  }

  /** Documents that the naive strategy reads one by one, and a snapshot saved. */
  spare(asker: Asker, documents: readonly Unread[]): void {
    this.usedCopies = true
    if (documents.length === 0) return
    for (const { type, id } of documents) {
      let ofType = this.unread.get(type)
      if (!ofType) this.unread.set(type, (ofType = new Map()))
      ofType.set(id, (ofType.get(id) ?? 0) + 1)
    }
    // A snapshot can hold contained objects with references of their own, which the naive strategy reads after it.
    this.#settle(asker)
  }

  /** A query that the naive strategy makes, and copies saved. */
  spareQuery(asker: Asker, query: Query): void {
    this.unasked.push(query)
    this.#deepen(asker)
  }

  /** A resolver that reads so many documents by themselves has a loop, which one call could replace. */
  readOneByOne(field: string, reads: number): void {
    if (reads >= 3 && reads > (this.oneByOne.get(field) ?? 0)) this.oneByOne.set(field, reads)
  }

  filtered(field: string, { from, because }: Omit<FilteredRelation, 'field'>): void {
    this.filters.push({ field, from, because })
  }

  /** A count that the naive strategy makes, and a stored number saved. */
  spareCount(asker: Asker, { roundTrips, charge }: NaiveCost): void {
    this.usedCopies = true
    this.spared += roundTrips
    this.sparedCharge += charge
    this.#deepen(asker)
  }

  /** Reads below this position come after this one. */
  #settle(asker: Asker): void {
    this.#depths.set(asker.place, Math.max(this.#depths.get(asker.place) ?? 0, this.#deepen(asker)))
  }

  /** The naive wave of a read: one more than the deepest read above it, plus those before it at its own position. */
  waveOf({ place, stage }: Asker): number {
    return this.#waveAbove(place) + stage + 1
  }

  /** The stage of a read that also waits for one at another position, whose naive wave is given. */
  stageAfter({ place, stage }: Asker, wave: number): number {
    return Math.max(stage, wave - this.#waveAbove(place))
  }

  #deepen(asker: Asker): number {
    const depth = this.waveOf(asker)
    this.naiveWaves = Math.max(this.naiveWaves, depth)
    return depth
  }

  #waveAbove({ prev }: AnswerPath): number {
    let above = prev
    while (above && !this.#depths.has(above)) above = above.prev
    return above ? this.#depths.get(above)! : this.#base
  }
}
