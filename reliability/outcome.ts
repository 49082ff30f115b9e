// What a run is told, and what it tells.

export interface Options {
  /** Short, to see that it works. */
  readonly quick: boolean
  /** How long the long ones take. */
  readonly minutes: number
  readonly progress: (line: string) => void
}

export interface Outcome {
  /** For people: what was done, what was seen, and what it had to be. */
  readonly lines: readonly string[]
  /** Everything that was seen. */
  readonly data: object
  readonly holds: boolean
}
