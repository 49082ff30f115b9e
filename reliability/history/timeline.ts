// What is certain about the order of the writes of one register. Two writes whose intervals overlap may have happened in either
// order, and a write without an answer at any time after it was sent; nothing is concluded from those.

import type { History, WriteEvent } from './history.ts'

interface Value {
  readonly write: WriteEvent | undefined
  /** From here on nothing of it can have happened: it was sent then. */
  readonly invokedMs: number
  /** By then it was made: its writer was told, or a reader saw it. */
  settledMs: number
}

interface Replacement {
  readonly atMs: number
  readonly by: string | undefined
}

type Replacements = { readonly invokedMs: number; earliest: Replacement }[]

const never: Replacement = { atMs: Infinity, by: undefined }

export class Timelines {
  readonly #byRegister = new Map<string, Map<string, Value>>()
  readonly #later = new Map<string, Replacements>()

  constructor(history: History) {
    for (const [register, value] of history.initial) this.#values(register).set(value, { write: undefined, invokedMs: -Infinity, settledMs: -Infinity })
    for (const write of history.writes) {
      if (write.set) this.#values(write.set.register).set(write.set.value, { write, invokedMs: write.invokedMs, settledMs: write.outcome === 'done' ? write.completedMs : Infinity })
    }
    for (const { seen, completedMs } of history.reads) {
      for (const { register, value } of seen) {
        const known = this.find(register, value)
        if (known) known.settledMs = Math.min(known.settledMs, completedMs)
      }
    }
  }

  find(register: string, value: string): Value | undefined {
    return this.#byRegister.get(register)?.get(value)
  }

  /** Whether a value was certainly there before another one. */
  isBefore(register: string, value: string, other: string): boolean {
    const [one, two] = [this.find(register, value), this.find(register, other)]
    return one !== undefined && two !== undefined && one.settledMs < two.invokedMs
  }

  /** The earliest moment from which on the value was certainly replaced (by that session), and by what; by no value if it may still be there. */
  replaced(register: string, value: string, session?: string): Replacement {
    const own = this.find(register, value)
    if (!own) return never
    const later = this.#replacements(register, session)
    // The first write that was sent after the value was there; the best of it and all later ones is known.
    let [low, high] = [0, later.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (later[middle]!.invokedMs > own.settledMs) high = middle
      else low = middle + 1
    }
    return later[low]?.earliest ?? never
  }

  /** Acknowledged writes in the order in which they were sent, each with the first to complete of it and all later ones. */
  #replacements(register: string, session: string | undefined): Replacements {
    const name = JSON.stringify([register, session])
    let found = this.#later.get(name)
    if (found) return found
    const done = [...this.#values(register)].filter(([, { write }]) => write?.outcome === 'done' && (session === undefined || write.session === session))
    found = done.map(([value, { write, invokedMs }]) => ({ invokedMs, earliest: { atMs: write!.completedMs, by: value } })).toSorted((one, other) => one.invokedMs - other.invokedMs)
    for (let at = found.length - 2; at >= 0; at--) if (found[at + 1]!.earliest.atMs < found[at]!.earliest.atMs) found[at]!.earliest = found[at + 1]!.earliest
    this.#later.set(name, found)
    return found
  }

  #values(register: string): Map<string, Value> {
    let values = this.#byRegister.get(register)
    if (!values) this.#byRegister.set(register, (values = new Map()))
    return values
  }
}
