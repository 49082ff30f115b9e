// What a recorded workload would cost more or less if one relation were declared differently. A snapshot that answers
// makes reads cheaper; it makes the documents that hold it larger; and each change of a copied field has to find these
// documents and write each of them.

import type { GraphQLSchema } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import type { DocumentType, Field } from '../../../model/model.ts'
import { pointersOf, type Pointer } from '../../../model/pointers.ts'
import { copiedBy } from '../../../relations/pointers/copied-fields.ts'
import { writeCharge } from '../../../store/cost-model.ts'
import { allRecordedNodes, type RecordedOperation, type Workload } from '../../../observe/workload/workload.ts'
import type { DocumentStatistics } from '../sample/document-statistics.ts'
import { less, nothing, plus, sumOf, times, type Rate } from './rate.ts'
import { callsOf, priceOf, queryOf, type Call } from './read-pricing.ts'
import type { Variant } from './schema-variant.ts'

export interface PricingOptions {
  readonly workload: Workload
  readonly declaration: Declaration
  readonly schema: GraphQLSchema
  readonly statistics: DocumentStatistics
  /** How many documents refer to a changed one, if the caller knows better than the average. */
  readonly fanOut?: (pointer: Pointer, copied: readonly string[], others: readonly Pointer[]) => number
}

/** The extra cost of the whole workload compared with the declared schema, in two parts. */
export interface Difference {
  /** Reads, and writes of documents that are larger with a snapshot. */
  readonly standing: Rate
  /** Updating the snapshots after one change of a copied field, and the number of such changes. */
  readonly upkeep: Rate
  readonly changes: number
  readonly total: Rate
}

/** The page size of the query that finds holders when snapshots are updated. */
const holdersPerQuery = 1000

export class WorkloadPricing {
  readonly #options: PricingOptions
  readonly #declared: ReadonlyMap<RecordedOperation, readonly Call[]>

  constructor(options: PricingOptions) {
    this.#options = options
    this.#declared = new Map(options.workload.operations.map((operation) => [operation, this.#calls(operation, options.declaration)]))
  }

  /** The cost of all reads as declared. */
  get reads(): Rate {
    return this.#price(this.#declared, (type) => this.#options.statistics.bytes(type))
  }

  differenceTo(variant: Variant, declared: Field): Difference {
    const { statistics } = this.#options
    const bytesOf = this.#bytesIn(variant, declared)
    const calls = new Map([...this.#declared].map(([operation, known]) => [operation, asks(operation, declared) ? this.#calls(operation, variant.declaration) : known]))
    const reading = less(this.#price(calls, bytesOf), this.reads)
    const carrying = sumOf(statistics.holdersOf(declared).map(({ holder }) => this.#carrying(holder, declared, statistics.bytes(holder), bytesOf(holder))))
    const standing = plus(reading, carrying)
    const [upkeep, changes] = [this.#upkeep(declared, variant.field, bytesOf), this.changes(variant.field)]
    const now = times(this.#upkeep(declared, declared, (type) => statistics.bytes(type)), this.changes(declared))
    return { standing, upkeep, changes, total: less(plus(standing, times(upkeep, changes)), now) }
  }

  /** How many recorded updates changed a field that the relation copies. */
  changes(field: Field): number {
    const copied = new Set(copiedBy(field))
    const updates = Object.entries(this.#options.workload.types[field.target]?.updated ?? {})
    return updates.filter(([changed]) => changed.split(',').some((name) => copied.has(name))).reduce((sum, [, count]) => sum + count, 0)
  }

  /** How many documents hold a snapshot of a changed one, without those that also hold one through `others`. */
  fanOut(field: Field, pointer: Pointer, copied: readonly string[], others: readonly Pointer[] = []): number {
    const { workload, statistics, fanOut = (one, _, besides) => statistics.fanOut(one, besides) } = this.#options
    const [rewritten, changes] = [workload.relations[field.coordinate]?.rewritten ?? 0, this.changes(field)]
    return changes > 0 && rewritten > 0 ? (rewritten / changes) * (1 - statistics.sharedWith(pointer, others)) : fanOut(pointer, copied, others)
  }

  /** Finding the holders of one changed document, and writing each of them. */
  #upkeep(declared: Field, field: Field, bytesOf: (type: DocumentType) => number): Rate {
    const copied = copiedBy(field) ?? []
    if (copied.length === 0) return nothing
    const { statistics } = this.#options
    return sumOf(statistics.holdersOf(declared).map((pointer) => {
      const holders = this.fanOut(declared, pointer, copied)
      const bytes = bytesOf(pointer.holder)
      // After a full page, the next page has to be asked for.
      const full = Math.floor(holders / holdersPerQuery)
      const finding = full * queryOf(holdersPerQuery, bytes) + queryOf(holders % holdersPerQuery, bytes)
      // A holder that another relation's snapshot of the same document rewrites anyway is not written twice.
      const written = this.fanOut(declared, pointer, copied, this.#alsoCopying(pointer, copied))
      return { roundTrips: full + 1, requestCharge: finding + written * writeCharge(bytes, bytes) }
    }))
  }

  /** Other pointers of the same holder that copy some of the same fields. */
  #alsoCopying({ holder, field }: Pointer, copied: readonly string[]): Pointer[] {
    const { declaration: { model } } = this.#options
    return pointersOf(model, holder).filter((other) => other.field.coordinate !== field.coordinate && other.field.target === field.target
      && (copiedBy(other.field) ?? []).some((name) => copied.includes(name)))
  }

  /** The extra cost of writing larger holders. Writes that update this relation's snapshots count as upkeep instead. */
  #carrying(holder: DocumentType, declared: Field, bytes: number, becoming: number): Rate {
    const { types, relations } = this.#options.workload
    const { created = 0, deleted = 0, rewritten = 0, updated = {} } = types[holder.name] ?? {}
    const replaced = Object.values(updated).reduce((sum, count) => sum + count, 0) + Math.max(0, rewritten - (relations[declared.coordinate]?.rewritten ?? 0))
    return { roundTrips: 0, requestCharge: (created + deleted + 2 * replaced) * (writeCharge(becoming) - writeCharge(bytes)) }
  }

  #bytesIn(variant: Variant, declared: Field): (type: DocumentType | undefined) => number {
    const { statistics, declaration } = this.#options
    const more = statistics.entryBytes(variant.field, variant.declaration.kindContext) - statistics.entryBytes(declared, declaration.kindContext)
    const grown = new Map(statistics.holdersOf(declared).map((pointer) => [pointer.holder.name, statistics.idsPerHolder(pointer) * more]))
    return (type) => statistics.bytes(type) + ((type && grown.get(type.name)) ?? 0)
  }

  #calls(operation: RecordedOperation, declaration: Declaration): Call[] {
    const { schema, statistics } = this.#options
    return callsOf(operation, { schema, declaration, documentOf: ({ name }) => statistics.sample.documents.get(name)?.[0]?.body, countOf: ({ name }) => statistics.count(name) })
  }

  #price(calls: ReadonlyMap<RecordedOperation, readonly Call[]>, bytesOf: (type: DocumentType | undefined) => number): Rate {
    const { keysPerRequest } = this.#options.statistics.sample
    return sumOf([...calls].map(([operation, made]) => times(sumOf(made.map((call) => priceOf(call, bytesOf, keysPerRequest))), operation.times)))
  }
}

function asks({ places }: RecordedOperation, { coordinate }: Field): boolean {
  return allRecordedNodes(places).some(({ field }) => field === coordinate)
}
