// Random mutations by several writers, and several propagators that crash between any two store calls, with changes
// delivered twice and in the wrong order, on machines whose clocks differ and jump. After the feed has drained, all snapshots,
// lists and counts are right; until then no reader gets anything staler than it allows or is told, nor without what it wrote.

import fc, { runs } from '../fast-check.ts'
import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { feedKey, ownContainer } from '../../src/store/own-container.ts'
import { listDeadLetters } from '../../src/feed/dead-letters.ts'
import { unproved, Watermark } from '../../src/feed/watermark.ts'
import { Propagator } from '../../src/feed/propagator.ts'
import { sessionToken, type Freshness } from '../../src/plan/freshness.ts'
import type { Store } from '../../src/store/store.ts'
import type { Change } from '../../src/write/change.ts'
import { Writer } from '../../src/write/writer.ts'
import { openGateway, stores, type Answer, type Ask } from '../harness.ts'
import { Clock, Crash, declaration, lived, sdl, turnsFrom, untruths, type Conditions } from './world.ts'

/** Numbers that floating point cannot add exactly, and none at all. */
const prices = [0.1, 12.99, null, 0.2, 7, 1 / 3]
const small = fc.integer({ min: 1, max: 4 })
const some = fc.uniqueArray(small, { maxLength: 3 })

type Mutation = (change: Change, step: number) => Promise<Record<string, never>>

/** Mutations are sent without knowing the documents: refusing a missing or still referenced one is fine. */
const mutation: fc.Arbitrary<{ kind: 'write'; name: string; work: Mutation; author?: string }> = fc.oneof(
  { weight: 8, arbitrary: small.map((author) => write(`rename author ${author}`, (change, step) => change.update('Author', { id: `a${author}`, name: `n${step}` }), `a${author}`)) },
  fc.tuple(small, small).map(([author]) => write(`create author ${author}`, (change, step) => change.create('Author', { id: `a${author}`, name: `n${step}` }), `a${author}`)),
  small.map((author) => write(`upsert author ${author}`, (change, step) => change.upsert('Author', { id: `a${author}`, name: `n${step}` }), `a${author}`)),
  fc.tuple(small, some).map(([book, authors]) => write(`upsert book ${book}`, (change) => change.upsert('Book', { id: `b${book}`, title: 't', authorIds: authors.map((id) => `a${id}`) }))),
  small.map((author) => write(`delete author ${author}`, (change) => change.delete('Author', { id: `a${author}` }))),
  fc.tuple(small, some, fc.option(small)).map(([book, authors, house]) => write(`create book ${book}`, (change, step) =>
    change.create('Book', { id: `b${book}`, title: `t${step}`, price: prices[step % prices.length]!, authorIds: authors.map((id) => `a${id}`), houseId: house && `h${house}` }))),
  fc.tuple(small, some).map(([book, authors]) => write(`give book ${book} other authors`, (change) =>
    change.update('Book', { id: `b${book}`, authorIds: authors.map((id) => `a${id}`) }))),
  fc.tuple(small, fc.option(small)).map(([book, house]) => write(`move book ${book}`, (change) =>
    change.update('Book', { id: `b${book}`, houseId: house && `h${house}` }))),
  small.map((book) => write(`delete book ${book}`, (change) => change.delete('Book', { id: `b${book}` }))),
  { weight: 3, arbitrary: small.map((book) => write(`another price of book ${book}`, (change, step) => change.update('Book', { id: `b${book}`, price: prices[(step * 3) % prices.length]! }))) },
  small.map((book) => write(`note on book ${book}`, (change, step) => change.append('Book.notes', `b${book}`, { text: `${step}`, stars: step % 4 === 0 ? null : step % 5 }))),
  small.map((house) => write(`create house ${house}`, (change, step) => change.create('House', { id: `h${house}`, name: `h${step}` }))),
  small.map((house) => write(`rename house ${house}`, (change, step) => change.update('House', { id: `h${house}`, name: `h${step}` }))),
  small.map((club) => write(`create club ${club}`, (change) => change.create('Club', { id: `c${club}`, name: 'c' }))),
  fc.tuple(small, small).map(([author, club]) => write(`author ${author} joins club ${club}`, (change) => change.create('Member', { id: `m${club}`, authorId: `a${author}`, clubId: `c${club}` }))),
  fc.tuple(small, small).map(([member, author]) => write(`member ${member} becomes ${author}`, (change) =>
    change.update('Member', { id: `m${member}`, authorId: `a${author}` }))),
)

