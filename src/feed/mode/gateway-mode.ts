// One gateway's registration in the effects mode of its store: it reads the mode every second, answers gateways that want to change it,
// and says whether its knowledge is recent. After a suspension the gateway does not rely on what it read before.

import type { Key } from '../../model/keys/key.ts'
import { whenReady, type MaybePromise } from '../../store/maybe-promise.ts'
import { ownContainer } from '../../store/own-container.ts'
import { StoreUnavailableError } from '../../store/store-errors.ts'
import type { Store } from '../../store/store.ts'
import type { EffectsMode } from '../../write/writer.ts'
import { processClock, type Clock } from '../clock.ts'
import { readMode, type ModeDocument } from './mode-document.ts'
import { believedMs, lookEveryMs, registration } from './registered-gateways.ts'

export interface GatewayModeOptions {
  /** Another gateway has changed the mode. */
  readonly onLost?: () => void
  /** Called at every look at the mode. */
  readonly onLook?: () => Promise<void>
  readonly clock?: Clock
  /** Tells gateways of different schemas apart. */
  readonly schema?: string
}

export class GatewayMode {
  readonly #store: Store
  readonly #mode: EffectsMode
  readonly #key: Key
  readonly #options: GatewayModeOptions
  readonly #clock: Clock
  #certainAtMs = -Infinity
  /** Undefined before it is registered. */
  #answered: string | undefined
  #isLost = false
  #isLeaving = false
  #cancelWait: (() => void) | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor(store: Store, mode: EffectsMode, key: Key, isRegistered: boolean, options: GatewayModeOptions) {
    this.#store = store
    this.#mode = mode
    this.#key = key
    this.#options = options
    this.#clock = options.clock ?? processClock
    if (isRegistered) {
      this.#answered = ''
      this.#certainAtMs = this.#clock.now()
    }
    this.#wait()
  }

  /** Whether the store was in the mode lately, and no other gateway changes it without waiting longer than that. */
  get isCertain(): boolean {
    const atMs = this.#clock.now()
    // This process did nothing for a while. A store in this process can be asked at once.
    if (atMs >= this.#certainAtMs + believedMs) this.#lookAtOnce(atMs)
    return !this.#isLost && atMs < this.#certainAtMs + believedMs
  }

  /** Throws once the store is in another mode. To be called in the transaction of every write. */
  check(): MaybePromise<void> {
    return whenReady(readMode(this.#store), (found) => {
      if (found && found.mode !== this.#mode) throw new StoreUnavailableError(`Nothing was written: this gateway writes with effects "${this.#mode}", and the store has been changed to "${found.mode}". Restart the gateway with QUIRE_EFFECTS=${found.mode}.`)
    })
  }

  async leave(): Promise<void> {
    this.#isLeaving = true
    this.#cancelWait?.()
    await this.#looking
    // A registration that stays is removed by those that get no answer.
    await this.#store.write([{ kind: 'delete', container: ownContainer, key: this.#key }]).catch(() => undefined)
  }

  #wait(): void {
    this.#cancelWait = this.#clock.after(lookEveryMs, () => void (this.#looking = this.#lookAndWait()))
  }

  async #lookAndWait(): Promise<void> {
    // A store that does not answer leaves the mode uncertain.
    await this.#look().catch(() => undefined)
    if (!this.#isLeaving) this.#wait()
  }

  async #look(): Promise<void> {
    const atMs = this.#clock.now()
    const found = await readMode(this.#store)
    const { asked = '' } = found ?? {}
    if (this.#isInMode(found) && asked !== this.#answered) {
      await this.#store.write([registration(this.#key, this.#mode, this.#options.schema, asked)])
      this.#answered = asked
    }
    this.#believe(found, atMs)
    if (!this.#isLost) await this.#options.onLook?.()
  }

  #lookAtOnce(atMs: number): void {
    try {
      const found = readMode(this.#store)
      if (!(found instanceof Promise)) this.#believe(found, atMs)
    } catch {
      // The next look tries again.
    }
  }

  #believe(found: ModeDocument | undefined, atMs: number): void {
    if (!this.#isInMode(found)) {
      if (!this.#isLost) this.#options.onLost?.()
      this.#isLost = true
    } else if (this.#answered !== undefined) {
      this.#certainAtMs = atMs
    }
  }

  #isInMode(found: ModeDocument | undefined): boolean {
    return found === undefined || found.mode === this.#mode
  }
}
