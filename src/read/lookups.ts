// Documents that are looked up one by one while the rows that point at them are written, in a store that has its documents
// in this process. To observers, the lookups of one container at one depth of the operation are one call, which is how
// another store would be asked for them: in one wave.

import { keyById } from '../model/keys/partition.ts'
import type { DocumentType } from '../model/model.ts'
import { readCharge, readManyCharge } from '../store/cost-model.ts'
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
  readonly #sizes: (number | undefined)[] = []
  /** What several targets of a container look up: each document counts for the one that is highest up. */
  readonly #shared: SharedLookups

  constructor(target: LookupTarget, shared: SharedLookups) {
    this.#target = target
    this.#shared = shared
  }

  /** A document that was not looked up for this target before, in this run. */
  found({ key: { id }, bytes }: StoredDocument): void {
    if (this.#target.alone) this.#sizes.push(bytes)
    else this.#share(id, bytes)
  }

  missing(id: string): void {
    this.#share(id, undefined)
  }

  /** The sizes of the documents that this target alone has looked up. */
  get sizes(): readonly (number | undefined)[] {
    return this.#sizes
  }

  #share(id: string, bytes: number | undefined): void {
    const { depth } = this.#target
    const known = this.#shared.get(id)
    if (!known || known.depth > depth) this.#shared.set(id, { bytes, depth })
  }
}

type SharedLookups = Map<string, { readonly bytes: number | undefined; readonly depth: number }>

/** Everything that one run looks up. */
export class Lookups {
  readonly #targets: readonly LookupTarget[]
  /** By the number of the target. */
  readonly tallies: readonly LookupTally[]
  readonly #shared = new Map<string, SharedLookups>()

  constructor(targets: readonly LookupTarget[]) {
    this.#targets = targets
    this.tallies = targets.map((target) => {
      const { container } = target.type
      if (!this.#shared.has(container)) this.#shared.set(container, new Map())
      return new LookupTally(target, this.#shared.get(container)!)
    })
  }

  /** One receipt for each container and depth. The lookups are part of writing the rows, so they take no time of their own. */
  *receipts(): Generator<{ readonly depth: number; readonly receipt: Receipt }> {
    const startMs = performance.now()
    for (const [container, shared] of this.#shared) {
      const byDepth = Map.groupBy(shared.values(), ({ depth }) => depth)
      const own = this.#targets.flatMap(({ type, depth }, at) => (type.container === container ? [{ depth, sizes: this.tallies[at]!.sizes }] : []))
      for (const depth of new Set([...own.map((each) => each.depth), ...byDepth.keys()])) {
        const sizes = [...own.filter((each) => each.depth === depth).flatMap((each) => each.sizes), ...(byDepth.get(depth) ?? []).map(({ bytes }) => bytes)]
        if (sizes.length > 0) yield { depth, receipt: { operation: 'read', container, keys: sizes.length, wave: 0, startMs, durationMs: 0, ...costOf(sizes) } }
      }
    }
  }
}

function costOf(sizes: readonly (number | undefined)[]): Pick<Receipt, 'documents' | 'requestCharge'> {
  return { documents: sizes.filter((bytes) => bytes !== undefined).length, requestCharge: sizes.length === 1 ? readCharge(sizes[0]) : readManyCharge(sizes) }
}
