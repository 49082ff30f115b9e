// What is known of the documents themselves, from a sample of them: how large they are, how many ids they
// hold, how many documents point at one, and what a copy of one weighs.

import { allPointers, type Pointer } from '../../../model/pointers.ts'
import type { DocumentType, Field, Model } from '../../../model/model.ts'
import { kindOf } from '../../../relations/index.ts'
import { idsAlong } from '../../../relations/pointers/walk-pointers.ts'
import type { Tools } from '../../../relations/kind.ts'
import type { Body } from '../../../model/json/json.ts'
import type { Workload } from '../../../observe/workload/workload.ts'
import type { Sample } from './sample.ts'

/** What buckets and documents that nobody has seen are taken to weigh. */
const usualBytes = 1024

export class Facts {
  readonly sample: Sample
  readonly #bytes: ReadonlyMap<string, number>
  readonly #pointers: ReadonlyMap<string, readonly Pointer[]>

  /** Types of which there is no document now are as large as they were when they were recorded. */
  constructor(sample: Sample, model: Model, recorded: Workload['types'] = {}) {
    this.sample = sample
    this.#bytes = new Map([...sample.documents].map(([name, all]) => {
      const { bytes = 0, measured = 0 } = recorded[name] ?? {}
      return [name, all.length > 0 ? mean(all.map(({ body }) => sizeOf(body))) : bytes / Math.max(1, measured)]
    }))
    this.#pointers = Map.groupBy(allPointers(model), ({ field }) => field.coordinate)
  }

  bytes(type: DocumentType | undefined): number {
    return (type && this.#bytes.get(type.name)) || usualBytes
  }

  count(typeName: string): number {
    return this.sample.counts.get(typeName) ?? 0
  }

  bodies(typeName: string): Body[] {
    return (this.sample.documents.get(typeName) ?? []).map(({ body }) => body)
  }

  /** The documents that hold a pointer: one type, unless it is inside what several types contain. */
  holdersOf({ coordinate }: Field): readonly Pointer[] {
    return this.#pointers.get(coordinate) ?? []
  }

  /** How many ids a document holds in a pointer, on average and at most. */
  held({ holder, trail }: Pointer): { readonly mean: number; readonly most: number } {
    const lengths = this.bodies(holder.name).map((body) => idsAlong(body, trail).size)
    return { mean: mean(lengths), most: Math.max(0, ...lengths) }
  }

  /** How many documents point at one, on average over all there are, without those that do so through one of the others too. */
  fanOut(pointer: Pointer, others: readonly Pointer[] = []): number {
    const targets = this.count(pointer.field.target)
    return targets === 0 ? 0 : ((this.count(pointer.holder.name) * this.held(pointer).mean) / targets) * (1 - this.sharedWith(pointer, others))
  }

  /** The same over some documents of the sample, each as often as it is said, and in the sample alone. */
  fanOutOf({ holder, trail }: Pointer, targets: readonly { readonly id: string; readonly times: number }[], others: readonly Pointer[] = []): number {
    const pointing = new Map<string, number>()
    for (const body of this.bodies(holder.name)) {
      const elsewhere = idsAlongAny(body, others)
      for (const id of idsAlong(body, trail)) if (!elsewhere.has(id)) pointing.set(id, (pointing.get(id) ?? 0) + 1)
    }
    const all = targets.reduce((sum, { times }) => sum + times, 0)
    return all === 0 ? 0 : targets.reduce((sum, { id, times }) => sum + times * (pointing.get(id) ?? 0), 0) / all
  }

  /** Which share of the documents that point at one through this pointer does so through one of the others, too. */
  sharedWith({ holder, trail }: Pointer, others: readonly Pointer[]): number {
    if (others.length === 0) return 0
    const pairs = this.bodies(holder.name).flatMap((body) => {
      const elsewhere = idsAlongAny(body, others)
      return [...idsAlong(body, trail)].map((id) => Number(elsewhere.has(id)))
    })
    return mean(pairs)
  }

  /** What a document keeps for each id that it holds, in bytes: the id, or the copy. */
  entryBytes(field: Field, tools: Tools): number {
    const targets = this.bodies(field.target).slice(0, 200)
    return mean(targets.map((body) => {
      const kept = kindOf(field).point!({ ...field, shape: 'one' }, [String(body['id'])], () => body, tools)
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
