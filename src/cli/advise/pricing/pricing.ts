// What a recorded workload would take if one relation were declared otherwise, as a difference to how it
// is declared. Reading gets cheaper with every copy that answers; carrying copies makes their holders larger;
// and whoever changes what is copied pays for finding the holders and writing each of them.

import type { GraphQLSchema } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import type { DocumentType, Field } from '../../../model/model.ts'
import { pointersOf, type Pointer } from '../../../model/pointers.ts'
import { copiedBy } from '../../../relations/pointers/copied-fields.ts'
import { writeCharge } from '../../../store/cost-model.ts'
import { allPlaces, type RecordedOperation, type Workload } from '../../../observe/workload/workload.ts'
import type { Facts } from '../sample/document-facts.ts'
import { less, nothing, plus, sumOf, times, type Rate } from './rate.ts'
import { callsOf, priceOf, queryOf, type Call } from './read-price.ts'
import type { Variant } from './variant.ts'

export interface PricingOptions {
  readonly workload: Workload
  readonly declaration: Declaration
  readonly schema: GraphQLSchema
  readonly facts: Facts
  /** How many documents point at one that changes, where that is known better than on average. */
  readonly fanOut?: (pointer: Pointer, copied: readonly string[], others: readonly Pointer[]) => number
}

/** What the whole workload takes more than it does as declared, in two parts. */
export interface Difference {
  /** Reading, and carrying what is copied along. */
  readonly standing: Rate
  /** Keeping copies true, each time something changes that is copied, and how often it does. */
  readonly upkeep: Rate
  readonly changes: number
  /** All of it. */
  readonly total: Rate
}

/** How many holders are found at a time when copies are made true. */
const holdersPerQuery = 1000

export class Pricing {
  readonly #options: PricingOptions
  readonly #declared: ReadonlyMap<RecordedOperation, readonly Call[]>

  constructor(options: PricingOptions) {
    this.#options = options
    this.#declared = new Map(options.workload.operations.map((operation) => [operation, this.#calls(operation, options.declaration)]))
  }

  /** What all reads take as declared. */
  get reads(): Rate {
    return this.#price(this.#declared, (type) => this.#options.facts.bytes(type))
  }

  differenceTo(variant: Variant, declared: Field): Difference {
    const { facts } = this.#options
    const bytesOf = this.#bytesIn(variant, declared)
    const calls = new Map([...this.#declared].map(([operation, known]) => [operation, asks(operation, declared) ? this.#calls(operation, variant.declaration) : known]))
    const reading = less(this.#price(calls, bytesOf), this.reads)
    const carrying = sumOf(facts.holdersOf(declared).map(({ holder }) => this.#carrying(holder, declared, facts.bytes(holder), bytesOf(holder))))
    const standing = plus(reading, carrying)
    const [upkeep, changes] = [this.#upkeep(declared, variant.field, bytesOf), this.changes(variant.field)]
    const now = times(this.#upkeep(declared, declared, (type) => facts.bytes(type)), this.changes(declared))
    return { standing, upkeep, changes, total: less(plus(standing, times(upkeep, changes)), now) }
  }

  /** How often something was changed that a relation copies. */
  changes(field: Field): number {
    const copied = new Set(copiedBy(field))
    const updates = Object.entries(this.#options.workload.types[field.target]?.updated ?? {})
    return updates.filter(([changed]) => changed.split(',').some((name) => copied.has(name))).reduce((sum, [, count]) => sum + count, 0)
  }

  /** How many documents hold a copy of one that changes, without those that hold it through one of the others too. */
  fanOut(field: Field, pointer: Pointer, copied: readonly string[], others: readonly Pointer[] = []): number {
    const { workload, facts, fanOut = (one, _, besides) => facts.fanOut(one, besides) } = this.#options
    const [rewritten, changes] = [workload.relations[field.coordinate]?.rewritten ?? 0, this.changes(field)]
    return changes > 0 && rewritten > 0 ? (rewritten / changes) * (1 - facts.sharedWith(pointer, others)) : fanOut(pointer, copied, others)
  }

  /** Finding the holders of one document, and writing each of them. */
  #upkeep(declared: Field, field: Field, bytesOf: (type: DocumentType) => number): Rate {
    const copied = copiedBy(field) ?? []
    if (copied.length === 0) return nothing
    const { facts } = this.#options
    return sumOf(facts.holdersOf(declared).map((pointer) => {
      const holders = this.fanOut(declared, pointer, copied)
      const bytes = bytesOf(pointer.holder)
      // A page that is full may have another behind it, and is asked for it.
      const full = Math.floor(holders / holdersPerQuery)
      const finding = full * queryOf(holdersPerQuery, bytes) + queryOf(holders % holdersPerQuery, bytes)
      // Whoever is written anyway, for what another relation copies of the same document, is not written twice.
      const written = this.fanOut(declared, pointer, copied, this.#copyingToo(pointer, copied))
      return { roundTrips: full + 1, requestCharge: finding + written * writeCharge(bytes, bytes) }
    }))
  }

  /** The other pointers of the same holder that copy some of the same. */
  #copyingToo({ holder, field }: Pointer, copied: readonly string[]): Pointer[] {
    const { declaration: { model } } = this.#options
    return pointersOf(model, holder).filter((other) => other.field.coordinate !== field.coordinate && other.field.target === field.target
      && (copiedBy(other.field) ?? []).some((name) => copied.includes(name)))
  }

  /** What writing holders takes more when they are larger. What is written to keep this relation true is upkeep. */
  #carrying(holder: DocumentType, declared: Field, bytes: number, becoming: number): Rate {
    const { types, relations } = this.#options.workload
    const { created = 0, deleted = 0, rewritten = 0, updated = {} } = types[holder.name] ?? {}
    const replaced = Object.values(updated).reduce((sum, count) => sum + count, 0) + Math.max(0, rewritten - (relations[declared.coordinate]?.rewritten ?? 0))
    return { roundTrips: 0, requestCharge: (created + deleted + 2 * replaced) * (writeCharge(becoming) - writeCharge(bytes)) }
  }

  #bytesIn(variant: Variant, declared: Field): (type: DocumentType | undefined) => number {
    const { facts, declaration } = this.#options
    const more = facts.entryBytes(variant.field, variant.declaration.tools) - facts.entryBytes(declared, declaration.tools)
    const grown = new Map(facts.holdersOf(declared).map((pointer) => [pointer.holder.name, facts.held(pointer).mean * more]))
    return (type) => facts.bytes(type) + ((type && grown.get(type.name)) ?? 0)
  }

  #calls(operation: RecordedOperation, declaration: Declaration): Call[] {
    const { schema, facts } = this.#options
    return callsOf(operation, { schema, declaration, documentOf: ({ name }) => facts.sample.documents.get(name)?.[0]?.body, countOf: ({ name }) => facts.count(name) })
  }

  #price(calls: ReadonlyMap<RecordedOperation, readonly Call[]>, bytesOf: (type: DocumentType | undefined) => number): Rate {
    const { keysPerRequest } = this.#options.facts.sample
    return sumOf([...calls].map(([operation, made]) => times(sumOf(made.map((call) => priceOf(call, bytesOf, keysPerRequest))), operation.times)))
  }
}

function asks({ places }: RecordedOperation, { coordinate }: Field): boolean {
  return allPlaces(places).some(({ field }) => field === coordinate)
}
