// The queue of one subscriber: each changed document once, in the order of the latest changes. The queue is bounded: when
// it overflows it is emptied, and the change stream reads the missed events from the feed instead.

import type { DocumentType } from '../model/model.ts'
import type { FeedPoints } from '../store/store.ts'
import type { FeedScope } from './feed-reader.ts'
import type { ChangeEvent } from './change-stream.ts'

/** How many events may wait for one subscriber. */
const maxWaiting = 1000

/** An event as it is queued: one object for all subscribers to the same type and scope. */
export interface QueuedEvent {
  readonly event: ChangeEvent
  /** The document's key as text. */
  readonly address: string
  /** Where a subscriber that has received the event continues. */
  readonly points: FeedPoints
}

export class Subscriber {
  readonly type: DocumentType
  readonly scope: FeedScope
  readonly #waiting = new Map<string, QueuedEvent>()
  #wake: (() => void) | undefined
  #overflowed = false

  constructor(type: DocumentType, scope: FeedScope) {
    this.type = type
    this.scope = scope
  }

  get waiting(): number {
    return this.#waiting.size
  }

  push(queued: QueuedEvent): void {
    if (this.#overflowed) return
    this.#waiting.delete(queued.address)
    this.#waiting.set(queued.address, queued)
    if (this.#waiting.size > maxWaiting) {
      this.#overflowed = true
      this.#waiting.clear()
    }
    this.wake()
  }

  /** Takes the next event; undefined if there is none now, or if the queue has overflowed. */
  take(): QueuedEvent | undefined {
    const [next] = this.#waiting
    if (next) this.#waiting.delete(next[0])
    return next?.[1]
  }

  /** Resolves when an event is pushed, or `wake` is called. */
  pushed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    return promise
  }

  wake(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  /** Whether the queue overflowed since the last call. From now on it queues events again. */
  takeOverflow(): boolean {
    const overflowed = this.#overflowed
    this.#overflowed = false
    return overflowed
  }
}
