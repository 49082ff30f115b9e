// Documents that are looked up one by one while the rows that point at them are written, in a store that has its documents
// in this process. To observers, the lookups of one container at one depth of the operation are one call, which is how
// another store would be asked for them: in one wave.

import type { Key } from '../model/keys/key.ts'
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

export interface LookupById {
  (id: string): StoredDocument | undefined
  /** The ids that are asked for next, this one among them. */
  together?: readonly string[]
}

/** Undefined if the store cannot look up documents of this type by their ids. */
export function lookupOf(store: Store, type: DocumentType): LookupById | undefined {
  const keyOf = keyById(type)
  const look = keyOf && store.lookIn(type.container)
  if (!look) return undefined
  const together = (): Key[] => lookup.together?.map(keyOf) ?? []
  const lookup: LookupById = type.discriminator === undefined ? (id) => look(keyOf(id), together) : (id) => {
    const document = look(keyOf(id), together)
    return isOfType(type, document?.body) ? document : undefined
  }
  return lookup
}

/** Counts the documents that are looked up for one target. */
export class LookupTally {
  readonly #target: LookupTarget
  readonly #wave: WaveTally
  readonly #container: ContainerTally

  constructor(target: LookupTarget, wave: WaveTally, container: ContainerTally) {
    this.#target = target
    this.#wave = wave
    this.#container = container
  }

  /** A document that was not looked up for this target before, in this run. */
  found({ key: { id }, bytes }: StoredDocument): void {
    if (this.#target.alone) this.#wave.add(bytes)
    else this.#container.share(id, bytes, this.#target.depth)
  }

  missing(id: string): void {
    this.#container.share(id, undefined, this.#target.depth)
  }
}

/** The lookups of one container at one depth. */
class WaveTally extends ReadTally {
  readonly depth: number

  constructor(depth: number) {
    super()
    this.depth = depth
  }
}

/** The lookups of one container. An operation has few containers and depths, so lists of them need no index. */
class ContainerTally {
  readonly name: string
  readonly waves: WaveTally[] = []
  /** What several targets look up: each document counts for the one that is highest up. */
  #shared: Map<string, { readonly bytes: number | undefined; readonly depth: number }> | undefined

  constructor(name: string) {
    this.name = name
  }

  at(depth: number): WaveTally {
    for (const wave of this.waves) if (wave.depth === depth) return wave
    const wave = new WaveTally(depth)
    this.waves.push(wave)
    return wave
  }

  share(id: string, bytes: number | undefined, depth: number): void {
    const shared = (this.#shared ??= new Map())
    const known = shared.get(id)
    if (!known || known.depth > depth) shared.set(id, { bytes, depth })
  }

  /** Counts what was shared. */
  settle(): void {
    if (this.#shared) for (const { depth, bytes } of this.#shared.values()) this.at(depth).add(bytes)
  }
}

/** Everything that one run looks up. */
export class Lookups {
  /** By the number of the target. */
  readonly tallies: readonly LookupTally[]
  readonly #containers: ContainerTally[] = []

  constructor(targets: readonly LookupTarget[]) {
    this.tallies = targets.map((target) => {
      const container = this.#in(target.type.container)
      return new LookupTally(target, container.at(target.depth), container)
    })
  }

  /** Passes on one receipt for each container and depth. The lookups are part of writing the rows, so they take no time of their own. */
  report(to: (depth: number, receipt: Receipt) => void): void {
    const startMs = performance.now()
    for (const container of this.#containers) {
      container.settle()
      for (const wave of container.waves) {
        const { depth, keys, documents } = wave
        if (keys > 0) to(depth, { operation: 'read', container: container.name, keys, documents, wave: 0, startMs, durationMs: 0, requestCharge: wave.charge() })
      }
    }
  }

  #in(name: string): ContainerTally {
    for (const container of this.#containers) if (container.name === name) return container
    const container = new ContainerTally(name)
    this.#containers.push(container)
    return container
  }
}
