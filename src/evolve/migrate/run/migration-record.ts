// The record of a migration: the old and the new declaration, the user's answers, the phase and its checkpoint. It is one document in
// Quire's own container. Every change of it depends on the version that was read, so two migrations of one store cannot both continue.
// A running migration writes the record at every page; if the record stops changing, its process counts as ended.

import { randomUUID } from 'node:crypto'
import type { Body, Json } from '../../../model/json/json.ts'
import { sameJson } from '../../../model/json/same-json.ts'
import { ownContainer, ownPut } from '../../../store/own-container.ts'
import { migrationKey } from '../../../store/migration/migration-phase.ts'
import { ConflictError } from '../../../store/store-errors.ts'
import type { ContainerLocations } from '../../../store/migration/container-locations.ts'
import type { Store, StoredDocument } from '../../../store/store.ts'
import type { DeclaredStorage } from '../../declared/declared-storage.ts'
import type { PropertyMoves } from '../online/property-moves.ts'
import type { Digest } from './digests.ts'

/**
 * - `prepare`: documents are prepared, and no existing one has changed.
 * - `switch`: prepared documents replace the old ones. No gateway serves.
 * - `done`: the new declaration holds. Obsolete documents are still stored.
 * - `both`: every write has both forms, and gateways of both schemas run.
 * - `contract`: the new declaration holds, and the old form is removed while gateways of the new schema run.
 * - `copy`: documents are copied into other containers, and every write leaves a change mark.
 * - `freeze`: writes are refused while the last marked documents are copied.
 * - `handover`: the new declaration holds. Writes are refused until all gateways of the old schema have stopped serving.
 */
export type Phase = 'prepare' | 'switch' | 'done' | 'both' | 'contract' | 'copy' | 'freeze' | 'handover'

export interface MigrationRecord {
  readonly phase: Phase
  readonly from: DeclaredStorage
  readonly to: DeclaredStorage
  readonly hints: Json
  /** Where to go on; the form is the phase's own. */
  readonly checkpoint: Json
  readonly digests: Readonly<Record<string, Digest>>
  /** The process that runs it; empty if none does. */
  readonly owner: string
  /** Of the declaration that it leads to, by which gateways register. */
  readonly schema: string
  /** Where gateways go on: what changes, and whether all documents have both forms. */
  readonly moves?: readonly PropertyMoves[]
  readonly filled?: boolean
  /** Where documents are copied: where those of the new schema are. */
  readonly places?: ContainerLocations
  /** How many have been copied, and how many there were. */
  readonly copied?: { readonly documents: number; readonly total: number }
  /** The file that keeps what is replaced. A process that continues the migration appends to it, so that one file undoes all of it. */
  readonly saved?: string
}

/** Another process migrates the store. */
export class MigrationRunningError extends Error {
  override readonly name = 'MigrationRunningError'
}

const format = 1

/** How long another process may leave its record unchanged before it counts as ended. */
export const defaultSilenceMs = 10_000

export async function readRecord(store: Store): Promise<(MigrationRecord & { readonly etag: string }) | undefined> {
  const [found] = await store.readMany(ownContainer, [migrationKey])
  return found && recordIn(found)
}

/** The record, held by this process. */
export class HeldRecord {
  readonly #store: Store
  readonly #owner = randomUUID()
  #etag: string | undefined
  #record: MigrationRecord

  private constructor(store: Store, record: MigrationRecord, etag: string | undefined) {
    this.#store = store
    this.#etag = etag
    this.#record = record
  }

  /** Takes over a record that no process holds, or begins one. `watch` resolves when a process that lives would have written the record. */
  static async take(store: Store, begin: Omit<MigrationRecord, 'owner'>, watch: () => Promise<void>): Promise<HeldRecord> {
    let found = await readRecord(store)
    if (found?.owner) {
      await watch()
      const again = await readRecord(store)
      if (again?.owner && again.etag !== found.etag) throw new MigrationRunningError('Another process migrates this store. Wait until it has ended, or stop it.')
      found = again
    }
    const { etag, ...record } = found ?? { ...begin, owner: '', etag: undefined }
    const held = new HeldRecord(store, record, etag)
    await held.save({})
    return held
  }

  get record(): MigrationRecord {
    return this.#record
  }

  /** Throws if another process has taken the record. */
  async save(changed: Partial<MigrationRecord>): Promise<void> {
    const next: MigrationRecord = { ...this.#record, owner: this.#owner, ...changed }
    try {
      const [etag] = await this.#store.write([ownPut(migrationKey, { format, ...(next as unknown as Body) }, this.#etag === undefined ? 'if-absent' : { ifMatch: this.#etag })])
      this.#etag = etag
      this.#record = next
    } catch (error) {
      throw error instanceof ConflictError ? new MigrationRunningError('Another process has taken over this migration, or a gateway has started. This one stops; nothing is lost.') : error
    }
  }

  /** Throws if another process has taken the record. */
  async check(): Promise<void> {
    const [found] = await this.#store.readMany(ownContainer, [migrationKey])
    if (found?.etag !== this.#etag) throw new MigrationRunningError('Another process has taken over this migration, or a gateway has ended it. This one stops; nothing is lost.')
  }

  /** Lets another process take it at once. */
  async release(): Promise<void> {
    await this.save({ owner: '' }).catch(() => undefined)
  }

  async remove(): Promise<void> {
    await this.#store.write([{ kind: 'delete', container: ownContainer, key: migrationKey, only: { ifMatch: this.#etag! } }])
  }
}

export function isFor({ to, hints }: MigrationRecord, declared: DeclaredStorage, given: Json): boolean {
  return sameJson(to as unknown as Json, declared as unknown as Json) && sameJson(hints, given)
}

function recordIn({ body, etag }: StoredDocument): MigrationRecord & { readonly etag: string } {
  const { format: _, id: _id, partition: _partition, ...record } = body as unknown as MigrationRecord & { readonly format: number; readonly id: string; readonly partition: string }
  return { ...record, etag }
}
