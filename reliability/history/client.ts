// One client: a session that writes and reads, one operation after the other, and records what it asked and was told. A write
// without an answer may have been made. Who answers is not known here: a simulated gateway, or a real one over HTTP.

import type { CostReport } from '../../src/observe/cost-report.ts'
import type { Random } from '../hostile/random.ts'
import { authors, books } from './documents.ts'
import type { History, Observation } from './history.ts'

export interface Answer {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[]
  readonly extensions?: { readonly quire?: CostReport }
}

export interface Received extends Answer {
  /** The token of the session after a write. */
  readonly session: string | null
  /** Whether the gateway writes snapshots in the transaction of their source, so that one page of documents shows one moment. */
  readonly hasCurrentSnapshots: boolean
}

/** What a client needs of the world around it. */
export interface Surroundings {
  nowMs(): number
  sleep(ms: number): Promise<void>
  /** Asks one of the gateways; undefined without an answer. */
  ask(query: string, headers: Record<string, string>): Promise<Received | undefined>
  note(line: string): void
}

interface AuthorData { readonly id: string; readonly name: string; readonly motto: string; readonly note?: string }
interface Found { readonly author?: AuthorData | null; readonly authors?: { readonly nodes: AuthorData[] }; readonly books?: { readonly nodes: { readonly id: string; readonly title: string; readonly authors: AuthorData[] }[] } }

/** These say that nothing was written. After any other error, something may have been. */
const refused = new Set(['CONFLICT', 'BAD_USER_INPUT', 'REFERENCE_MISSING'])
const meetEveryMs = 25

interface Demand {
  readonly what: keyof typeof queries
  readonly maxStaleMs: number | undefined
  readonly ownWrites: boolean
}

export class Client {
  readonly name: string
  readonly #world: Surroundings
  readonly #history: History
  readonly #random: Random
  #token: string | undefined
  #written = 0

  constructor(name: string, world: Surroundings, history: History, random: Random) {
    this.name = name
    this.#world = world
    this.#history = history
    this.#random = random
  }

