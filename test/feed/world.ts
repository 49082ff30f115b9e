// A small schema with everything that Quire maintains: snapshots, inverse lists, and every kind of count and of stored aggregate; with a clock
// that only tests move, and stores that crash on demand.

import { setImmediate as turn } from 'node:timers/promises'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { selectionOf } from '../../src/read/selection.ts'
import { allFields, type DocumentType } from '../../src/model/model.ts'
import { readSdl } from '../../src/model/sdl/read-sdl.ts'
import { kindOf } from '../../src/relations/kinds.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Store } from '../../src/store/store.ts'
import { Changeset } from '../../src/write/changeset.ts'
import { Effects } from '../../src/write/effects.ts'

export const sdl = readSdl(`
  type Author @document(container: "authors") {
    id: ID!
    name: String!
    countOfBooks: Int! @counted(relation: "books")
    cheapest: Float @aggregated(relation: "books", field: "price", function: MIN)
    earned: Float! @aggregated(relation: "books", field: "price", function: SUM)
    books: [Book!]! @reference(at: "books", inverseOf: "Book.authors")
    clubs: ClubConnection! @joined(through: "Member")
    countOfClubs: Int! @counted(relation: "clubs")
  }
  type Book @document(container: "books", partitionKey: "/bookId", type: "book") {
    id: ID!
    title: String!
    price: Float
    authors: [Author!]! @snapshot(at: "authors", fields: ["name"])
    house: House @snapshot(at: "house", fields: ["name"], onDelete: SET_NULL)
    countOfNotes: Int! @counted(relation: "notes")
    stars: Float @aggregated(relation: "notes", field: "stars", function: AVG)
    worst: Int @aggregated(relation: "notes", field: "stars", function: MIN)
    notes: NoteConnection! @bucketed(at: "recentNotes", recent: 2, size: 3, key: "bookId", type: "notes")
  }
  type Note { id: ID! text: String! stars: Int }
  type House @document(container: "houses") {
    id: ID!
    name: String!
    books: BookConnection! @reverse(of: "Book.house")
    countOfBooks: Int! @counted(relation: "books")
    averagePrice: Float @aggregated(relation: "books", field: "price", function: AVG)
    dearest: Float @aggregated(relation: "books", field: "price", function: MAX)
    lastTitle: String @aggregated(relation: "books", field: "title", function: MAX)
  }
  type Club @document(container: "clubs") { id: ID! name: String! }
  type Member @document(container: "members") {
    id: ID!
    author: Author! @reference(at: "authorId", onDelete: CASCADE)
    club: Club! @reference(at: "clubId", onDelete: CASCADE)
  }
`)

export const declaration = readDeclaration(sdl)

/** Milliseconds that pass only when a test says so. Nothing waits by it. */
export class Clock {
  ms = 1_000_000

  now(): number {
    return this.ms
  }

  wallMs(): number {
    return this.ms
  }

  after(): () => void {
    throw new Error('Nothing waits by this clock.')
  }

  /** The pauses after a conflict, in which nothing of this clock passes. */
  pause(): Promise<void> {
    return turn()
  }

  random(): number {
    return 0
  }
}

/** Small pseudo-random numbers, the same for the same seed. */
export function turnsFrom(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) >> 16 & 3
}

/** The process has crashed: it does nothing more. */
export class Crash extends Error {}

export interface Conditions {
  readonly clock: Clock
  /** How far the clock of its machine is ahead of the right time. */
  readonly aheadMs?: () => number
  /** Crash before this many further calls have been made; Infinity for never. */
  callsLeft: number
  /** Whether the feed returns the changes of a page in the wrong order. */
  readonly shuffled?: boolean
  /** How many event loop turns to wait before each call. */
  readonly turns?: () => number
}

/** The store of a process with that clock that may crash at any call. */
export function lived(store: Store, conditions: Conditions): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const member = target[name]
      if (typeof member !== 'function' || name === 'reach') return member
      return async (...args: unknown[]) => {
        if (name === 'now') {
          // A database across the network has a clock of its own.
          const now = conditions.clock.ms + (target.supports.positions === 'milliseconds' ? 0 : (conditions.aheadMs?.() ?? 0))
          return { earliest: now, latest: now }
        }
        if (name === 'position' && target.supports.positions === 'milliseconds') return { earliest: conditions.clock.ms - target.supports.maxWriteDelayMs, latest: conditions.clock.ms }
        for (let turns = conditions.turns?.() ?? 0; turns > 0; turns--) await turn()
        if (conditions.callsLeft-- <= 0) throw new Crash(`before ${name}`)
        conditions.clock.ms += 1
        const answer = await (member as (...all: unknown[]) => Promise<unknown>).apply(target, args)
        if (name !== 'changes' || !conditions.shuffled) return answer
        const page = answer as Awaited<ReturnType<Store['changes']>>
        return { ...page, changes: page.changes.toReversed() }
      }
    },
  })
}

export async function allDocuments(store: Store, type: DocumentType): Promise<Body[]> {
  const found = await store.query({ ...selectionOf(type), orderBy: { path: ['id'], descending: false }, limit: 100_000 })
  return found.map(({ body }) => body)
}

/** All wrong snapshots, lists and counts, computed from the documents alone. */
export async function untruths(store: Store): Promise<string[]> {
  const { model, kindContext } = declaration
  const view = new Changeset(store)
  const effects = new Effects(declaration)
  const problems: string[] = []
  for (const type of model.documents.values()) {
    for (const body of await allDocuments(store, type)) {
      let truth = effects.settle(type, body)
      for (const field of type.fields.values()) truth = (await kindOf(field).truth?.(field, truth, view, kindContext)) ?? truth
      if (plain(truth) !== plain(body)) problems.push(`${type.name} ${String(body['id'])}: ${plain(body)} should be ${plain(truth)}`)
    }
  }
  return problems
}

/** Without versions and removed references. */
function plain(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === '_v' || key === '_left' ? undefined : inner))
}

export function keptFields(): string[] {
  return allFields(declaration.model).filter((field) => kindOf(field).maintain?.(field, declaration.kindContext).length).map(({ coordinate }) => coordinate)
}

