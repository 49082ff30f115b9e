// Patterns that texts are matched with, in time that grows with the length of the text alone. JavaScript's own expressions
// backtrack: a few of them take years for a short text. So the pattern becomes a set of states, and all of them advance together,
// character by character. What needs backtracking (backreferences, lookarounds) is refused where it is declared.

import { parsePattern, type Node } from './parse-pattern.ts'

export interface Pattern {
  readonly source: string
  /** Whether a part of the text matches, as in JavaScript; `^` and `$` stand for its ends. */
  readonly matches: (text: string) => boolean
}

/** More states than this make every character expensive: repetitions are written out. */
export const maxStates = 1000

/** Or what is wrong with it, to be read after the pattern. */
export function createPattern(source: string): Pattern | string {
  const parsed = parsePattern(source)
  if (typeof parsed === 'string') return parsed
  const machine = new Machine()
  const start = machine.add(parsed, machine.matched)
  if (machine.size > maxStates) return `has ${machine.size} states, and the max is ${maxStates}. Shorten it, or repeat less`
  return { source, matches: (text) => machine.run(start, text) }
}

/** Where a state leads: over a character, over an end of the text, or at once. */
type State =
  | { readonly over: (codePoint: number) => boolean; readonly next: number }
  | { readonly at: 'start' | 'end'; readonly next: number }
  | { readonly either: readonly number[] }
  | { readonly matched: true }

class Machine {
  readonly #states: State[] = [{ matched: true }]
  readonly matched = 0
  /** By state: the step at which it was entered last. */
  #entered = new Uint32Array(1)
  #step = 0

  get size(): number {
    return this.#states.length
  }

  /** The state from which the node leads to `next`. */
  add(node: Node, next: number): number {
    // Written out no further than needed to know that it is too much.
    if (this.size > maxStates) return this.matched
    switch (node.kind) {
      case 'character': return this.#put({ over: node.is, next })
      case 'end': return this.#put({ at: node.at, next })
      case 'sequence': return node.parts.reduceRight((after, part) => this.add(part, after), next)
      case 'either': return this.#put({ either: node.parts.map((part) => this.add(part, next)) })
      case 'repeat': return this.#repeat(node, next)
    }
  }

  #repeat({ part, min, max }: Extract<Node, { kind: 'repeat' }>, next: number): number {
    let start = next
    if (max === Infinity) {
      const loop: number[] = [next]
      start = this.#put({ either: loop })
      loop.push(this.add(part, start))
    } else {
      for (let times = min; times < max && this.size <= maxStates; times++) start = this.#put({ either: [next, this.add(part, start)] })
    }
    for (let times = 0; times < min && this.size <= maxStates; times++) start = this.add(part, start)
    return start
  }

  #put(state: State): number {
    this.#states.push(state)
    return this.#states.length - 1
  }

  run(start: number, text: string): boolean {
    if (this.#entered.length !== this.size) this.#entered = new Uint32Array(this.size)
    let current: number[] = []
    for (let at = 0; ; ) {
      // A match may begin at every character.
      if (++this.#step === 2 ** 32 - 1) this.#restart()
      const entered: number[] = []
      const ends = { start: at === 0, end: at === text.length }
      for (const state of current) if (this.#enter(state, ends, entered)) return true
      if (this.#enter(start, ends, entered)) return true
      if (at >= text.length) return false
      const codePoint = text.codePointAt(at)!
      at += codePoint > 0xffff ? 2 : 1
      current = []
      for (const each of entered) {
        const state = this.#states[each]!
        if ('over' in state && state.over(codePoint)) current.push(state.next)
      }
    }
  }

  #restart(): void {
    this.#entered.fill(0)
    this.#step = 1
  }

  /** Collects the states that wait for a character. Returns whether the pattern has matched. */
  #enter(first: number, ends: { readonly start: boolean; readonly end: boolean }, entered: number[]): boolean {
    const waiting = [first]
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      if (this.#entered[each] === this.#step) continue
      this.#entered[each] = this.#step
      const state = this.#states[each]!
      if ('matched' in state) return true
      if ('either' in state) waiting.push(...state.either)
      else if ('over' in state) entered.push(each)
      else if (ends[state.at]) waiting.push(state.next)
    }
    return false
  }
}
