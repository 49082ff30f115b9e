// The queue of one subscriber: each changed document once, in the order of the latest changes. The queue is bounded: when
// it overflows it is emptied, and the change stream reads the missed events from the feed instead.

import { keyText } from '../model/keys/key.ts'
import type { DocumentType } from '../model/model.ts'
import type { FeedEvent, FeedScope } from './feed-reader.ts'

/** How many events may wait for one subscriber. */
const maxWaiting = 1000

export class Subscriber {
  readonly type: DocumentType
  readonly scope: FeedScope
  readonly #waiting = new Map<string, FeedEvent>()
  #wake: (() => void) | undefined
  #overflowed = false

  constructor(type: DocumentType, scope: FeedScope) {
    this.type = type
    this.scope = scope
  }

  get waiting(): number {
    return this.#waiting.size
  }

  push(event: FeedEvent): void {
    if (this.#overflowed) return
    const name = keyText(event.document.key)
    this.#waiting.delete(name)
    this.#waiting.set(name, event)
    if (this.#waiting.size > maxWaiting) {
      this.#overflowed = true
      this.#waiting.clear()
    }
    this.#wake?.()
  }

  /** The events as they arrive, until the queue overflows. */
  async *events(stopping: AbortSignal): AsyncGenerator<FeedEvent> {
    while (!stopping.aborted && !this.#overflowed) {
      const [next] = this.#waiting
      if (next) {
        this.#waiting.delete(next[0])
        yield next[1]
      } else {
        await this.#nextEvent(stopping)
      }
    }
  }

  /** Whether the queue overflowed since the last call. From now on it queues events again. */
  takeOverflow(): boolean {
    const overflowed = this.#overflowed
    this.#overflowed = false
    return overflowed
  }

  async #nextEvent(stopping: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = (): void => resolve()
    this.#wake = wake
    stopping.addEventListener('abort', wake, { once: true })
    await promise
    stopping.removeEventListener('abort', wake)
  }
}
