// What one subscriber was told: every author's latest name and note. When its gateway goes away, it resumes on another one after
// the last event that it received. Who tells it is not known here: a simulated gateway, or a real one over HTTP.

import { authors } from './documents.ts'
import type { History, Subscription } from './history.ts'

export interface ToldEvent {
  readonly data?: { readonly authorChanged: { readonly id: string; readonly name: string; readonly note: string } | null }
  readonly extensions?: { readonly quire?: { readonly cursor?: string } }
}

export class Subscriber {
  readonly #name: string
  readonly #history: History
  readonly #told: Subscription['told'] = []
  #after: string | undefined

  constructor(name: string, history: History) {
    this.#name = name
    this.#history = history
  }

  get query(): string {
    return `subscription { authorChanged${this.#after === undefined ? '' : `(after: ${JSON.stringify(this.#after)})`} { id name note } }`
  }

  /** Records an event; what it says, if it says something. */
  take({ data, extensions }: ToldEvent, atMs: number): string | undefined {
    const author = data?.authorChanged
    if (!author) return undefined
    this.#after = extensions?.quire?.cursor ?? this.#after
    this.#told.push({ register: author.id, value: author.name, atMs }, { register: `${author.id}.note`, value: author.note, atMs })
    // Only from the first event on is it certain that it misses nothing: it can resume after it.
    if (this.#history.subscriptions.every(({ name }) => name !== this.#name)) this.#history.subscriptions.push({ name: this.#name, registers: authors.flatMap((id) => [id, `${id}.note`]), sinceMs: atMs, told: this.#told })
    return `${author.id} ${author.name} ${author.note}`
  }
}
