// Gateways whose snapshots follow through the change feed: what readers see until then, and afterwards.

import { setImmediate as others } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openGateway, stores, type Answer, type Ask } from '../harness.ts'
import { sdl } from './world.ts'

describe.each(stores)('on $name', ({ store }) => {
  let ask: Ask
  afterEach(() => ask.close())

  const rename = (name: string) => ask(`mutation { updateAuthor(input: { id: "a", name: "${name}" }) { author { name books { title authors { name } } countOfBooks } } }`)
  const read = (policy = '', headers: Record<string, string> = {}) => ask(`query ${policy} { books { nodes { authors { name } } } }`, { headers })

  describe('while no propagator follows the feed', () => {
    beforeEach(async () => {
      // A pause that outlasts the test: the feed is read once, before anything is written.
      ask = await openGateway({ typeDefs: sdl, store, effects: 'feed', followEveryMs: 1_000_000 })
      await ask('mutation { createAuthor(input: { id: "a", name: "old" }) { author { id } } }')
      await ask('mutation { createBook(input: { id: "b", title: "t", authorIds: ["a"] }) { book { id } } }')
    })

    test('a mutation answers with what it wrote', async () => {
      const { data, report } = await rename('new')
      expect(data).toEqual({ updateAuthor: { author: { name: 'new', countOfBooks: 1, books: [{ title: 't', authors: [{ name: 'new' }] }] } } })
      expect(report.relations.map(({ from }) => from)).not.toContain('SNAPSHOT')
    })

    test('snapshots may be stale, and the cost report says so', async () => {
      await rename('new')
      const { data, report } = await read()
      expect(data).toEqual({ books: { nodes: [{ authors: [{ name: 'old' }] }] } })
      expect(report.relations).toMatchObject([{ from: 'SNAPSHOT' }])
      expect(report.staleness.boundMs).not.toBe(0)
    })

    test('a query with maxStaleMs 0 is answered from the source documents', async () => {
      await rename('new')
      const { data, report } = await read('@read(maxStaleMs: 0)')
      expect(data).toEqual({ books: { nodes: [{ authors: [{ name: 'new' }] }] } })
      expect(report.relations).toMatchObject([{ from: 'REFERENCE' }])
      expect(report.staleness.boundMs).toBe(0)
    })

    test('a client that sends its session token sees its own writes', async () => {
      const { headers } = await rename('new')
      const session = headers.get('quire-session')!
      const { data, report } = await read('', { 'quire-session': session })
      expect(data).toEqual({ books: { nodes: [{ authors: [{ name: 'new' }] }] } })
      expect(report.relations).toMatchObject([{ from: 'REFERENCE', because: 'the snapshot may not include what this client wrote' }])
    })

    test('inverse lists and counts are stale too', async () => {
      expect((await ask('{ author(id: "a") { countOfBooks books { title } } }')).data).toEqual({ author: { countOfBooks: 0, books: [] } })
      const { data, report } = await ask('query @read(maxStaleMs: 0) { author(id: "a") { countOfBooks books { title } } }')
      expect(data).toEqual({ author: { countOfBooks: 1, books: [{ title: 't' }] } })
      expect(report.made).toMatchObject({ roundTrips: 3, waves: 2 })
    })
  })

  test('while two hundred snapshots are updated, no answer is older than its cost report says', async () => {
    ask = await openGateway({ typeDefs: sdl, store, effects: 'feed', followEveryMs: 1 })
    await ask('mutation { createAuthor(input: { id: "a", name: "old" }) { author { id } } }')
    for (let book = 0; book < 200; book++) await ask(`mutation { createBook(input: { id: "b${book}", title: "t", authorIds: ["a"] }) { book { id } } }`)
    await rename('new')
    const renamedBy = Date.now()
    const all = async () => {
      const asked = Date.now()
      const answer = await ask('{ books(first: 200) { nodes { authors { name } } } }')
      // A stale snapshot was right until the author was renamed, so it is at least this old.
      if (names(answer).includes('old')) expect(answer.report.staleness.boundMs ?? Infinity).toBeGreaterThanOrEqual(asked - renamedBy)
      return answer
    }
    const done = await until(all, (answer) => !names(answer).includes('old'))
    expect(names(done)).toEqual(Array.from({ length: 200 }, () => 'new'))
    expect(done.report.relations).toMatchObject([{ field: 'Book.authors', from: 'SNAPSHOT' }])
  })

  test('after the feed is propagated, snapshots are up to date and within the stated bound', async () => {
    ask = await openGateway({ typeDefs: sdl, store, effects: 'feed', followEveryMs: 1 })
    await ask('mutation { createAuthor(input: { id: "a", name: "old" }) { author { id } } }')
    await ask('mutation { createBook(input: { id: "b", title: "t", authorIds: ["a"] }) { book { id } } }')
    const session = (await rename('new')).headers.get('quire-session')!
    const { data } = await until(() => read('', { 'quire-session': session }), ({ report }) => report.relations[0]!.from === 'SNAPSHOT')
    expect(data).toEqual({ books: { nodes: [{ authors: [{ name: 'new' }] }] } })
  })
})

function names({ data }: Answer): string[] {
  return (data as { books: { nodes: { authors: { name: string }[] }[] } }).books.nodes.flatMap(({ authors }) => authors.map(({ name }) => name))
}

/** Repeats the query until its answer is as expected. */
async function until(ask: () => Promise<Answer>, is: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (is(answer)) return answer
    await others()
  }
}
