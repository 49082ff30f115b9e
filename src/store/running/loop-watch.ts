// Finds out what holds the event loop. While one piece of work runs, nothing else does, no timer either: so a timer that
// comes late tells that the loop was held, and for how long, but not by what.
//
// That is known from marks. Work that is about to run on the loop (an operation, a wave of its reads, a batch of the feed)
// marks itself as the current task, which is one comparison and two assignments. The time between two marks belongs to the first.
// When the timer finds that it is late, the task with the longest time since it last came has held the loop, or
// whatever ran after that task without a mark of its own. Between two visits of the timer on a free loop every time is
// short, so idle time never counts for more than one interval.
//
// Nothing is marked unless something watches (observe/loop-watchdog.ts).

/** What runs on the event loop. */
export interface LoopTask {
  /** Its kind, of which there are few: `query`, `feed`. */
  readonly kind: string
  readonly name?: string | undefined
}

export interface LoopStretch {
  readonly ms: number
  readonly task: LoopTask
}

/** The bar: what holds the loop for longer is felt by every request. */
const maxHeldMs = 50

export const intervalMs = 20

/** What has no mark of its own. */
export const unmarked: LoopTask = { kind: 'other' }

export class LoopWatch {
  readonly #now: () => number
  readonly #listeners = new Set<(stretch: LoopStretch) => void>()
  #timer: NodeJS.Timeout | undefined
  #task = unmarked
  #sinceMs = 0
  #longest = unmarked
  #longestMs = 0
  #visitMs = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Calls the listener after each stretch above the bar, until the returned function is called. */
  watch(listener: (stretch: LoopStretch) => void): () => void {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.#begin()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) clearInterval(this.#timer)
    }
  }

  /** This task runs from now on. */
  mark(task: LoopTask): void {
    if (this.#listeners.size > 0) this.#mark(task)
  }

  /** The timer's visit. */
  visit(): void {
    this.#mark(unmarked)
    const ms = this.#sinceMs - this.#visitMs - intervalMs
    const stretch = { ms, task: this.#longest }
    this.#visitMs = this.#sinceMs
    this.#longest = unmarked
    this.#longestMs = 0
    if (ms > maxHeldMs) for (const listener of this.#listeners) listener(stretch)
  }

  #begin(): void {
    this.#visitMs = this.#sinceMs = this.#now()
    // It alone does not keep the process running.
    this.#timer = setInterval(() => this.visit(), intervalMs).unref()
  }

  #mark(task: LoopTask): void {
    const nowMs = this.#now()
    if (nowMs - this.#sinceMs > this.#longestMs) {
      this.#longestMs = nowMs - this.#sinceMs
      this.#longest = this.#task
    }
    this.#task = task
    this.#sinceMs = nowMs
  }
}

/** The event loop of this process. */
export const eventLoop = new LoopWatch()
