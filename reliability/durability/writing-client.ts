// Clients that write over HTTP, one write after the other, of every sort that the shipped schema has, and enter into the
// writeLog what they were told. Each has documents of its own, of which it knows what they hold, and all share some.

import { searchText, canaryHeaders } from '../canaries.ts'
import type { WriteLog, Told } from './write-log.ts'
import { placeOf } from './stored.ts'

/** Answers from which to which number, the last not included. */
export type Draw = (from: number, to: number) => number

/** The same numbers for the same seed. */
export function drawFrom(seed: number): Draw {
  let state = (seed * 2654435761) >>> 0
  return (from, to) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return from + Math.floor((state / 2 ** 32) * (to - from))
  }
}

/** Books that everybody reviews, and a stock that everybody trades. */
const shared = { authors: ['a1', 'a2', 'a3', 'a4', 'a5'], books: ['b1', 'b2', 'b3'], symbol: 'zaza', stockId: '1' }

export class Client {
  readonly #name: string
  readonly #writeLog: WriteLog
  readonly #draw: Draw
  /** What nobody should ever be answered. */
  readonly #wrong: string[]
  #last = 0
  #author = 0
  #person = 0
  #portfolio = 0
  readonly #books: { readonly id: string; readonly name: string }[] = []

  constructor(name: string, writeLog: WriteLog, draw: Draw, wrong: string[]) {
    this.#name = name
    this.#writeLog = writeLog
    this.#draw = draw
    this.#wrong = wrong
  }

