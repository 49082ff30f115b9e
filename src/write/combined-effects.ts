// Combines the direct effects of several changes in one changeset: each affected document is read, refreshed and written once, with all
// of them. Otherwise a thousand new documents in one list would rewrite that list a thousand times.

import { AddressMap } from '../model/keys/key.ts'
import type { DocumentType } from '../model/model.ts'
import type { Entry, Maintenance, SourceChange } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'
import type { Effects } from './effects.ts'

/** A document that some of the changes affect. */
interface Affected {
  readonly found: Entry
  readonly by: SourceChange[]
}

export class CombinedEffects {
  readonly #effects: Effects
  readonly #changes: Changeset
  readonly #affected = new Map<Maintenance, AddressMap<Affected>>()
  #size = 0

  constructor(effects: Effects, changes: Changeset) {
    this.#effects = effects
    this.#changes = changes
  }

  /** How many documents are to be refreshed. */
  get size(): number {
    return this.#size
  }

  /** Finds the documents that a change affects. */
  async add(type: DocumentType, change: SourceChange): Promise<void> {
    for (const maintenance of this.#effects.maintenancesOf(type)) {
      const affected = this.#affectedBy(maintenance)
      for (const found of (await maintenance.affected(change, this.#changes)) as readonly Entry[]) {
        const known = affected.get(found.container, found.key)
        if (known) known.by.push(change)
        else {
          affected.set(found.container, found.key, { found, by: [change] })
          this.#size++
        }
        const turn = this.#changes.slice.next()
        if (turn) await turn
      }
    }
  }

  /** Puts all of them into the changeset as they must be now. */
  async refresh(): Promise<void> {
    for (const [maintenance, affected] of this.#affected) {
      for (const { found, by } of affected.values()) {
        const refreshing = this.#effects.refresh(maintenance, found, by, this.#changes)
        if (refreshing) await refreshing
        const turn = this.#changes.slice.next()
        if (turn) await turn
      }
    }
    this.#affected.clear()
    this.#size = 0
  }

  #affectedBy(maintenance: Maintenance): AddressMap<Affected> {
    let affected = this.#affected.get(maintenance)
    if (!affected) this.#affected.set(maintenance, (affected = new AddressMap()))
    return affected
  }
}
