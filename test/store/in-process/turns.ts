// How much work is done between two turns of the event loop, counted rather than timed, so that it is the same on every machine.

/**
 * Calls back once in every turn of the event loop while the work runs, and returns the work's answer. What a test counts since
 * the last call is what was done in one stretch.
 */
export async function duringTurns<Answer>(work: Promise<Answer>, turn: () => void): Promise<Answer> {
  let isRunning = true
  const next = (): void => {
    if (!isRunning) return
    turn()
    setImmediate(next)
  }
  setImmediate(next)
  try {
    return await work
  } finally {
    isRunning = false
  }
}

/** Counts what happens, and keeps the most that happened between two turns. */
export class Stretch {
  #now = 0
  most = 0

  add(amount: number): void {
    this.#now += amount
    this.most = Math.max(this.most, this.#now)
  }

  readonly end = (): void => {
    this.#now = 0
  }
}