const followed = fc.record({ kind: fc.constant('follow' as const), who: fc.constantFrom('one', 'two'), calls: fc.option(fc.integer({ min: 0, max: 40 })), shuffled: fc.boolean() })
const looked = fc.record({ kind: fc.constant('read' as const), maxStaleMs: fc.constantFrom(0, 5, 20, 50, 100_000) })
const repeated = fc.record({ kind: fc.constant('again' as const), part: fc.integer({ min: 0, max: 3 }) })
const jumped = fc.record({ kind: fc.constant('jump' as const), who: fc.constantFrom('one', 'two'), aheadMs: fc.constantFrom(-600_000, -5, 0, 3, 700, 300_000) })
const waited = fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 10, 900, 20_000) })

/** Concurrent steps. */
const together = fc.array(fc.oneof({ weight: 3, arbitrary: mutation }, { weight: 3, arbitrary: followed }, { weight: 1, arbitrary: looked }, { weight: 1, arbitrary: waited }, { weight: 1, arbitrary: jumped }), { minLength: 1, maxLength: 6 })
const step = fc.oneof({ weight: 9, arbitrary: together }, { weight: 1, arbitrary: repeated.map((each) => [each]) })


/** Fewer over a network protocol, where each takes a second; RUNS=100 runs many more. */
const runsOn = (name: string) => runs(name === 'cosmos' ? 2 : 13)

describe.each(stores)('on $name', ({ name, store: open }) => {
  test('snapshots, lists, counts and averages end up right, and are never staler than allowed', { timeout: 3_600_000 }, async () => {
    const numRuns = runsOn(name)
    const seen = { crashes: 0, copies: 0, proved: 0, sessions: 0, refused: 0, written: 0 }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), fc.nat(), async (steps, seed) => {
      const run = await Run.start(open, seen, seed)
      for (const id of [1, 2, 3, 4]) {
        await run.write(nothing((change) => change.create('Author', { id: `a${id}`, name: 'n0' })), 0, `a${id}`)
        await run.write(nothing((change) => change.create('House', { id: `h${id}`, name: 'h0' })), 0)
        await run.write(nothing((change) => change.create('Club', { id: `c${id}`, name: 'c0' })), 0)
      }
      await run.write(nothing((change) => change.create('Book', { id: 'b1', title: 't', authorIds: ['a1', 'a2', 'a3', 'a4'] })), 0)
      let number = 0
      for (const group of steps) {
        await Promise.all(group.map(async (each) => {
          if (each.kind === 'write') await run.write(each.work, ++number, each.author)
          else if (each.kind === 'follow') await run.follow(each.who, each.calls ?? Infinity, each.shuffled)
          else if (each.kind === 'again') await run.deliverAgain(String(each.part))
          else if (each.kind === 'read') await run.read(each.maxStaleMs)
          else if (each.kind === 'jump') run.jump(each.who, each.aheadMs)
          else run.clock.ms += each.ms
        }))
        for (const maxStaleMs of [5, 20, 60, 300, undefined]) await run.read(maxStaleMs)
        await run.readOwn()
      }
      await run.drain()
      expect(await untruths(run.store)).toEqual([])
      expect(await Array.fromAsync(checkStore(declaration, run.store, { repair: false }))).toEqual([])
      expect(await listDeadLetters(run.store)).toEqual([])
    }), { seed: 7, numRuns })
    // The runs included what the property is about.
    expect(seen.crashes).toBeGreaterThan(numRuns)
    expect(seen.copies).toBeGreaterThan(numRuns / 4)
    expect(seen.proved).toBeGreaterThan(numRuns / 4)
    // Where a snapshot is never called younger than two seconds, few are young enough.
    if (name !== 'cosmos') expect(seen.sessions).toBeGreaterThan(numRuns / 4)
    expect(seen.written).toBeGreaterThan(6 * numRuns)
  })
})

