// A client that sends mutations of every kind in the shipped schema over HTTP, one at a time, and logs their results. Some
// documents are its own, so that it knows their contents; others it shares with all clients.

import { DeadlineError } from '../../src/store/operation-context.ts'
import { InDoubtError } from '../../src/store/store-errors.ts'
import { searchText, canaryHeaders } from '../canaries.ts'
import type { WriteLog, WriteResult } from './write-log.ts'
import { propertyName } from './stored.ts'

/** A random whole number from `from` up to and without `to`. */
export type RandomBetween = (from: number, to: number) => number

/** The same sequence for the same seed. */
export function seededRandom(seed: number): RandomBetween {
  let state = (seed * 2654435761) >>> 0
  return (from, to) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return from + Math.floor((state / 2 ** 32) * (to - from))
  }
}

/** Books that all clients review, and a stock that all trade. */
const shared = { authors: ['a1', 'a2', 'a3', 'a4', 'a5'], books: ['b1', 'b2', 'b3'], symbol: 'zaza', stockId: '1' }

export class WritingClient {
  readonly #name: string
  readonly #writeLog: WriteLog
  readonly #draw: RandomBetween
  /** Answers that no client should get. */
  readonly #wrong: string[]
  #last = 0
  #author = 0
  #person = 0
  #portfolio = 0
  readonly #books: { readonly id: string; readonly name: string }[] = []

  constructor(name: string, writeLog: WriteLog, draw: RandomBetween, wrong: string[]) {
    this.#name = name
    this.#writeLog = writeLog
    this.#draw = draw
    this.#wrong = wrong
  }

