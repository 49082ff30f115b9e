// A store that fails at any call of a mutation leaves nothing half-written: the client gets a masked error, and a retry
// works.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ownContainer } from '../../src/store/own-container.ts'
import { stores, type Answer } from '../harness.ts'
import { faultyStore, type Faults } from './faulty-store.ts'
import { written, type Writable } from './open-writable.ts'
import { addReviews, openLibrary } from './small-library.ts'

/** More calls than any of these mutations makes. */
const mostCalls = 100

const mutations: [string, string, readonly string[]][] = [
  ['publishBook', 'mutation { publishBook(input: { name: "New", authorIds: ["a1", "a2"], publisherId: "mspress" }) { book { name } } }',
    // Authors and publishers are read in the same wave.
    ['begin', 'readMany publishers', 'commit']],
  ['addReview', 'mutation { addReview(input: { bookId: "b1", rating: 5, text: "New", reviewer: "R" }) { book { countOfReviews } } }',
    ['begin', 'readMany books', 'commit']],
  ['renaming an author', 'mutation { updateAuthor(input: { id: "a1", lastName: "New" }) { author { name } } }',
    ['begin', 'readMany authors', 'query books', 'commit']],
  ['deleteBook', 'mutation { deleteBook(input: { id: "b1" }) { book { name } } }',
    ['begin', 'readMany books', 'readMany authors', 'readMany publishers', 'commit']],
]

describe.each(stores)('a store that fails, on $name', ({ store }) => {
  let library: Writable
  let faults: Faults

  beforeEach(async () => {
    // The log has the error that is masked for the client; this test ignores it.
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

  test.each(mutations)('%s is written completely or not at all, whichever store call fails', async (_, mutation, moments) => {
    // An unnecessary removal record is harmless.
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
      expect(answer).toMatchObject({ data: null, errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] })
      expect(await quietly(documentsOf), `failed at ${moment}`).toEqual(before)
    }
    expect(answer!.errors).toBeUndefined()
    expect(await quietly(documentsOf)).not.toEqual(before)
    const atomic = library.store.supports.atomic === 'store'
    expect([...failedAt]).toEqual(expect.arrayContaining(atomic ? [...moments] : ['write']))
  })

  test.each(mutations)('%s that failed does not block waiting writers, and can be retried', async (_, mutation) => {
    const both = [mutation, 'mutation { updateBook(input: { id: "b2", name: "Other" }) { book { name } } }']
    faults.failAt(library.store.supports.atomic === 'store' ? 'commit' : 'write')
    const answers = await Promise.all(both.map((each) => library.ask(each)))
    expect(answers.filter(({ errors }) => errors)).toHaveLength(1)
    const failed = both[answers.findIndex(({ errors }) => errors)]!
    expect((await quietly(() => library.ask(failed))).errors).toBeUndefined()
  })
})
