// Sums recorded numbers within bounds: of a running gateway, of runs and of files. When there is no room for another operation,
// the one with the fewest runs is dropped and counted in `leftOut`.

import { allRecordedNodes, type LeftOut, type Made, type RecordedOperation, type RecordedNode, type RecordedRelation, type RecordedType, type Workload } from './workload.ts'

/** Enough for the workload of one application, and less than 1 MB as a file. */
export const bounds = { operations: 200, places: 300, operationBytes: 500_000, nameBytes: 400_000, changes: 50 }

/** Max bytes of the numbers of one node or name in the file. */
const numbersBytes = 250

export type Writable<T> = { -readonly [K in keyof T]: T[K] }

const placeNumbers = ['asked', 'resolved', 'covered', 'documents', 'many', 'manyDocuments', 'rows'] as const

export class Tally {
  readonly made: Writable<Made> = { operations: 0, roundTrips: 0, requestCharge: 0 }
  readonly leftOut: Writable<LeftOut> = { operations: 0, changes: 0, names: 0 }
  readonly #operations = new Map<string, { times: number; places: readonly RecordedNode[]; readonly bytes: number }>()
  readonly #relations = new Map<string, RecordedRelation>()
  readonly #types = new Map<string, RecordedType>()
  #operationBytes = 0
  #nameBytes = 0

  /** Adds a workload, as if it had run `weight` times. */
  add({ made, leftOut, operations, relations, types }: Workload, weight = 1): this {
    this.addCost(made, weight)
    this.leftOut.operations += leftOut.operations * weight
    this.leftOut.changes += leftOut.changes * weight
    this.leftOut.names += leftOut.names
    for (const { times, places } of operations) this.operation({ times: times * weight, places: places.map((place) => weighted(place, weight)) })
    for (const [name, relation] of Object.entries(relations)) this.relation(name, weightedRelation(relation, weight))
    for (const [name, type] of Object.entries(types)) this.type(name, weightedType(type, weight))
    return this
  }

  addCost({ operations, roundTrips, requestCharge }: Made, weight = 1): void {
    this.made.operations += operations * weight
    this.made.roundTrips += roundTrips * weight
    this.made.requestCharge += requestCharge * weight
  }

  operation({ times, places }: RecordedOperation): void {
    const shape = shapeText(places)
    const known = this.#operations.get(shape)
    if (known) {
      known.times += times
      known.places = summed(known.places, places)
      return
    }
    const bytes = shape.length + allRecordedNodes(places).length * numbersBytes
    if (bytes > bounds.operationBytes) {
      this.leftOut.operations += times
      return
    }
    while (this.#operations.size >= bounds.operations || this.#operationBytes + bytes > bounds.operationBytes) this.#dropRarest()
    this.#operations.set(shape, { times, places, bytes })
    this.#operationBytes += bytes
  }

  relation(name: string, more: Partial<RecordedRelation>): void {
    const known = this.#relations.get(name)
    if (!known && !this.#hasRoomFor(name)) return
    const { resolved = 0, covered = 0, documents = 0, rewritten = 0, beyond = {} } = known ?? {}
    this.#relations.set(name, {
      resolved: resolved + (more.resolved ?? 0),
      covered: covered + (more.covered ?? 0),
      documents: documents + (more.documents ?? 0),
      rewritten: rewritten + (more.rewritten ?? 0),
      beyond: this.#added(beyond, more.beyond ?? {}).sums,
    })
  }

  type(name: string, more: Partial<RecordedType>): void {
    const known = this.#types.get(name)
    if (!known && !this.#hasRoomFor(name)) return
    const { created = 0, deleted = 0, rewritten = 0, measured = 0, bytes = 0, updated = {}, lists = {} } = known ?? {}
    const updates = this.#added(updated, more.updated ?? {}, bounds.changes)
    this.leftOut.changes += updates.leftOut
    const grown = { ...lists }
    for (const [list, { grown: entries, longest }] of Object.entries(more.lists ?? {})) {
      if (!(list in grown) && !this.#hasRoomFor(list)) continue
      grown[list] = { grown: (lists[list]?.grown ?? 0) + entries, longest: Math.max(lists[list]?.longest ?? 0, longest) }
    }
    this.#types.set(name, {
      created: created + (more.created ?? 0),
      deleted: deleted + (more.deleted ?? 0),
      rewritten: rewritten + (more.rewritten ?? 0),
      measured: measured + (more.measured ?? 0),
      bytes: bytes + (more.bytes ?? 0),
      updated: updates.sums,
      lists: grown,
    })
  }

