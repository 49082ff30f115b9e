// Many writers at once: every acknowledged mutation has written, every refused one has not, and the result is that of
// some sequential order.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Body } from '../../src/model/json/json.ts'
import { stores, type Answer, type Ask } from '../harness.ts'
import type { Writable } from './open-writable.ts'
import { openLibrary } from './small-library.ts'

const writers = 64
const directory = mkdtempSync(join(tmpdir(), 'quire-writers-'))
afterAll(() => rmSync(directory, { recursive: true }))

interface Setting {
  readonly name: string
  /** The gateways that the writers use, all on the same documents. */
  readonly open: () => Promise<readonly Writable[]>
}

let files = 0
const settings: readonly Setting[] = [
  ...stores.map(({ name, store }) => ({ name, open: async () => [await openLibrary(store)] })),
  {
    name: 'two gateways over one SQLite file',
    async open() {
      const file = join(directory, `${files++}.db`)
      const open = () => openLibrary((layout) => openSqliteStore(file, layout))
      return [await open(), await open()]
    },
  },
]

const all = (mutation: (writer: number) => string, ask: (writer: number) => Ask): Promise<Answer[]> =>
  Promise.all(Array.from({ length: writers }, (_, writer) => ask(writer)(mutation(writer))))

const codes = (answers: readonly Answer[]) => answers.flatMap(({ errors }) => errors?.map(({ extensions }) => extensions?.code) ?? [])

