// What a gateway knows of an online migration, and what it refuses because of it: writes during the handover, and all operations once the
// documents belong to a new schema, because the gateway would read containers that are not written any more.
//
// A gateway reads the migration record every few seconds. Where the whole store is atomic, each write also reads it in its own
// transaction. If the last reading is too old, for example because the process was suspended, the next operation waits for a new one.

import { processClock, type Clock } from '../../../clock.ts'
import { whenReady, type MaybePromise } from '../../../store/maybe-promise.ts'
import { migrationKey } from '../../../store/migration/migration-phase.ts'
import { ownContainer } from '../../../store/own-container.ts'
import { locationsIn, locationsKey } from '../../../store/migration/container-locations.ts'
import { StoreMigratingError } from '../../../store/store-errors.ts'
import type { Store, StoredDocument } from '../../../store/store.ts'
import { defaultSilenceMs } from '../run/migration-record.ts'

/** Where reads cost RU, the record is read less often, because an idle gateway should cost next to nothing. */
const timesOf = ({ supports }: Store): { readonly lookEveryMs: number; readonly believedMs: number } => (supports.charges === 'measured' ? { lookEveryMs: 6000, believedMs: 15_000 } : { lookEveryMs: 1000, believedMs: 5000 })

/** How long a gateway relies on its last reading. A migration waits longer than that before it assumes that all gateways know its phase. */
export function believedMs(store: Store): number {
  return timesOf(store).believedMs
}

export interface Look {
  readonly record: StoredDocument | undefined
  readonly isClosed: boolean
}

export class MigrationGate {
  readonly #store: Store
  readonly #generation: number
  readonly #times: ReturnType<typeof timesOf>
  readonly #clock: Clock
  readonly #onClosed: () => void
  #look: Look
  #lookedAtMs: number
  #frozen: { readonly etag: string; readonly sinceMs: number } | undefined
  #cancel: (() => void) | undefined
  #looking: Promise<void> = Promise.resolve()
  #isStopped = false

  /** `generation` is that of the container locations with which the gateway was opened. */
  static async open(store: Store, generation: number, onClosed: () => void, clock: Clock = processClock): Promise<MigrationGate> {
    const atMs = clock.now()
    return new MigrationGate(store, generation, onClosed, clock, lookOf(await readBoth(store), generation), atMs)
  }

  private constructor(store: Store, generation: number, onClosed: () => void, clock: Clock, look: Look, atMs: number) {
    this.#store = store
    this.#generation = generation
    this.#times = timesOf(store)
    this.#clock = clock
    this.#onClosed = onClosed
    this.#look = look
    this.#lookedAtMs = atMs
    this.#wait()
  }

  /** Every operation calls it. Throws if the documents have been handed over to a new schema. Waits for a new reading if the last one is too old. */
  checkRead(): MaybePromise<void> {
    if (this.#look.isClosed) throw handedOver()
    if (this.#clock.now() - this.#lookedAtMs <= this.#times.believedMs) return undefined
    return whenReady(this.#lookNow(), () => {
      if (this.#look.isClosed) throw handedOver()
    })
  }

  /** The migration record as last read, or read again if that is too long ago. Throws while nothing may be written, unless the write `goesOn`: part of it is stored already. */
  lookBeforeWrite(goesOn = false): MaybePromise<StoredDocument | undefined> {
    const looked = this.#clock.now() - this.#lookedAtMs <= 2 * this.#times.lookEveryMs ? undefined : this.#lookNow()
    return whenReady(looked, () => (goesOn ? this.#look.record : checkedForWrite(this.#look)))
  }

  /** The same, read in the current transaction. */
  lookInTransaction(): MaybePromise<StoredDocument | undefined> {
    return whenReady(readBoth(this.#store), (found) => checkedForWrite(lookOf(found, this.#generation)))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel?.()
    await this.#looking
  }

  #wait(): void {
    this.#cancel = this.#clock.after(this.#times.lookEveryMs, () => void (this.#looking = this.#lookAndWait()))
  }

  async #lookAndWait(): Promise<void> {
    try {
      await this.#lookNow()
      await this.#thaw()
    } catch {
      // If the store does not answer, the last reading grows old; the next one tries again.
    }
    if (!this.#isStopped) this.#wait()
  }

  #lookNow(): MaybePromise<void> {
    const atMs = this.#clock.now()
    return whenReady(readBoth(this.#store), (found) => this.#believe(lookOf(found, this.#generation), atMs))
  }

  #believe(look: Look, atMs: number): void {
    if (look.isClosed && !this.#look.isClosed) this.#onClosed()
    this.#look = look
    this.#lookedAtMs = atMs
  }

  /** A process that hands over renews the record regularly. If it was killed, this ends the freeze, and the migration must be run again. */
  async #thaw(): Promise<void> {
    const { record } = this.#look
    if (record?.body['phase'] !== 'freeze') {
      this.#frozen = undefined
      return
    }
    if (this.#frozen?.etag !== record.etag) this.#frozen = { etag: record.etag, sinceMs: this.#clock.now() }
    else if (this.#clock.now() - this.#frozen.sinceMs > defaultSilenceMs) await this.#store.write([{ kind: 'put', container: ownContainer, key: migrationKey, body: { ...record.body, phase: 'copy', owner: '' }, only: { ifMatch: record.etag } }])
  }
}

function readBoth(store: Store): MaybePromise<(StoredDocument | undefined)[]> {
  return store.readMany(ownContainer, [migrationKey, locationsKey])
}

function lookOf([record, locations]: readonly (StoredDocument | undefined)[], generation: number): Look {
  return { record, isClosed: locationsIn(locations).generation !== generation || record?.body['phase'] === 'switch' }
}

function checkedForWrite({ record, isClosed }: Look): StoredDocument | undefined {
  if (isClosed) throw handedOver()
  const phase = record?.body['phase']
  if (phase === 'freeze' || phase === 'handover') throw new StoreMigratingError('Nothing was written: the documents are being handed over to a new schema, which takes a few seconds. Try again.')
  return record
}

function handedOver(): StoreMigratingError {
  return new StoreMigratingError('The documents have been migrated to a new schema, and this gateway serves the old one. Send requests to a gateway with the new schema.')
}
