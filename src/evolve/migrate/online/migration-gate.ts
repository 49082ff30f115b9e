// What a gateway knows of migrations beside it. It looks every second or few; a store that is atomic as a whole is asked in the transaction of each
// write, too. While documents are handed over nothing is written, and once they have been, a gateway of the old schema answers nothing:
// what it would read is written by nobody any more. A gateway that has not looked for a while, because it was suspended, is certain of nothing.

import { processClock, type Clock } from '../../../clock.ts'
import { whenReady, type MaybePromise } from '../../../store/maybe-promise.ts'
import { migrationKey } from '../../../store/migration/migration-phase.ts'
import { ownContainer } from '../../../store/own-container.ts'
import { locationsIn, locationsKey } from '../../../store/migration/container-locations.ts'
import { StoreMigratingError } from '../../../store/store-errors.ts'
import type { Store, StoredDocument } from '../../../store/store.ts'
import { defaultSilenceMs } from '../run/migration-record.ts'

/** A store that charges for each look is asked less often: a gateway at rest should cost next to nothing. */
const timesOf = ({ supports }: Store): { readonly lookEveryMs: number; readonly believedMs: number } => (supports.charges === 'measured' ? { lookEveryMs: 6000, believedMs: 15_000 } : { lookEveryMs: 1000, believedMs: 5000 })

/** How long a gateway believes what it has seen. A migration waits longer than that before it relies on a phase being known. */
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

  /** `generation` is that of the locations under which the gateway was opened. */
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

  /** Throws if the documents of this gateway are not the current ones any more. For every operation; one that comes after this process did nothing for a while waits for a look. */
  checkRead(): MaybePromise<void> {
    if (this.#look.isClosed) throw handedOver()
    if (this.#clock.now() - this.#lookedAtMs <= this.#times.believedMs) return undefined
    return whenReady(this.#lookNow(), () => {
      if (this.#look.isClosed) throw handedOver()
    })
  }

  /** The record of the migration, as far as it is known; asks again if that was a while ago. Throws while nothing may be written, unless a write `goesOn`. */
  lookBeforeWrite(goesOn = false): MaybePromise<StoredDocument | undefined> {
    const looked = this.#clock.now() - this.#lookedAtMs <= 2 * this.#times.lookEveryMs ? undefined : this.#lookNow()
    return whenReady(looked, () => (goesOn ? this.#look.record : checkedForWrite(this.#look)))
  }

  /** The same, as of the transaction that asks. */
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
      // A store that does not answer leaves it uncertain; the next look tries again.
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

  /** A process that hands over writes the record all the time. If it was killed, writes go on, and the migration has to be run again. */
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
  return new StoreMigratingError('The documents have been migrated to a new schema, and this gateway serves the old one. Ask a gateway of the new schema.')
}