class Run {
  readonly clock = new Clock()
  readonly store: Store
  readonly #ask: (query: string, session?: string) => ReturnType<Ask>
  readonly #seen: { crashes: number; copies: number; proved: number; sessions: number; refused: number; written: number }
  readonly #watermark: Watermark
  readonly #aheadMs = new Map<string, number>()
  /** The names of each author, and from which moment on each was certain. */
  readonly #names = new Map<string, { name: string; writtenBy: number }[]>()
  readonly #turns: () => number
  #freshness: Freshness = unproved
  /** The last rename that was acknowledged, with its session. */
  #own: { readonly author: string; readonly number: number; readonly session: string } | undefined

  private constructor(store: Store, ask: (run: Run) => Promise<Ask>, seen: Run['seen'], seed: number) {
    this.store = store
    this.#turns = turnsFrom(seed)
    this.#ask = (query, session) => ask(this).then((opened) => opened(query, session === undefined ? {} : { headers: { 'quire-session': session } }))
    this.#watermark = new Watermark(this.#lived(), this.clock)
    this.#seen = seen
  }

  get seen() {
    return this.#seen
  }

  get freshness() {
    return this.#freshness
  }

  static async start(open: (typeof stores)[number]['store'], seen: Run['seen'], seed: number): Promise<Run> {
    const store = await open(declaration.layout)
    const opened = new Map<Run, Promise<Ask>>()
    const ask = (run: Run) => {
      const known = opened.get(run) ?? openGateway({ typeDefs: sdl, store: () => Promise.resolve(store), freshness: () => run.freshness })
      opened.set(run, known)
      return known
    }
    return new Run(store, ask, seen, seed)
  }

