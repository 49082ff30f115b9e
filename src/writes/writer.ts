// Writing: a piece of work is done on a changeset, what follows from it is worked out, and everything is
// written as one.

import type { Declaration } from '../declaration.ts'
import type { Meter, Store, StoredDocument } from '../store/store.ts'
import { Change } from './change.ts'
import { Changeset, type Entry } from './changeset.ts'
import { Effects } from './effects.ts'
import { rememberLeft } from './left.ts'

/** What one mutation does: it reads and changes through the changeset, and answers with entries of it. */
export type Work<T> = (change: Change) => Promise<T>

/** When others are made true: together with the document that changes, or later, through the change feed. */
export type EffectsMode = 'together' | 'feed'

export class Writer {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #effects: Effects
  readonly #mode: EffectsMode

  constructor(declaration: Declaration, store: Store, mode: EffectsMode = 'together') {
    this.#declaration = declaration
    this.#store = store
    this.#effects = new Effects(declaration)
    this.#mode = mode
  }

  /** Runs the work and writes what it changed together with all that follows. If anything fails, nothing is written. */
  async write<T extends Record<string, Entry>>(work: Work<T>, meter?: Meter): Promise<{ [K in keyof T]: StoredDocument }> {
    let worked: T | undefined
    let changes = new Changeset(this.#store, meter)
    const etags = await this.#store.atomically(async () => {
      changes = new Changeset(this.#store, meter)
      worked = await work(new Change(this.#declaration, this.#effects, changes))
      if (this.#mode === 'together') await this.#effects.follow(changes)
      else await rememberLeft(this.#declaration.model, changes)
      return changes.writes()
    }, meter)
    const byKey = new Map(changes.writes().map(({ key }, index) => [key, etags[index]!]))
    const answered = Object.entries(worked!).map(([name, entry]) => [name, documentOf(changes.pending(entry) ?? entry, byKey)])
    return Object.fromEntries(answered) as { [K in keyof T]: StoredDocument }
  }
}

function documentOf(entry: Entry, etags: ReadonlyMap<Entry['key'], string>): StoredDocument {
  const body = entry.after ?? entry.before!
  return { key: entry.key, etag: etags.get(entry.key) || entry.etag || '', body, bytes: Buffer.byteLength(JSON.stringify(body)) }
}
