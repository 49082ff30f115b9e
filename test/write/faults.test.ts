// A store that fails at any moment of a mutation leaves nothing half-written: the client is told that
// something went wrong and not what, and trying again works.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ownContainer } from '../../src/store/own-container.ts'
import { stores, type Answer } from '../harness.ts'
import { faultyStore, type Faults } from './faulty-store.ts'
import { written, type Writable } from './open-writable.ts'
import { addReviews, openLibrary } from './small-library.ts'

/** More moments than any of these mutations has. */
const mostCalls = 100

const mutations: [string, string, readonly string[]][] = [
  ['publishBook', 'mutation { publishBook(input: { name: "New", authorIds: ["a1", "a2"], publisherId: "mspress" }) { book { name } } }',
    // Authors are read in the same moment as publishers.
    ['begin', 'readMany publishers', 'count books', 'commit']],
  ['addReview', 'mutation { addReview(input: { bookId: "b1", rating: 5, text: "New", reviewer: "R" }) { book { countOfReviews } } }',
    ['begin', 'readMany books', 'commit']],
  ['renaming an author', 'mutation { updateAuthor(input: { id: "a1", lastName: "New" }) { author { name } } }',
    ['begin', 'readMany authors', 'query books', 'commit']],
  ['deleteBook', 'mutation { deleteBook(input: { id: "b1" }) { book { name } } }',
    ['begin', 'readMany books', 'readMany authors', 'readMany publishers', 'count books', 'commit']],
]

describe.each(stores)('a store that fails, on $name', ({ store }) => {
  let library: Writable
  let faults: Faults

  beforeEach(async () => {
    // What is masked for the client is written to the log, which is not looked at here.
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    library = await openLibrary(async (layout) => {
      const faulty = faultyStore(await store(layout))
      faults = faulty.faults
      return faulty.store
    }, {}, { settles: false })
    await written(library.ask, addReviews('b1', 0, 5))
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const quietly = <T>(look: () => Promise<T>): Promise<T> => {
    faults.failAt(0)
    return look()
  }

  test.each(mutations)('%s is done or not done, whenever the store fails', async (_, mutation, moments) => {
    // A note that was made in vain does no harm.
    const documentsOf = async () => (await library.dump()).filter((line) => !line.startsWith(`${ownContainer} `))
    const before = await quietly(documentsOf)
    const failedAt = new Set<string>()
    let answer: Answer | undefined
    for (let call = 1; call <= mostCalls; call++) {
      faults.failAt(call)
      answer = await library.ask(mutation)
      if (!answer.errors) break
      const moment = faults.asked.at(-1)!
      failedAt.add(moment)
      expect(answer).toMatchObject({ data: null, errors: [{ message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] })
      expect(await quietly(documentsOf), `failed at ${moment}`).toEqual(before)
    }
    expect(answer!.errors).toBeUndefined()
    expect(await quietly(documentsOf)).not.toEqual(before)
    const atomic = library.store.supports.atomic === 'store'
    expect([...failedAt]).toEqual(expect.arrayContaining(atomic ? [...moments] : ['write']))
  })

  test.each(mutations)('%s that failed leaves the way free for whoever waited, and can be tried again', async (_, mutation) => {
    const both = [mutation, 'mutation { updateBook(input: { id: "b2", name: "Other" }) { book { name } } }']
    faults.failAt(library.store.supports.atomic === 'store' ? 'commit' : 'write')
    const answers = await Promise.all(both.map((each) => library.ask(each)))
    expect(answers.filter(({ errors }) => errors)).toHaveLength(1)
    const failed = both[answers.findIndex(({ errors }) => errors)]!
    expect((await quietly(() => library.ask(failed))).errors).toBeUndefined()
  })
})
