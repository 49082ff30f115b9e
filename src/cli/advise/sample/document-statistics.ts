// Statistics of the stored documents, estimated from a sample: their size, the ids they hold, the number of documents
// that refer to one, and the size of a snapshot.

import { allPointers, type Pointer } from '../../../model/pointers.ts'
import type { DocumentType, Field, Model } from '../../../model/model.ts'
import { kindOf } from '../../../relations/kinds.ts'
import { idsAlong } from '../../../relations/pointers/walk-pointers.ts'
import type { KindContext } from '../../../relations/kind.ts'
import type { Body } from '../../../model/json/json.ts'
import type { Workload } from '../../../observe/workload/workload.ts'
import type { Sample } from './sample.ts'

/** The assumed size of buckets, and of documents that are neither in the sample nor recorded. */
const defaultBytes = 1024

export class DocumentStatistics {
  readonly sample: Sample
  readonly #bytes: ReadonlyMap<string, number>
  readonly #pointers: ReadonlyMap<string, readonly Pointer[]>

  /** Types without a document in the sample have their recorded size. */
  constructor(sample: Sample, model: Model, recorded: Workload['types'] = {}) {
    this.sample = sample
    this.#bytes = new Map([...sample.documents].map(([name, all]) => {
      const { bytes = 0, measured = 0 } = recorded[name] ?? {}
      return [name, all.length > 0 ? mean(all.map(({ body }) => sizeOf(body))) : bytes / Math.max(1, measured)]
    }))
    this.#pointers = Map.groupBy(allPointers(model), ({ field }) => field.coordinate)
  }

  bytes(type: DocumentType | undefined): number {
    return (type && this.#bytes.get(type.name)) || defaultBytes
  }

  count(typeName: string): number {
    return this.sample.counts.get(typeName) ?? 0
  }

  bodies(typeName: string): Body[] {
    return (this.sample.documents.get(typeName) ?? []).map(({ body }) => body)
  }

  /** The document types that hold a pointer: several if it is in a contained type that several types use. */
  holdersOf({ coordinate }: Field): readonly Pointer[] {
    return this.#pointers.get(coordinate) ?? []
  }

  /** How many ids a document holds in a pointer, on average. */
  idsPerHolder({ holder, trail }: Pointer): number {
    return mean(this.bodies(holder.name).map((body) => idsAlong(body, trail).size))
  }

  /** How many documents refer to one, on average over all documents, without those that also refer to it through `others`. */
  fanOut(pointer: Pointer, others: readonly Pointer[] = []): number {
    const targets = this.count(pointer.field.target)
    return targets === 0 ? 0 : ((this.count(pointer.holder.name) * this.idsPerHolder(pointer)) / targets) * (1 - this.sharedWith(pointer, others))
  }

  /** The same for some documents of the sample, weighted by `times`, counting only documents of the sample. */
  fanOutOf({ holder, trail }: Pointer, targets: readonly { readonly id: string; readonly times: number }[], others: readonly Pointer[] = []): number {
    const pointing = new Map<string, number>()
    for (const body of this.bodies(holder.name)) {
      const elsewhere = idsAlongAny(body, others)
      for (const id of idsAlong(body, trail)) if (!elsewhere.has(id)) pointing.set(id, (pointing.get(id) ?? 0) + 1)
    }
    const all = targets.reduce((sum, { times }) => sum + times, 0)
    return all === 0 ? 0 : targets.reduce((sum, { id, times }) => sum + times * (pointing.get(id) ?? 0), 0) / all
  }

  /** Of the documents that refer to one through this pointer, the share that also does through `others`. */
  sharedWith({ holder, trail }: Pointer, others: readonly Pointer[]): number {
    if (others.length === 0) return 0
    const pairs = this.bodies(holder.name).flatMap((body) => {
      const elsewhere = idsAlongAny(body, others)
      return [...idsAlong(body, trail)].map((id) => Number(elsewhere.has(id)))
    })
    return mean(pairs)
  }

  /** The bytes that a document stores per id: the id alone, or the snapshot. */
  entryBytes(field: Field, kindContext: KindContext): number {
    const targets = this.bodies(field.target).slice(0, 200)
    return mean(targets.map((body) => {
      const kept = kindOf(field).point!({ ...field, shape: 'one' }, [String(body['id'])], () => body, kindContext)
      return Buffer.byteLength(JSON.stringify(kept))
    }))
  }
}

function idsAlongAny(body: Body, pointers: readonly Pointer[]): Set<string> {
  return new Set(pointers.flatMap(({ trail }) => [...idsAlong(body, trail)]))
}

function sizeOf(body: Body): number {
  return Buffer.byteLength(JSON.stringify(body))
}

export function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, each) => sum + each, 0) / numbers.length
}