  /** Writes until it is stopped or the gateway no longer answers. */
  async writeTo(address: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) if ((await this.writeOne(address)) === 'no answer') return
  }

  async writeOne(address: string): Promise<WriteResult | 'no answer'> {
    let unanswered = false
    await this.#write(async (field, type, input, chosen) => {
      const answer = await this.#ask(address, `mutation ($input: ${type}!) { ${field}(input: $input) { ${chosen} } }`, { input })
      unanswered = answer.unanswered
      this.#writeLog.counts[answer.result]++
      return answer
    })
    return unanswered ? 'no answer' : 'acknowledged'
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
    const { result, data } = await ask('publishBook', 'PublishBookInput', { name, authorIds, publisherId: 'p2' }, 'book { id }')
    this.#writeLog.added(`book ${name}`, result)
    const id = (data?.['book'] as { id: string } | undefined)?.id
    if (id === undefined) return
    // Once its id is known, it may be renamed and deleted.
    this.#writeLog.changed(propertyName('books', id, 'year'), result, () => 0)
    this.#books.push({ id, name })
  }

  async #review(ask: Ask): Promise<void> {
    const text = this.#next('review')
    const { result } = await ask('addReview', 'AddReviewInput', { bookId: shared.books[this.#draw(0, shared.books.length)], rating: this.#draw(0, 11), text, reviewer: this.#name }, 'book { id countOfReviews }')
    this.#writeLog.added(`review ${text}`, result)
  }

  async #trade(ask: Ask): Promise<void> {
    const quantity = this.#draw(1, 100)
    // The price identifies the trade; the sample has none that high.
    const price = Number(`${1_000_000 + this.#last++}.${this.#name.replaceAll(/\D/g, '')}1`)
    const { result } = await ask('recordTrade', 'RecordTradeInput', { symbol: shared.symbol, price, quantity }, 'trade { id }')
    this.#writeLog.added(`trade ${price}`, result)
    this.#writeLog.summed(shared.stockId, result, quantity)
  }

  async #order(ask: Ask): Promise<void> {
    const portfolioId = `${this.#name}-${this.#portfolio}`
    const [name, held] = [propertyName('portfolios', portfolioId, 'name'), propertyName('portfolios', portfolioId, 'held')]
    if (this.#writeLog.certain(name) === undefined) {
      this.#portfolio++
    } else if (this.#writeLog.certain(name) === null) {
      const { result } = await ask('createPortfolio', 'CreatePortfolioInput', { id: portfolioId, name: 'Mine', ownerId: '1' }, 'portfolio { id }')
      // Without an answer it is empty or absent, and the next order may find either.
      this.#writeLog.changed(name, result, () => 'Mine')
      this.#writeLog.changed(held, result, () => 0)
    } else {
      const sells = this.#writeLog.smallest(held) > 20 && this.#draw(0, 2) === 0
      const quantity = this.#draw(1, 20)
      const { result } = await ask(sells ? 'sellStock' : 'buyStock', sells ? 'SellStockInput' : 'BuyStockInput', { portfolioId, symbol: shared.symbol, quantity }, 'portfolio { id }')
      this.#writeLog.changed(held, result, (before) => Number(before) + (sells ? -quantity : quantity))
    }
  }

  /** Books hold snapshots of their authors, so a new name is written to several documents. */
  async #changeAuthor(ask: Ask): Promise<void> {
    const id = `${this.#name}-${this.#author}`
    const property = propertyName('authors', id, 'lastName')
    const before = this.#writeLog.certain(property)
    const lastName = this.#next('Author')
    if (before === undefined) return void this.#author++
    const { result } = before === null ? await ask('createAuthor', 'CreateAuthorInput', { id, firstName: 'A', lastName }, 'author { id }')
      : await ask('updateAuthor', 'UpdateAuthorInput', { id, lastName }, 'author { id }')
    this.#writeLog.changed(property, result, () => lastName)
  }

  async #changePerson(ask: Ask): Promise<void> {
    const id = `${this.#name}-${this.#person}`
    const property = propertyName('people', id, 'lastName')
    const before = this.#writeLog.certain(property)
    const lastName = this.#next('Person')
    if (before === undefined) return void this.#person++
    if (before !== null && this.#draw(0, 2) === 0) {
      const { result } = await ask('deletePerson', 'DeletePersonInput', { id }, 'person { id }')
      return this.#writeLog.changed(property, result, () => null)
    }
    const { result } = before === null ? await ask('createPerson', 'CreatePersonInput', { id, firstName: 'P', lastName }, 'person { id }')
      : await ask('updatePerson', 'UpdatePersonInput', { id, lastName }, 'person { id }')
    this.#writeLog.changed(property, result, () => lastName)
  }

  async #changeBook(ask: Ask): Promise<void> {
    const book = this.#books.at(-1)
    if (book === undefined) return this.#publish(ask)
    const { id, name } = book
    const property = propertyName('books', id, 'year')
    if (this.#writeLog.certain(property) === undefined || this.#writeLog.certain(property) === null) return void this.#books.pop()
    if (this.#draw(0, 3) === 0) {
      const { result } = await ask('deleteBook', 'DeleteBookInput', { id }, 'book { id }')
      if (result !== 'refused') this.#writeLog.added(`book ${name}`, result === 'acknowledged' ? 'refused' : result)
      return this.#writeLog.changed(property, result, () => null)
    }
    const year = this.#draw(1900, 2030)
    const { result } = await ask('updateBook', 'UpdateBookInput', { id, year, authorIds: [shared.authors[this.#draw(0, shared.authors.length)]!] }, 'book { id }')
    this.#writeLog.changed(property, result, () => year)
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
      return { result: 'unknown', unanswered: true, data: undefined }
    }
    if (!refusedForNow.has(response.status)) this.#wrong.push(`${response.status} was answered to ${query}`)
    const [data] = Object.values(answer.data ?? {})
    if (!answer.errors) return { result: 'acknowledged', unanswered: false, data: data ?? undefined }
    const others = answer.errors.filter(({ extensions }) => !nothingWritten.has(extensions?.code ?? ''))
    this.#wrong.push(...others.map(({ message, extensions }) => `${extensions?.code} was answered to ${query} ${JSON.stringify(variables)}: ${message}`))
    if (answer.errors.some(({ extensions }) => timedOut.has(extensions?.code ?? ''))) this.#writeLog.late++
    const says = (sentence: string): boolean => answer.errors!.some(({ message }) => withoutNumbers(message) === withoutNumbers(sentence))
    return { result: says(resultUnknown) ? 'unknown' : says(writtenAnyway) ? 'acknowledged' : 'refused', unanswered: false, data: undefined }
  }
}

/** Codes after which nothing of a mutation may be stored, unless the message says otherwise: the store failed, or a slow disk made it time out. */
const timedOut = new Set(['OVERLOADED', 'DEADLINE_EXCEEDED'])
const nothingWritten = new Set(['STORE_UNAVAILABLE', ...timedOut])
const refusedForNow = new Set([200, 503, 504])

/** What the gateway itself says where a code alone does not tell whether the mutation was written. */
const resultUnknown = new InDoubtError('').clientMessage
const writtenAnyway = new DeadlineError(0, true).message

function withoutNumbers(sentence: string): string {
  return sentence.replaceAll(/\d+/g, '')
}

interface Answer {
  readonly result: WriteResult
  /** The connection broke before an answer came. */
  readonly unanswered: boolean
  readonly data: Record<string, unknown> | undefined
}

type Ask = (field: string, type: string, input: object, chosen: string) => Promise<Answer>
