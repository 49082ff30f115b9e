// The facts behind the account, written down while a request runs: what was asked for, what was
// answered from copies, and which round trips were made. Making sense of them is cost-report.ts's
// business. A request that is not traced has no readLog, and pays nothing for this file.

import type { DocumentType } from '../model/model.ts'
import { Calls } from './call-log.ts'

/** One place in the answer: GraphQL.js makes one such object for every field of every row. */
export interface Place {
  readonly prev: Place | undefined
  readonly key: string | number
}

/** Who asks for a read: the relation, and where in the answer it is being resolved. */
export interface Asker {
  readonly field: string
  readonly place: Place
  /** How many reads had to be answered before this one could be asked for at the same place; 0 for the first. */
  readonly stage: number
}

/** What a call takes when it is made by itself. */
export interface Naive {
  readonly roundTrips: number
  readonly charge: number
}

/** A document that a copy stood in for: what reading it would have cost is looked up at the end. */
export interface Unread {
  readonly type: DocumentType
  readonly id: string
}

export class ReadLog extends Calls {
  readonly unread: Unread[] = []
  /** Naive round trips that were looked up after all, and the charge of making them one by one. */
  asked = 0
  askedCharge = 0
  /** The same of counts that were known already. Documents are in `unread`. */
  spared = 0
  sparedCharge = 0
  /** How many waves the naive way takes. */
  naiveWaves = 0
  /** Whether any answer came from a copy, and so may be as old as the copies are. */
  usedCopies = false

  readonly #depths = new WeakMap<Place, number>()
  #base = 0

  /** Mutations run one after the other: what the next one does comes after all that was done so far. */
  nextInSeries(): void {
    this.#base = this.naiveWaves
  }

  /** A read that the naive way makes too, by itself. */
  ask(asker: Asker, { roundTrips, charge }: Naive): void {
    this.asked += roundTrips
    this.askedCharge += charge
    this.#settle(asker)
  }

  /** A count that the naive way makes too. Nothing is read below a count, so no depth is kept. */
  askCount(asker: Asker, { roundTrips, charge }: Naive): void {
    this.asked += roundTrips
    this.askedCharge += charge
    this.#deepen(asker)
  }

  /** Documents that the naive way reads one by one, and a copy answered for. */
  spare(asker: Asker, documents: readonly Unread[]): void {
    this.usedCopies = true
    if (documents.length === 0) return
    this.unread.push(...documents)
    // A copy can hold contained objects with references of their own: the naive way reads those later still.
    this.#settle(asker)
  }

  /** A count that the naive way makes, and a stored number answered for. */
  spareCount(asker: Asker, { roundTrips, charge }: Naive): void {
    this.usedCopies = true
    this.spared += roundTrips
    this.sparedCharge += charge
    this.#deepen(asker)
  }

  /** What is read below this place comes after this. */
  #settle(asker: Asker): void {
    this.#depths.set(asker.place, Math.max(this.#depths.get(asker.place) ?? 0, this.#deepen(asker)))
  }

  /** The naive wave of a read: one more than the deepest read above it, plus those before it at its own place. */
  #deepen({ place, stage }: Asker): number {
    let above = place.prev
    while (above && !this.#depths.has(above)) above = above.prev
    const depth = (above ? this.#depths.get(above)! : this.#base) + stage + 1
    this.naiveWaves = Math.max(this.naiveWaves, depth)
    return depth
  }
}