  /** The sums, with the most frequent operations first. */
  workload(times: Pick<Workload, 'runs' | 'startedAt' | 'endedAt' | 'recordedMs'>): Workload {
    return {
      ...times,
      made: { ...this.made },
      operations: [...this.#operations.values()].map(({ times: often, places }) => ({ times: often, places })).toSorted((one, other) => other.times - one.times),
      relations: Object.fromEntries(this.#relations),
      types: Object.fromEntries(this.#types),
      leftOut: { ...this.leftOut },
    }
  }

  #dropRarest(): void {
    let rarest: string | undefined
    for (const [shape, { times }] of this.#operations) {
      if (rarest === undefined || times < this.#operations.get(rarest)!.times) rarest = shape
    }
    const { times, bytes } = this.#operations.get(rarest!)!
    this.leftOut.operations += times
    this.#operationBytes -= bytes
    this.#operations.delete(rarest!)
  }

  /** Adds to known names, and to new ones while there is room. */
  #added(some: Readonly<Record<string, number>>, others: Readonly<Record<string, number>>, max = Infinity) {
    const sums: Record<string, number> = { ...some }
    let leftOut = 0
    for (const [name, number] of Object.entries(others)) {
      if (Object.hasOwn(sums, name) || (Object.keys(sums).length < max && this.#hasRoomFor(name))) sums[name] = (sums[name] ?? 0) + number
      else leftOut += number
    }
    return { sums, leftOut }
  }

  #hasRoomFor(name: string): boolean {
    const bytes = name.length + numbersBytes
    if (this.#nameBytes + bytes > bounds.nameBytes) {
      this.leftOut.names++
      return false
    }
    this.#nameBytes += bytes
    return true
  }
}

/** Operations with the same shape are one: everything but the numbers. */
function shapeText(places: readonly RecordedNode[]): string {
  return places.map(({ field, given = [], forced, below = [] }) => `${field}(${given.join()})${forced ? '!' : ''}{${shapeText(below)}}`).join(' ')
}

/** The sums of two operations with the same shape, node by node. */
function summed(some: readonly RecordedNode[], others: readonly RecordedNode[]): RecordedNode[] {
  return some.map((place, index) => {
    const other = others[index]!
    const below = place.below && summed(place.below, other.below ?? [])
    return numbered(place, (number) => (place[number] ?? 0) + (other[number] ?? 0), below)
  })
}

function weighted(place: RecordedNode, weight: number): RecordedNode {
  return numbered(place, (number) => (place[number] ?? 0) * weight, place.below?.map((each) => weighted(each, weight)))
}

function numbered({ field, given, forced }: RecordedNode, numberOf: (number: (typeof placeNumbers)[number]) => number, below: readonly RecordedNode[] | undefined): RecordedNode {
  const numbers = placeNumbers.flatMap((number) => (numberOf(number) === 0 ? [] : [[number, numberOf(number)] as const]))
  return { field, ...(given ? { given } : {}), ...(forced ? { forced } : {}), ...Object.fromEntries(numbers), ...(below ? { below } : {}) }
}

function weightedRelation({ resolved, covered, documents, rewritten, beyond }: RecordedRelation, weight: number): RecordedRelation {
  return { resolved: resolved * weight, covered: covered * weight, documents: documents * weight, rewritten: rewritten * weight, beyond: weightedByName(beyond, weight) }
}

function weightedType(type: RecordedType, weight: number): RecordedType {
  const lists = Object.entries(type.lists).map(([name, { grown, longest }]) => [name, { grown: grown * weight, longest }])
  return {
    created: type.created * weight, deleted: type.deleted * weight, rewritten: type.rewritten * weight, measured: type.measured * weight, bytes: type.bytes * weight,
    updated: weightedByName(type.updated, weight), lists: Object.fromEntries(lists) as RecordedType['lists'],
  }
}

function weightedByName(numbers: Readonly<Record<string, number>>, weight: number): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, number * weight]))
}
