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
export class LookupTally extends ReadTally {
  readonly target: LookupTarget
  /** What all targets of the container have looked up; undefined where this is the only one. */
  readonly #seen: SeenDocuments | undefined
  #missing: Set<string> | undefined

  constructor(target: LookupTarget, seen: SeenDocuments | undefined) {
    super()
    this.target = target
    this.#seen = seen
  }

  /** A document that was not looked up for this target before, in this run. */
  found({ key: { id }, bytes }: StoredDocument): void {
    if (this.#seen) this.#see(this.#seen, id, bytes)
    else this.add(bytes)
  }

  missing(id: string): void {
    if (this.#seen) return this.#see(this.#seen, id, undefined)
    const missing = (this.#missing ??= new Set())
    if (!missing.has(id)) this.add(undefined)
    missing.add(id)
  }

  /** Each document counts for the target that is highest up. */
  #see(seen: SeenDocuments, id: string, bytes: number | undefined): void {
    const known = seen.get(id)
    if (!known || known.depth > this.target.depth) seen.set(id, { bytes, depth: this.target.depth })
  }
}

/** By their ids, with their sizes if they were found. */
type SeenDocuments = Map<string, { readonly bytes: number | undefined; readonly depth: number }>

/** Everything that one run looks up. */
export class Lookups {
  /** By the number of the target. */
  readonly tallies: readonly LookupTally[]
  /** By the name of their container. */
  #shared: Map<string, SeenDocuments> | undefined

  constructor(targets: readonly LookupTarget[]) {
    this.tallies = targets.map((target) => new LookupTally(target, target.alone ? undefined : this.#seenIn(target.type.container)))
  }

  /** Passes on one receipt for each container and depth. The lookups are part of writing the rows, so they take no time of their own. */
  report(to: (depth: number, receipt: Receipt) => void): void {
    const startMs = performance.now()
    for (const tally of this.#shared ? this.#settled(this.#shared) : this.tallies) {
      const { target: { depth, type: { container } }, keys, documents } = tally
      if (keys > 0) to(depth, { operation: 'read', container, keys, documents, wave: 0, startMs, durationMs: 0, requestCharge: tally.charge() })
    }
  }

  #seenIn(container: string): SeenDocuments {
    const all = (this.#shared ??= new Map<string, SeenDocuments>())
    let seen = all.get(container)
    if (!seen) all.set(container, (seen = new Map()))
    return seen
  }

  /** Targets of one container at one depth are asked for in one call: their first tally counts for all of them. */
  #settled(shared: ReadonlyMap<string, SeenDocuments>): readonly LookupTally[] {
    for (const [container, seen] of shared) for (const { bytes, depth } of seen.values()) {
      this.tallies.find(({ target }) => target.type.container === container && target.depth === depth)!.add(bytes)
    }
    return this.tallies
  }
}