  /** Writes until it is told to stop, or nobody answers any more. */
  async writeTo(address: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) if ((await this.writeOne(address)) === 'nobody') return
  }

  async writeOne(address: string): Promise<Told | 'nobody'> {
    let nobody = false
    await this.#write(async (field, type, input, chosen) => {
      const answer = await this.#ask(address, `mutation ($input: ${type}!) { ${field}(input: $input) { ${chosen} } }`, { input })
      nobody = answer.nobody
      this.#writeLog.counts[answer.told]++
      return answer
    })
    return nobody ? 'nobody' : 'acknowledged'
  }

  #write(ask: Ask): Promise<void> {
    switch (this.#draw(0, 11)) {
      case 0: case 1: return this.#publish(ask)
      case 2: case 3: return this.#review(ask)
      case 4: case 5: return this.#trade(ask)
      case 6: case 7: return this.#order(ask)
      case 8: return this.#changeAuthor(ask)
      case 9: return this.#changePerson(ask)
      default: return this.#changeBook(ask)
    }
  }

  async #publish(ask: Ask): Promise<void> {
    const name = this.#next('Book')
    const authorIds = [shared.authors[this.#draw(0, shared.authors.length)]!]
    const { told, data } = await ask('publishBook', 'PublishBookInput', { name, authorIds, publisherId: 'p2' }, 'book { id }')
    this.#writeLog.added(`book ${name}`, told)
    const id = (data?.['book'] as { id: string } | undefined)?.id
    if (id === undefined) return
    // From now on it is known by its id, and may be renamed and deleted.
    this.#writeLog.changed(placeOf('books', id, 'year'), told, () => 0)
    this.#books.push({ id, name })
  }

  async #review(ask: Ask): Promise<void> {
    const text = this.#next('review')
    const { told } = await ask('addReview', 'AddReviewInput', { bookId: shared.books[this.#draw(0, shared.books.length)], rating: this.#draw(0, 11), text, reviewer: this.#name }, 'book { id countOfReviews }')
    this.#writeLog.added(`review ${text}`, told)
  }

  async #trade(ask: Ask): Promise<void> {
    const quantity = this.#draw(1, 100)
    // The price tells one trade from all others; the sample has none that high.
    const price = Number(`${1_000_000 + this.#last++}.${this.#name.replaceAll(/\D/g, '')}1`)
    const { told } = await ask('recordTrade', 'RecordTradeInput', { symbol: shared.symbol, price, quantity }, 'trade { id }')
    this.#writeLog.added(`trade ${price}`, told)
    this.#writeLog.summed(shared.stockId, told, quantity)
  }

  async #order(ask: Ask): Promise<void> {
    const portfolioId = `${this.#name}-${this.#portfolio}`
    const [name, held] = [placeOf('portfolios', portfolioId, 'name'), placeOf('portfolios', portfolioId, 'held')]
    if (this.#writeLog.certain(name) === undefined) {
      this.#portfolio++
    } else if (this.#writeLog.certain(name) === null) {
      const { told } = await ask('createPortfolio', 'CreatePortfolioInput', { id: portfolioId, name: 'Mine', ownerId: '1' }, 'portfolio { id }')
      // If nobody searched whether it was made, it holds nothing or is not there, and the next order may find either.
      this.#writeLog.changed(name, told, () => 'Mine')
      this.#writeLog.changed(held, told, () => 0)
    } else {
      const sells = this.#writeLog.least(held) > 20 && this.#draw(0, 2) === 0
      const quantity = this.#draw(1, 20)
      const { told } = await ask(sells ? 'sellStock' : 'buyStock', sells ? 'SellStockInput' : 'BuyStockInput', { portfolioId, symbol: shared.symbol, quantity }, 'portfolio { id }')
      this.#writeLog.changed(held, told, (before) => Number(before) + (sells ? -quantity : quantity))
    }
  }

  /** Authors are copied into their books: a new name is written in several documents. */
  async #changeAuthor(ask: Ask): Promise<void> {
    const id = `${this.#name}-${this.#author}`
    const place = placeOf('authors', id, 'lastName')
    const before = this.#writeLog.certain(place)
    const lastName = this.#next('Author')
    if (before === undefined) return void this.#author++
    const { told } = before === null ? await ask('createAuthor', 'CreateAuthorInput', { id, firstName: 'A', lastName }, 'author { id }')
      : await ask('updateAuthor', 'UpdateAuthorInput', { id, lastName }, 'author { id }')
    this.#writeLog.changed(place, told, () => lastName)
  }

  async #changePerson(ask: Ask): Promise<void> {
    const id = `${this.#name}-${this.#person}`
    const place = placeOf('people', id, 'lastName')
    const before = this.#writeLog.certain(place)
    const lastName = this.#next('Person')
    if (before === undefined) return void this.#person++
    if (before !== null && this.#draw(0, 2) === 0) {
      const { told } = await ask('deletePerson', 'DeletePersonInput', { id }, 'person { id }')
      return this.#writeLog.changed(place, told, () => null)
    }
    const { told } = before === null ? await ask('createPerson', 'CreatePersonInput', { id, firstName: 'P', lastName }, 'person { id }')
      : await ask('updatePerson', 'UpdatePersonInput', { id, lastName }, 'person { id }')
    this.#writeLog.changed(place, told, () => lastName)
  }

  async #changeBook(ask: Ask): Promise<void> {
    const book = this.#books.at(-1)
    if (book === undefined) return this.#publish(ask)
    const { id, name } = book
    const place = placeOf('books', id, 'year')
    if (this.#writeLog.certain(place) === undefined || this.#writeLog.certain(place) === null) return void this.#books.pop()
    if (this.#draw(0, 3) === 0) {
      const { told } = await ask('deleteBook', 'DeleteBookInput', { id }, 'book { id }')
      if (told !== 'refused') this.#writeLog.added(`book ${name}`, told === 'acknowledged' ? 'refused' : told)
      return this.#writeLog.changed(place, told, () => null)
    }
    const year = this.#draw(1900, 2030)
    const { told } = await ask('updateBook', 'UpdateBookInput', { id, year, authorIds: [shared.authors[this.#draw(0, shared.authors.length)]!] }, 'book { id }')
    this.#writeLog.changed(place, told, () => year)
  }

  #next(what: string): string {
    return `${what} ${this.#last++} of ${this.#name}`
  }

  async #ask(address: string, query: string, variables: object): Promise<Answer> {
    let response: Response
    let answer: { data?: Record<string, Record<string, unknown> | null> | null; errors?: { message: string; extensions?: { code?: string } }[] }
    try {
      response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...canaryHeaders }, body: JSON.stringify({ query, variables }) })
      const text = await response.text()
      searchText('an answer', text)
      answer = JSON.parse(text) as typeof answer
    } catch {
      return { told: 'unknown', nobody: true, data: undefined }
    }
    if (!notNow.has(response.status)) this.#wrong.push(`${response.status} was answered to ${query}`)
    const [data] = Object.values(answer.data ?? {})
    if (!answer.errors) return { told: 'acknowledged', nobody: false, data: data ?? undefined }
    const others = answer.errors.filter(({ extensions }) => !nothingWritten.has(extensions?.code ?? ''))
    this.#wrong.push(...others.map(({ message, extensions }) => `${extensions?.code} was answered to ${query} ${JSON.stringify(variables)}: ${message}`))
    if (answer.errors.some(({ extensions }) => tooLate.has(extensions?.code ?? ''))) this.#writeLog.late++
    const says = (words: string): boolean => answer.errors!.some(({ message }) => message.includes(words))
    return { told: says('is not known') ? 'unknown' : says('It was written') ? 'acknowledged' : 'refused', nobody: false, data: undefined }
  }
}

/** Errors after which nothing of a mutation may be there, unless they say otherwise: the store fails, or, where the disk of a busy machine takes seconds, it took too long. */
const tooLate = new Set(['OVERLOADED', 'DEADLINE_EXCEEDED'])
const nothingWritten = new Set(['STORE_UNAVAILABLE', ...tooLate])
const notNow = new Set([200, 503, 504])

interface Answer {
  readonly told: Told
  /** Nobody answered. */
  readonly nobody: boolean
  readonly data: Record<string, unknown> | undefined
}

type Ask = (field: string, type: string, input: object, chosen: string) => Promise<Answer>
