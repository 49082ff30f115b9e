// Reads of one request travel in waves. The gate holds every read back until nothing more can be
// asked for without an answer, then lets all of them go at once, and lets the next wave go only
// when the last answer of this one is in.
//
// Why hold back at all? A read becomes known when a resolver runs, and resolvers of one level run
// in many small steps of the microtask queue. `process.nextTick`, queued from inside a microtask,
// runs when that queue is empty: everything that could be asked for has been asked for by then.
//
// Why wait for the whole wave? Reads of the next level that come from a fast answer and from a slow
// one often want the same documents. Waiting lets them travel together, so the number of round
// trips follows from the operation and not from the weather. The price is that the slowest answer
// of a wave delays the next wave; the gain is that waves, and what they cost, can be predicted.

export class WaveScheduler {
  #waiting: (() => void)[] = []
  #underway = 0
  #opening = false
  #wave = 0

  /** The wave that was let go last, counted from 1. */
  get wave(): number {
    return this.#wave
  }

  /** A call that goes by itself, as those of a write do, is a wave of its own. */
  pass(): number {
    return ++this.#wave
  }

  /** Waits for the next wave. */
  enter(go: () => void): void {
    this.#waiting.push(go)
    this.#openWhenIdle()
  }

  /** Holds the next wave back until this call is answered. */
  async hold<T>(call: Promise<T>): Promise<T> {
    this.#underway++
    try {
      return await call
    } finally {
      this.#underway--
      this.#openWhenIdle()
    }
  }

  #openWhenIdle(): void {
    if (this.#opening || this.#underway > 0 || this.#waiting.length === 0) return
    this.#opening = true
    void Promise.resolve().then(() => process.nextTick(() => this.#open()))
  }

  #open(): void {
    this.#opening = false
    if (this.#underway > 0) return
    this.#wave++
    const going = this.#waiting
    this.#waiting = []
    for (const go of going) go()
  }
}
