// The results of all writes as their clients saw them, and so what must, may and must not be stored. A write is
// acknowledged, refused or, when no answer came, unknown: then it is stored as a whole or not at all, and both are right.

/** The result of a write as far as its client knows. */
export type WriteResult = 'acknowledged' | 'refused' | 'unknown'

/** Null where there is no document. */
export type Value = string | number | null

/** The stored state: values by the name of a property, how often each list element occurs, and totals. */
export interface Stored {
  value(property: string): Value
  occurrences(element: string): number
  total(name: string): number
}

export class WriteLog {
  /** Properties that one client at a time writes, with their possible values. */
  readonly #properties = new Map<string, ReadonlySet<Value>>()
  /** Elements that are added once: by the result they must, may or must not be stored. */
  readonly #elements = new Map<string, WriteResult>()
  /** Bounds of sums that all clients add to. */
  readonly #totals = new Map<string, { min: number; max: number }>()
  readonly counts: Record<WriteResult, number> = { acknowledged: 0, refused: 0, unknown: 0 }
  /** How many of the refused writes timed out. */
  late = 0

  /** The value of a property; undefined when there are several possible ones. */
  certain(property: string): Value | undefined {
    const possible = this.#properties.get(property) ?? new Set([null])
    return possible.size === 1 ? [...possible][0]! : undefined
  }

  /** The smallest possible number of a property. */
  smallest(property: string): number {
    return Math.min(...[...(this.#properties.get(property) ?? [null])].map(Number))
  }

  changed(property: string, result: WriteResult, change: (before: Value) => Value): void {
    const before = this.#properties.get(property) ?? new Set<Value>([null])
    const after = [...before].map(change)
    if (result === 'acknowledged') this.#properties.set(property, new Set(after))
    if (result === 'unknown') this.#properties.set(property, new Set([...before, ...after]))
  }

  added(element: string, result: WriteResult): void {
    this.#elements.set(element, result)
  }

  summed(name: string, result: WriteResult, by: number): void {
    const sum = this.#totals.get(name) ?? { min: 0, max: 0 }
    this.#totals.set(name, { min: sum.min + (result === 'acknowledged' ? by : 0), max: sum.max + (result === 'refused' ? 0 : by) })
  }

  copy(): WriteLog {
    const copy = new WriteLog()
    for (const [property, possible] of this.#properties) copy.#properties.set(property, possible)
    for (const [element, result] of this.#elements) copy.#elements.set(element, result)
    for (const [name, sum] of this.#totals) copy.#totals.set(name, sum)
    Object.assign(copy.counts, this.counts)
    return copy
  }

  /** The log of a client that never received the answers since `then`. */
  unansweredSince(then: WriteLog): WriteLog {
    const copy = then.copy()
    for (const [property, possible] of this.#properties) copy.#properties.set(property, new Set([...(then.#properties.get(property) ?? [null]), ...possible]))
    for (const [element, result] of this.#elements) if (then.#elements.get(element) !== result) copy.#elements.set(element, 'unknown')
    for (const [name, { max }] of this.#totals) copy.#totals.set(name, { min: then.#totals.get(name)?.min ?? 0, max })
    return copy
  }

  /** Compares the log with the stored state and lists every contradiction. Afterwards nothing is unknown. */
  settle(stored: Stored): string[] {
    const wrong: string[] = []
    for (const [property, possible] of this.#properties) {
      const value = stored.value(property)
      if (!possible.has(value)) wrong.push(`${property} is ${JSON.stringify(value)}, and can only be ${[...possible].map((each) => JSON.stringify(each)).join(' or ')}`)
      this.#properties.set(property, new Set([value]))
    }
    for (const [element, result] of this.#elements) {
      const times = stored.occurrences(element)
      if (result === 'acknowledged' && times !== 1) wrong.push(`${element} was acknowledged and is there ${times} times`)
      if (result === 'refused' && times !== 0) wrong.push(`${element} was refused and is there`)
      if (result === 'unknown' && times > 1) wrong.push(`${element} is there ${times} times`)
      this.#elements.set(element, times > 0 ? 'acknowledged' : 'refused')
    }
    for (const [name, { min, max }] of this.#totals) {
      const total = stored.total(name)
      if (total < min || total > max) wrong.push(`${name} is ${total}, and can only be from ${min} to ${max}`)
      this.#totals.set(name, { min: total, max: total })
    }
    return wrong
  }
}
