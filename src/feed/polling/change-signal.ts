// Tells gateways at rest that documents may have changed, for less than a look at the feed: one document, which a gateway
// writes after its own changes and the others read. Only a hint. A change without a signal, because its gateway died or another
// program made it, is found by the next look.

import { feedKey, ownContainer, ownPut } from '../../store/own-container.ts'
import { outsideOperations } from '../../store/operation-context.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../clock.ts'

const key = feedKey('signal')

export interface SignalOptions {
  /** It sends at most once in this time, and reads at most once in that. */
  readonly sendEveryMs: number
  readonly readEveryMs: number
  readonly clock: Clock
}

export class ChangeSignal {
  readonly #store: Store
  readonly #options: SignalOptions
  #sentAt = -Infinity
  #sent: string | undefined
  #readAt = -Infinity
  #latest: Promise<string | undefined> = Promise.resolve(undefined)

  constructor(store: Store, options: SignalOptions) {
    this.#store = store
    this.#options = options
  }

  /** After a signal every follower looks often for a while, so the next one can wait. */
  send(): void {
    if (this.#options.clock.now() < this.#sentAt + this.#options.sendEveryMs) return
    this.#sentAt = this.#options.clock.now()
    void outsideOperations(() => this.#write())
  }

  /** What the last read found, without a request. */
  get latest(): Promise<string | undefined> {
    return this.#latest
  }

  /** Another value than before: another gateway has signalled since. All followers of this gateway share one read. */
  read(): Promise<string | undefined> {
    if (this.#options.clock.now() < this.#readAt + this.#options.readEveryMs) return this.#latest
    this.#readAt = this.#options.clock.now()
    const before = this.#latest
    this.#latest = this.#readAfter(before).catch(() => before)
    return this.#latest
  }

  async #write(): Promise<void> {
    try {
      this.#sent = (await this.#store.write([ownPut(key, { type: 'signal' })]))[0]
    } catch {
      // The next change tries again.
      this.#sentAt = -Infinity
    }
  }

  /** Its own signal is not news: this gateway woke up when it sent it. */
  async #readAfter(before: Promise<string | undefined>): Promise<string | undefined> {
    const [found] = await this.#store.readMany(ownContainer, [key])
    return found === undefined || found.etag === this.#sent ? before : found.etag
  }
}