  async write(work: Mutation, number: number, author?: string): Promise<void> {
    // Now and then the writer crashes before the end.
    const writer = new Writer(declaration, this.#lived({ callsLeft: number % 7 === 6 ? number % 5 : Infinity }), 'feed')
    try {
      await writer.write(async (change) => {
        const done = await work(change, number)
        // Inside the write, so that two concurrent ones are recorded in their order.
        if (author) this.#names.set(author, [...(this.#names.get(author) ?? []), { name: `n${number}`, writtenBy: Infinity }])
        return done
      })
      this.#seen.written++
      const written = this.#names.get(author ?? '')?.find(({ name }) => name === `n${number}`)
      // A moment later: an operation that began before this may have been answered before the write.
      if (!written || !author) return
      written.writtenBy = ++this.clock.ms
      const { latest } = await this.#lived().position()
      if (number >= (this.#own?.number ?? 0)) this.#own = { author, number, session: sessionToken(latest) }
    } catch (error) {
      if (!(error instanceof GraphQLError || error instanceof Crash)) throw error
      if (author) this.#names.set(author, (this.#names.get(author) ?? []).filter(({ name }) => name !== `n${number}`))
      this.#seen.refused++
    }
  }

  async follow(who: string, callsLeft: number, shuffled: boolean): Promise<void> {
    const aheadMs = (): number => this.#aheadMs.get(who) ?? 0
    const propagator = new Propagator(declaration, this.#lived({ callsLeft, shuffled, aheadMs }), { owner: who, leaseMs: 1000, pageSize: 3, clock: this.clock })
    try {
      await propagator.round()
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      this.#seen.crashes++
    }
  }

  /** As if the point had been lost: the whole part of the feed is delivered again. */
  async deliverAgain(part: string): Promise<void> {
    const key = feedKey(`feed-${part}`)
    const [lease] = await this.store.readMany(ownContainer, [key])
    if (!lease) return
    const { point: _, ...body } = lease.body
    await this.store.write([{ kind: 'put', container: ownContainer, key, body: { ...body, expiresAt: 0 } }])
  }

  /** The clock of a propagator's machine is set. */
  jump(who: string, aheadMs: number): void {
    this.#aheadMs.set(who, aheadMs)
  }

  /** No answer may show a name that was last right longer ago than allowed, or than the answer says. */
  async read(maxStaleMs: number | undefined): Promise<void> {
    const began = await this.#look()
    const { data, report } = await this.#ask(`query ${maxStaleMs === undefined ? '' : `@read(maxStaleMs: ${maxStaleMs})`} { books { nodes { authors { id name } } } }`)
    const { boundMs } = report.staleness
    if (report.relations.some(({ from }) => from === 'SNAPSHOT')) {
      this.#seen.copies++
      if (boundMs !== null) this.#seen.proved++
    }
    for (const { id, name } of authorsIn(data)) expect(this.#allowedNames(id, began - Math.min(maxStaleMs ?? Infinity, boundMs ?? Infinity))).toContain(name)
  }

  /** A client that sends its session never sees a name from before its own write. */
  async readOwn(): Promise<void> {
    if (!this.#own) return
    const { author, number, session } = this.#own
    await this.#look()
    const { data, report } = await this.#ask('{ books { nodes { authors { id name } } } }', session)
    if (report.relations.some(({ from }) => from === 'SNAPSHOT')) this.#seen.sessions++
    const history = this.#names.get(author) ?? []
    const since = history.slice(history.findIndex(({ name }) => name === `n${number}`)).map(({ name }) => name)
    for (const { id, name } of authorsIn(data)) if (id === author) expect(since).toContain(name)
  }

  /** What the gateway knows of snapshots. Returns the moment; nothing else runs between it and the start of the operation. */
  async #look(): Promise<number> {
    await this.#watermark.mark()
    await this.#watermark.refresh()
    this.#freshness = this.#watermark.freshness
    return this.clock.ms
  }

  async drain(): Promise<void> {
    const propagator = new Propagator(declaration, this.#lived(), { owner: 'last', leaseMs: 1000, clock: this.clock })
    const parts = await this.store.feedParts()
    for (let rounds = 0; rounds < 50; rounds++) {
      // The leases of crashed propagators expire, also those of a machine whose clock was ahead.
      this.clock.ms += 5000
      if ((await propagator.round()) === 0 && parts.every((part) => propagator.progress.has(part))) return
    }
    throw new Error('It did not drain.')
  }

  /** The names that were right at some moment since then. */
  #allowedNames(author: string, since: number): string[] {
    const history = this.#names.get(author) ?? []
    return history.filter((_, index) => (history[index + 1]?.writtenBy ?? Infinity) > since).map(({ name }) => name)
  }

  /** The store as one process sees it. */
  #lived(conditions: Partial<Conditions> = {}): Store {
    return lived(this.store, { clock: this.clock, callsLeft: Infinity, turns: this.#turns, ...conditions })
  }
}

function authorsIn(data: Answer['data']): { id: string; name: string }[] {
  return (data as { books: { nodes: { authors: { id: string; name: string }[] }[] } }).books.nodes.flatMap(({ authors }) => authors)
}

/** The unit of work, without documents for a payload. */
function nothing(work: (change: Change, step: number) => Promise<unknown>): Mutation {
  return async (change, number) => {
    await work(change, number)
    return {}
  }
}

function write(name: string, work: (change: Change, step: number) => Promise<unknown>, author?: string) {
  return { kind: 'write' as const, name, work: nothing(work), ...(author === undefined ? {} : { author }), toString: () => name }
}
