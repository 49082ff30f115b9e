// Documents that are looked up one by one while the rows that point at them are written, in a store that has its documents
// in this process. To observers, the lookups of one container at one depth of the operation are one call, which is how
// another store would be asked for them: in one wave.

import { keyById } from '../model/keys/partition.ts'
import type { DocumentType } from '../model/model.ts'
import { ReadTally } from '../store/cost-model.ts'
import type { Receipt, Store, StoredDocument } from '../store/store.ts'
import { isOfType } from './selection.ts'

/** Documents of a type that code looks up, `depth` waves below the root of the operation. */
export interface LookupTarget {
  readonly type: DocumentType
  readonly depth: number
  /** Whether these are the only lookups in their container: then no document is counted twice. */
  readonly alone: boolean
}

export type LookupById = (id: string) => StoredDocument | undefined

/** Undefined if the store cannot look up documents of this type by their ids. */
export function lookupOf(store: Store, type: DocumentType): LookupById | undefined {
  const keyOf = keyById(type)
  const look = keyOf && store.lookIn(type.container)
  if (!look) return undefined
  if (type.discriminator === undefined) return (id) => look(keyOf(id))
  return (id) => {
    const document = look(keyOf(id))
    return isOfType(type, document?.body) ? document : undefined
  }
}

/** Counts the documents that are looked up for one target. */
export class LookupTally {
  readonly #target: LookupTarget
  readonly #own: ReadTally
  /** What several targets of a container look up: each document counts for the one that is highest up. */
  readonly #shared: SharedLookups

  constructor(target: LookupTarget, own: ReadTally, shared: SharedLookups) {
    this.#target = target
    this.#own = own
    this.#shared = shared
  }

  /** A document that was not looked up for this target before, in this run. */
  found({ key: { id }, bytes }: StoredDocument): void {
    if (this.#target.alone) this.#own.add(bytes)
    else this.#share(id, bytes)
  }

  missing(id: string): void {
    this.#share(id, undefined)
  }

  #share(id: string, bytes: number | undefined): void {
    const { depth } = this.#target
    const known = this.#shared.get(id)
    if (!known || known.depth > depth) this.#shared.set(id, { bytes, depth })
  }
}

type SharedLookups = Map<string, { readonly bytes: number | undefined; readonly depth: number }>

interface ContainerLookups {
  /** One for each depth. */
  readonly byDepth: Map<number, ReadTally>
  readonly shared: SharedLookups
}

/** Everything that one run looks up. */
export class Lookups {
  /** By the number of the target. */
  readonly tallies: readonly LookupTally[]
  readonly #containers = new Map<string, ContainerLookups>()

  constructor(targets: readonly LookupTarget[]) {
    this.tallies = targets.map((target) => {
      const { byDepth, shared } = this.#in(target.type.container)
      return new LookupTally(target, tallyAt(byDepth, target.depth), shared)
    })
  }

  /** One receipt for each container and depth. The lookups are part of writing the rows, so they take no time of their own. */
  *receipts(): Generator<{ readonly depth: number; readonly receipt: Receipt }> {
    const startMs = performance.now()
    for (const [container, { byDepth, shared }] of this.#containers) {
      for (const { depth, bytes } of shared.values()) tallyAt(byDepth, depth).add(bytes)
      for (const [depth, tally] of byDepth) {
        const { keys, documents } = tally
        if (keys > 0) yield { depth, receipt: { operation: 'read', container, keys, documents, wave: 0, startMs, durationMs: 0, requestCharge: tally.charge() } }
      }
    }
  }

  #in(container: string): ContainerLookups {
    let lookups = this.#containers.get(container)
    if (!lookups) this.#containers.set(container, (lookups = { byDepth: new Map(), shared: new Map() }))
    return lookups
  }
}

function tallyAt(byDepth: Map<number, ReadTally>, depth: number): ReadTally {
  let tally = byDepth.get(depth)
  if (!tally) byDepth.set(depth, (tally = new ReadTally()))
  return tally
}
