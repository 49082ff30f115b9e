// What clients have been told of their writes, and so what may and what must be stored. A write is acknowledged, refused
// or, when the answer never came, unknown: then it is there as a whole or not at all, and both are right.

/** What became of a write, as far as its client can know. */
export type Told = 'acknowledged' | 'refused' | 'unknown'

/** Null where there is no document. */
export type Value = string | number | null

/** What is stored: values by the name of their place, how often each element of a list occurs, and totals. */
export interface Stored {
  value(place: string): Value
  occurrences(element: string): number
  total(name: string): number
}

export class WriteLog {
  /** Places that one client at a time writes, with what can be there. */
  readonly #places = new Map<string, ReadonlySet<Value>>()
  /** What is added once: it must be there once, may be, or must not be. */
  readonly #elements = new Map<string, Told>()
  /** Sums that everybody adds to. */
  readonly #totals = new Map<string, { least: number; most: number }>()
  readonly counts: Record<Told, number> = { acknowledged: 0, refused: 0, unknown: 0 }
  /** How many of the refused were so because it took too long. */
  late = 0

  /** What is certainly at a place; undefined when that is not certain. */
  certain(place: string): Value | undefined {
    const possible = this.#places.get(place) ?? new Set([null])
    return possible.size === 1 ? [...possible][0]! : undefined
  }

  /** The least of the numbers that can be at a place. */
  least(place: string): number {
    return Math.min(...[...(this.#places.get(place) ?? [null])].map(Number))
  }

  changed(place: string, told: Told, change: (before: Value) => Value): void {
    const before = this.#places.get(place) ?? new Set<Value>([null])
    const after = [...before].map(change)
    if (told === 'acknowledged') this.#places.set(place, new Set(after))
    if (told === 'unknown') this.#places.set(place, new Set([...before, ...after]))
  }

  added(element: string, told: Told): void {
    this.#elements.set(element, told)
  }

  summed(name: string, told: Told, by: number): void {
    const sum = this.#totals.get(name) ?? { least: 0, most: 0 }
    this.#totals.set(name, { least: sum.least + (told === 'acknowledged' ? by : 0), most: sum.most + (told === 'refused' ? 0 : by) })
  }

  copy(): WriteLog {
    const copy = new WriteLog()
    for (const [place, possible] of this.#places) copy.#places.set(place, possible)
    for (const [element, told] of this.#elements) copy.#elements.set(element, told)
    for (const [name, sum] of this.#totals) copy.#totals.set(name, sum)
    Object.assign(copy.counts, this.counts)
    return copy
  }

  /** As if nobody had searched the answers to what was written since then. */
  unheardSince(then: WriteLog): WriteLog {
    const copy = then.copy()
    for (const [place, possible] of this.#places) copy.#places.set(place, new Set([...(then.#places.get(place) ?? [null]), ...possible]))
    for (const [element, told] of this.#elements) if (then.#elements.get(element) !== told) copy.#elements.set(element, 'unknown')
    for (const [name, { most }] of this.#totals) copy.#totals.set(name, { least: then.#totals.get(name)?.least ?? 0, most })
    return copy
  }

  /** Everything that is not as somebody was told. What was unknown is known afterwards. */
  settle(stored: Stored): string[] {
    const wrong: string[] = []
    for (const [place, possible] of this.#places) {
      const value = stored.value(place)
      if (!possible.has(value)) wrong.push(`${place} is ${JSON.stringify(value)}, and can only be ${[...possible].map((each) => JSON.stringify(each)).join(' or ')}`)
      this.#places.set(place, new Set([value]))
    }
    for (const [element, told] of this.#elements) {
      const times = stored.occurrences(element)
      if (told === 'acknowledged' && times !== 1) wrong.push(`${element} was acknowledged and is there ${times} times`)
      if (told === 'refused' && times !== 0) wrong.push(`${element} was refused and is there`)
      if (told === 'unknown' && times > 1) wrong.push(`${element} is there ${times} times`)
      this.#elements.set(element, times > 0 ? 'acknowledged' : 'refused')
    }
    for (const [name, { least, most }] of this.#totals) {
      const total = stored.total(name)
      if (total < least || total > most) wrong.push(`${name} is ${total}, and can only be from ${least} to ${most}`)
      this.#totals.set(name, { least: total, most: total })
    }
    return wrong
  }
}