describe.each(settings)('concurrent writers on $name', ({ open }) => {
  /** Runs the test on fresh gateways and closes them, because their file cannot be removed while it is open. */
  const inLibrary = (behaviour: string, run: (library: Writable, ask: (writer: number) => Ask) => Promise<void>) =>
    test(behaviour, async () => {
      const gateways = await open()
      try {
        await run(gateways[0]!, (writer) => gateways[writer % gateways.length]!.ask)
      } finally {
        await Promise.all(gateways.map(({ store }) => store.close()))
      }
    })
  inLibrary('no review of a book is lost, and they are numbered without gaps', async (library, ask) => {
    const answers = await all((writer) => `mutation { addReview(input: { bookId: "b1", rating: 5, text: "${writer}", reviewer: "R" }) { review { text } } }`, ask)
    expect(answers.map(({ data }) => data)).toEqual(Array.from({ length: writers }, (_, writer) => ({ addReview: { review: { text: `${writer}` } } })))
    const { b1, 'b1.reviews.0': bucket } = await library.bodies('books')
    expect(b1).toMatchObject({ countOfReviews: writers, _v: writers })
    const entries = [...(bucket!['entries'] as Body[]), ...(b1!['recentReviews'] as Body[]).toReversed()]
    expect(entries.map(({ number }) => number)).toEqual(Array.from({ length: writers }, (_, number) => number))
    expect(new Set(entries.map(({ text }) => text)).size).toBe(writers)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(writers)
  })

  inLibrary('every share that is bought is held', async (library, ask) => {
    const answers = await all(() => 'mutation { buyStock(input: { portfolioId: "f1", symbol: "zaza", quantity: 1 }) { portfolio { id } } }', ask)
    expect(codes(answers)).toEqual([])
    expect((await library.bodies('portfolios'))['f1']).toMatchObject({ holdings: expect.arrayContaining([{ numberHeld: 100 + writers, stockId: 1 }]) })
  })

  inLibrary('no share is sold twice', async (library, ask) => {
    const answers = await all(() => 'mutation { sellStock(input: { portfolioId: "f1", symbol: "xcxc", quantity: 1 }) { portfolio { id } } }', ask)
    expect(codes(answers)).toEqual(Array.from({ length: writers - 50 }, () => 'BAD_USER_INPUT'))
    expect((await library.bodies('portfolios'))['f1']).toMatchObject({ holdings: [{ numberHeld: 100, stockId: 1 }] })
  })

  inLibrary('every trade is in the volume', async (library, ask) => {
    const answers = await all((writer) => `mutation { recordTrade(input: { symbol: "zaza", price: ${writer + 1}, quantity: ${writer + 1} }) { trade { id } } }`, ask)
    expect(codes(answers)).toEqual([])
    expect((await library.bodies('stocks'))['1']).toMatchObject({ high: writers, low: 0.5, vol: 1000 + (writers * (writers + 1)) / 2 })
    expect(Object.keys(await library.bodies('trades'))).toHaveLength(writers)
  })

  inLibrary('every book that an author publishes is listed and counted', async (library, ask) => {
    const answers = await all((writer) => `mutation { publishBook(input: { name: "${writer}", authorIds: ["a2", "a1"], publisherId: "other" }) { book { id } } }`, ask)
    const ids = answers.map(({ data }) => (data as { publishBook: { book: { id: string } } }).publishBook.book.id)
    expect(await library.bodies('authors')).toMatchObject({
      a1: { books: ['b1', ...ids].toSorted(), countOfBooks: writers + 1 }, a2: { books: ids.toSorted(), countOfBooks: writers },
    })
    expect(await library.bodies('publishers')).toMatchObject({ mspress: { countOfBooks: 1 }, other: { countOfBooks: writers } })
  })

  inLibrary('a book that is published while its author is renamed has the name that stays', async (library, ask) => {
    const answers = await all((writer) => (writer % 2
      ? `mutation { updateAuthor(input: { id: "a1", lastName: "Number ${writer}" }) { author { id } } }`
      : `mutation { publishBook(input: { name: "${writer}", authorIds: ["a1"] }) { book { id } } }`), ask)
    expect(codes(answers)).toEqual([])
    const { lastName } = (await library.bodies('authors'))['a1']!
    const { b2: _, ...books } = await library.bodies('books')
    expect(Object.keys(books)).toHaveLength(1 + writers / 2)
    for (const book of Object.values(books)) expect(book).toMatchObject({ authors: [{ id: 'a1', name: `Thomas ${String(lastName)}` }] })
  })

  inLibrary('of those who have read the same etag one gets through', async (library, ask) => {
    const ifMatch = (await library.etags('books'))['b1']!
    const answers = await all((writer) => `mutation { updateBook(input: { id: "b1", name: "${writer}", ifMatch: "${ifMatch}" }) { book { name } } }`, ask)
    expect(codes(answers)).toEqual(Array.from({ length: writers - 1 }, () => 'CONFLICT'))
    const { data } = answers.find(({ errors }) => !errors)!
    expect((await library.bodies('books'))['b1']).toMatchObject({ ...(data as { updateBook: { book: Body } }).updateBook.book, _v: 1 })
  })

  inLibrary('of those who ask for the same id one gets it', async (library, ask) => {
    const answers = await all((writer) => `mutation { createPublisher(input: { id: "new", name: "${writer}" }) { publisher { name } } }`, ask)
    expect(codes(answers)).toEqual(Array.from({ length: writers - 1 }, () => 'CONFLICT'))
    const { data } = answers.find(({ errors }) => !errors)!
    expect((await library.bodies('publishers'))['new']).toMatchObject((data as { createPublisher: { publisher: Body } }).createPublisher.publisher)
  })

  inLibrary('a publisher is not deleted under a book that is being published', async (library, ask) => {
    const answers = await all((writer) => (writer === writers / 2
      ? 'mutation { deletePublisher(input: { id: "other" }) { publisher { id } } }'
      : `mutation { ${writer < writers / 2 ? `createBook(input: { id: "n${writer}", name: "N", publisherId: "other" })` : `updateBook(input: { id: "b2", publisherId: "other" })`} { book { id } } }`), ask)
    const { other } = await library.bodies('publishers')
    const pointing = Object.values(await library.bodies('books')).filter((book) => book['pub-id'] === 'other')
    if (other) {
      expect(other).toMatchObject({ countOfBooks: pointing.length })
      expect(codes(answers)).toEqual(['REFERENCED'])
    } else {
      expect(pointing).toEqual([])
      expect(new Set(codes(answers))).toEqual(new Set(['REFERENCE_MISSING']))
    }
  })
})