  async work(operations: number): Promise<void> {
    for (let done = 0; done < operations; done++) {
      await this.#world.sleep(this.#thinkMs())
      if (this.#random.chance(0.55)) {
        await this.read()
        continue
      }
      await this.#write()
      // Does it see its own write at once?
      if (this.#random.chance(0.4)) await this.read({ what: 'books', maxStaleMs: undefined, ownWrites: true })
    }
  }

  /** Asks for snapshots, documents or both, with one of many demands. */
  async read(demand: Demand = this.#demand()): Promise<void> {
    const { what, maxStaleMs } = demand
    const ownWrites = demand.ownWrites && this.#token !== undefined
    const traced = this.#random.chance(0.5)
    const headers = {
      'quire-trace': traced ? '1' : '0',
      ...(maxStaleMs === undefined ? {} : { 'quire-max-stale-ms': String(maxStaleMs) }),
      ...(ownWrites ? { 'quire-session': this.#token! } : {}),
    }
    const invokedMs = this.#world.nowMs()
    const answer = await this.#world.ask(queries[what](this.#random.pick(authors)), headers)
    const completedMs = this.#world.nowMs()
    if (!answer?.data) return
    const report = answer.extensions?.quire
    const fromSnapshots = !traced || (report?.relations.some(({ field, from }) => field === 'Book.authors' && from === 'SNAPSHOT') ?? false)
    const seen = observations(answer.data, (book) => (!traced ? undefined : fromSnapshots ? `snapshot in ${book}` : 'document'))
    // With effects in the same transaction, all of an answer is from one moment, whether it comes from snapshots or documents.
    const oneMoment = answer.hasCurrentSnapshots
    this.#history.reads.push({ session: this.name, invokedMs, completedMs, seen, maxStaleMs, ownWrites, boundMs: traced ? (report?.staleness.boundMs ?? null) : undefined, oneMoment })
    this.#world.note(`${this.name} ${what} maxStaleMs ${maxStaleMs ?? 'any'}${ownWrites ? ' with its token' : ''} → ${seen.map(({ register, value }) => `${register} ${value}`).join(', ')}${traced ? ` boundMs ${report?.staleness.boundMs}` : ''}`)
  }

  #demand(): Demand {
    return { what: this.#random.pick(['books', 'books', 'author', 'both']), maxStaleMs: this.#random.pick([undefined, undefined, 0, 0, 10, 300, 5000]), ownWrites: this.#random.chance(0.7) }
  }

  async #write(): Promise<void> {
    const value = `${this.name}-${++this.#written}`
    const author = this.#random.pick(authors)
    switch (this.#random.pick(['rename', 'rename', 'rename', 'note', 'publish', 'retitle', 'give'] as const)) {
      case 'rename': return this.#mutate(`updateAuthor(input: { id: "${author}", name: "${value}", motto: "${value}" }) { author { name } }`, { set: { register: author, value } })
      case 'note': return this.#mutate(`updateAuthor(input: { id: "${author}", note: "${value}" }) { author { note } }`, { set: { register: `${author}.note`, value } })
      case 'publish': return this.#mutate(`createBook(input: { id: "${value}", title: "new", authorIds: ["${author}"] }) { book { authors { name } } }`, { add: { to: 'books', member: value } })
      case 'retitle': {
        const book = this.#random.pick(books)
        return this.#mutate(`updateBook(input: { id: "${book}", title: "${value}" }) { book { title } }`, { set: { register: `${book}.title`, value } })
      }
      case 'give': {
        const some = authors.filter(() => this.#random.chance(0.6)).map((id) => JSON.stringify(id))
        return this.#mutate(`updateBook(input: { id: "${this.#random.pick(books)}", authorIds: [${some.join(', ')}] }) { book { id } }`, {})
      }
    }
  }

  async #mutate(field: string, effect: { readonly set?: { readonly register: string; readonly value: string }; readonly add?: { readonly to: string; readonly member: string } }): Promise<void> {
    const invokedMs = this.#world.nowMs()
    const answer = await this.#world.ask(`mutation { ${field} }`, {})
    const outcome = !answer ? 'unknown' : !answer.errors ? 'done' : answer.errors.every(({ extensions }) => refused.has(extensions?.code ?? '')) ? 'failed' : 'unknown'
    const completedMs = outcome === 'unknown' ? Infinity : this.#world.nowMs()
    if (outcome === 'done' && answer!.session !== null) this.#token = answer!.session
    this.#history.writes.push({ session: this.name, invokedMs, completedMs, outcome, ...effect })
    this.#world.note(`${this.name} ${field} → ${outcome}`)
  }

  /** Often until all clients act at once, for these meet; mostly short, and now and then so long that everything comes to rest. */
  #thinkMs(): number {
    if (this.#random.chance(0.4)) return meetEveryMs - (this.#world.nowMs() % meetEveryMs)
    return this.#random.pick([0, 0.3, 1, 5, 50, 500, 4000]) * this.#random.next()
  }

}

const queries = {
  books: () => '{ books { nodes { id title authors { id name motto } } } }',
  author: (id: string) => `{ author(id: "${id}") { id name motto note } }`,
  both: () => '{ books { nodes { id title authors { id name motto } } } authors { nodes { id name motto note } } }',
}

function observations({ author, authors: all, books: found }: Found, sourceIn: (book: string) => Observation['source']): Observation[] {
  const documents = [...(author ? [author] : []), ...(all?.nodes ?? [])].flatMap(({ id, name, motto, note }): Observation[] => [
    { register: id, value: name, twin: motto, source: 'document' }, { register: `${id}.note`, value: note!, source: 'document' },
  ])
  const copies = (found?.nodes ?? []).filter(({ id }) => books.includes(id)).flatMap((book): Observation[] => [
    { register: `${book.id}.title`, value: book.title, source: 'document' },
    ...book.authors.map(({ id, name, motto }) => ({ register: id, value: name, twin: motto, source: sourceIn(book.id) })),
  ])
  return [...documents, ...copies]
}
