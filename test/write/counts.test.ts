// Inverse lists and counts are up to date when the mutation that created, moved or deleted a document answers.

import { beforeEach, describe, expect, test } from 'vitest'
import { stores } from '../harness.ts'
import { callsOf, openWritable, written, type Writable } from './open-writable.ts'

const sdl = /* GraphQL */ `
  type Book @document(container: "books") {
    id: ID!
    name: String
    authors: [Author!]! @snapshot(at: "authors", fields: ["name"])
    editor: Author @reference(at: "editorId")
    house: House @reference(at: "houseNo", numeric: true)
    sequel: Book @reference(at: "sequelId")
    prequels: [Book!]! @reference(at: "prequels", inverseOf: "Book.sequel")
    countOfPrequels: Int! @counted(relation: "prequels")
    shelves: ShelfConnection! @joined(through: "Placing")
    countOfShelves: Int! @counted(relation: "shelves", at: "shelf-count")
    chapters: [Chapter!]! @contained(max: 9)
    countOfChapters: Int! @counted(relation: "chapters")
  }
  type Chapter { pages: [Int!]! @contained(max: 9) countOfPages: Int! @counted(relation: "pages") }
  type Author @document(container: "authors") {
    id: ID!
    name: String
    books: [Book!]! @reference(at: "books", inverseOf: "Book.authors")
    countOfBooks: Int! @counted(relation: "books") @indexed
    edited: [Book!]! @reference(at: "edited", inverseOf: "Book.editor")
  }
  type House @document(container: "houses") {
    id: ID!
    name: String
    books: BookConnection! @reverse(of: "Book.house")
    countOfBooks: Int! @counted(relation: "books") @indexed
    parent: House @reference(at: "parentId")
    imprints: HouseConnection! @reverse(of: "House.parent")
    countOfImprints: Int! @counted(relation: "imprints")
  }
  type Shelf @document(container: "shelves", plural: "shelves") {
    id: ID!
    books: BookConnection! @joined(through: "Placing")
    countOfBooks: Int! @counted(relation: "books")
  }
  type Placing @document(container: "placings", partitionKey: "/shelfId") {
    id: ID!
    shelf: Shelf! @reference(at: "shelfId")
    book: Book! @reference(at: "bookId", onDelete: CASCADE)
  }
`

/** Numbers below 1, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48271) % 2147483647) / 2147483647
}

describe.each(stores)('lists and counts on $name', ({ store }) => {
  let opened: Writable
  beforeEach(async () => {
    opened = await openWritable({ typeDefs: sdl, store })
    await written(opened.ask, `mutation {
      a: createAuthor(input: { id: "a", name: "Ann" }) { author { id } } b: createAuthor(input: { id: "b" }) { author { id } }
      h1: createHouse(input: { id: "1" }) { house { id } } h2: createHouse(input: { id: "2" }) { house { id } }
      s1: createShelf(input: { id: "s1" }) { shelf { id } } s2: createShelf(input: { id: "s2" }) { shelf { id } }
    }`)
  })

  /** Each part is the start of a mutation: `createBook(input: { … })`. */
  const write = (...mutations: string[]) => written(opened.ask, `mutation { ${mutations.map((mutation, at) => `m${at}: ${mutation} { __typename }`).join(' ')} }`)
  const authors = async () => Object.values(await opened.bodies('authors')).map(({ books, countOfBooks }) => ({ books, countOfBooks }))
  const houses = async () => Object.values(await opened.bodies('houses')).map(({ countOfBooks }) => countOfBooks)
  /** The counts that shelves and books keep of each other. */
  const shelved = async () => [
    Object.values(await opened.bodies('shelves')).map((body) => body['countOfBooks']),
    Object.values(await opened.bodies('books')).map((body) => body['shelf-count']),
  ]

  test('the referenced document lists it, in the order of ids, and counts it', async () => {
    await write('createBook(input: { id: "b9", authorIds: ["b", "a"] })', 'createBook(input: { id: "b10", authorIds: ["a"] })', 'createBook(input: { id: "b1", authorIds: ["a"] })')
    expect(await authors()).toEqual([{ books: ['b1', 'b10', 'b9'], countOfBooks: 3 }, { books: ['b9'], countOfBooks: 1 }])
  })

  test('a changed reference moves it to the other list', async () => {
    await write('createBook(input: { id: "x", authorIds: ["a"] })', 'createBook(input: { id: "y", authorIds: ["a", "b"] })', 'updateBook(input: { id: "x", authorIds: ["b"] })', 'updateBook(input: { id: "y", authorIds: ["b"] })')
    expect(await authors()).toEqual([{ books: [], countOfBooks: 0 }, { books: ['x', 'y'], countOfBooks: 2 }])
  })

  test('a deleted document leaves all lists', async () => {
    await write('createBook(input: { id: "x", authorIds: ["a", "b"], editorId: "a" })', 'createBook(input: { id: "y", authorIds: ["a"], editorId: "a" })', 'deleteBook(input: { id: "x" })')
    expect(await authors()).toEqual([{ books: ['y'], countOfBooks: 1 }, { books: [], countOfBooks: 0 }])
    expect((await opened.bodies('authors'))['a']).toMatchObject({ edited: ['y'] })
  })

  test('each reference has its own list', async () => {
    await write('createBook(input: { id: "x", authorIds: ["a"], editorId: "b" })')
    expect(await opened.bodies('authors')).toMatchObject({ a: { books: ['x'], edited: [] }, b: { books: [], edited: ['x'] } })
  })

  test('a change of other fields writes no list and no count', async () => {
    await write('createBook(input: { id: "x", authorIds: ["a"], houseId: "1", name: "Old" })')
    const before = [await opened.etags('authors'), await opened.etags('houses')]
    const answer = await opened.ask('mutation { updateBook(input: { id: "x", name: "New", authorIds: ["a"], houseId: "1" }) { book { name } } }')
    expect([await opened.etags('authors'), await opened.etags('houses')]).toEqual(before)
    expect(callsOf(answer).filter((call) => call.startsWith('write') || call.startsWith('count'))).toEqual(['write books 1'])
  })

  test('clients cannot set lists and counts', async () => {
    const { data } = await opened.ask('{ __type(name: "UpdateAuthorInput") { inputFields { name } } }')
    expect(data).toEqual({ __type: { inputFields: ['clientMutationId', 'id', 'ifMatch', 'name'].map((name) => ({ name })) } })
  })

  test('a reverse relation is counted as it grows, moves and shrinks', async () => {
    await write('createBook(input: { id: "x", houseId: "1" })', 'createBook(input: { id: "y", houseId: "1" })', 'createBook(input: { id: "z" })')
    expect(await houses()).toEqual([2, 0])
    await write('updateBook(input: { id: "x", houseId: "2" })', 'updateBook(input: { id: "z", houseId: "2" })')
    expect(await houses()).toEqual([1, 2])
    await write('updateBook(input: { id: "x", houseId: null })', 'deleteBook(input: { id: "y" })')
    expect(await houses()).toEqual([0, 1])
  })

  test('the payload has the counts as they are after the mutation', async () => {
    expect(await written(opened.ask, `mutation {
      a: createBook(input: { id: "x", houseId: "1", authorIds: ["a"] }) { book { house { countOfBooks } authors { countOfBooks books { id } } } }
      b: createBook(input: { id: "y", houseId: "1" }) { book { house { countOfBooks books { totalCount nodes { id } } } } }
      c: deleteBook(input: { id: "x" }) { book { house { countOfBooks } } }
    }`)).toEqual({
      a: { book: { house: { countOfBooks: 1 }, authors: [{ countOfBooks: 1, books: [{ id: 'x' }] }] } },
      b: { book: { house: { countOfBooks: 2, books: { totalCount: 2, nodes: [{ id: 'x' }, { id: 'y' }] } } } },
      c: { book: { house: { countOfBooks: 1 } } },
    })
  })

  test('a joined relation is counted on both sides', async () => {
    await write('createBook(input: { id: "x" })', 'createBook(input: { id: "y" })')
    await write('createPlacing(input: { id: "p1", shelfId: "s1", bookId: "x" })', 'createPlacing(input: { id: "p2", shelfId: "s1", bookId: "y" })', 'createPlacing(input: { id: "p3", shelfId: "s2", bookId: "x" })')
    expect(await shelved()).toEqual([[2, 1], [2, 1]])
    await write('updatePlacing(input: { id: "p3", bookId: "y" })')
    expect(await shelved()).toEqual([[2, 1], [1, 2]])
    await write('deletePlacing(input: { id: "p1" })')
    expect(await shelved()).toEqual([[1, 1], [0, 2]])
    await write('deleteBook(input: { id: "y" })')
    expect(await shelved()).toEqual([[0, 0], [0]])
  })

  test.each([
    ['missing', { id: '1', name: 'Old' }],
    ['no number', { id: '1', countOfBooks: '1' }],
  ])('a count that is %s is counted by the next change, and no other write invents it', async (_, body) => {
    await write('createBook(input: { id: "x", houseId: "1" })')
    await opened.store.write([{ kind: 'put', container: 'houses', key: { partition: ['1'], id: '1' }, body }])
    await write('updateHouse(input: { id: "1", name: "New" })')
    expect((await opened.bodies('houses'))['1']).not.toHaveProperty('countOfBooks', 0)
    await write('createBook(input: { id: "y", houseId: "1" })')
    expect((await opened.bodies('houses'))['1']).toMatchObject({ countOfBooks: 2 })
  })

  test('where one transaction writes it, a count is kept by difference: nothing is counted for it', async () => {
    const calls = async (mutation: string) => callsOf(await opened.ask(`mutation { ${mutation} { __typename } }`)).filter((call) => call.startsWith('count'))
    const counted = [...(await calls('createBook(input: { name: "X", houseId: "1" })')), ...(await calls('createPlacing(input: { shelfId: "s1", bookId: "none" })'))]
    await write('createBook(input: { id: "x", houseId: "1" })', 'updateBook(input: { id: "x", houseId: "2" })')
    expect(await houses()).toEqual([1, 1])
    if (opened.store.supports.atomic === 'store') expect(counted).toEqual([])
  })

  test('counts are exact after any order of changes, several of the same document in one operation included', async () => {
    const random = seeded(7)
    const target = () => ['null', '"1"', '"2"'][Math.floor(random() * 3)]
    const existing = new Set<string>()
    for (let step = 0; step < 12; step++) {
      const mutations = Array.from({ length: 5 }, () => {
        const id = `b${Math.floor(random() * 6)}`
        if (!existing.has(id)) return existing.add(id) && `createBook(input: { id: "${id}", houseId: ${target()} })`
        if (random() < 0.3) return existing.delete(id) && `deleteBook(input: { id: "${id}" })`
        return `updateBook(input: { id: "${id}", houseId: ${target()} })`
      })
      await write(...mutations.map(String))
      const books = Object.values(await opened.bodies('books'))
      expect(await houses()).toEqual([1, 2].map((house) => books.filter(({ houseNo }) => houseNo === house).length))
    }
  })

  test('a count that would become negative is counted', async () => {
    await write('createBook(input: { id: "x", houseId: "1" })', 'createBook(input: { id: "y", houseId: "1" })')
    await opened.store.write([{ kind: 'put', container: 'houses', key: { partition: ['1'], id: '1' }, body: { id: '1', countOfBooks: 0 } }])
    await write('deleteBook(input: { id: "y" })')
    expect((await opened.bodies('houses'))['1']).toMatchObject({ countOfBooks: 1 })
  })

  test('a document that is created again lists and counts the existing references to it', async () => {
    const body = { id: 'x', authors: [{ id: 'lost', name: 'Lost' }], houseNo: 3 }
    await opened.store.write([{ kind: 'put', container: 'books', key: { partition: ['x'], id: 'x' }, body }])
    await write('createAuthor(input: { id: "lost" })', 'createHouse(input: { id: "3" })')
    expect((await opened.bodies('authors'))['lost']).toMatchObject({ books: ['x'], countOfBooks: 1 })
    expect((await opened.bodies('houses'))['3']).toMatchObject({ countOfBooks: 1 })
  })

  test('a type that references itself has lists and counts too', async () => {
    await write('createBook(input: { id: "x" })', 'createBook(input: { id: "y", sequelId: "x" })', 'createBook(input: { id: "z", sequelId: "x" })', 'updateBook(input: { id: "x", sequelId: "x" })')
    expect(await opened.bodies('books')).toMatchObject({ x: { prequels: ['x', 'y', 'z'], countOfPrequels: 3 }, y: { prequels: [], countOfPrequels: 0 } })
    await write('updateBook(input: { id: "z", sequelId: "y" })', 'updateBook(input: { id: "x", sequelId: null })')
    expect(await opened.bodies('books')).toMatchObject({ x: { prequels: ['y'], countOfPrequels: 1 }, y: { prequels: ['z'], countOfPrequels: 1 } })
    await write('createHouse(input: { id: "3", parentId: "1" })', 'updateHouse(input: { id: "1", parentId: "1" })')
    expect((await opened.bodies('houses'))['1']).toMatchObject({ countOfImprints: 2 })
    await write('updateHouse(input: { id: "3", parentId: "2" })')
    expect(await opened.bodies('houses')).toMatchObject({ 1: { countOfImprints: 1 }, 2: { countOfImprints: 1 } })
  })

  test('contained objects are counted in their document', async () => {
    await write('createBook(input: { id: "x", chapters: [{ pages: [1, 2] }, { pages: [] }] })')
    expect((await opened.ask('{ book(id: "x") { countOfChapters } }')).data).toEqual({ book: { countOfChapters: 2 } })
    await write('updateBook(input: { id: "x", chapters: null })')
    expect((await opened.ask('{ book(id: "x") { countOfChapters } }')).data).toEqual({ book: { countOfChapters: 0 } })
  })

  test('a list inside a contained object is counted too', async () => {
    await write('createBook(input: { id: "x", chapters: [{ pages: [1, 2] }, { pages: [] }] })')
    expect((await opened.ask('{ book(id: "x") { chapters { pages countOfPages } } }')).data)
      .toEqual({ book: { chapters: [{ pages: [1, 2], countOfPages: 2 }, { pages: [], countOfPages: 0 }] } })
  })

  test.each(['authors', 'houses'])('a count starts at zero, also for filters and orders: %s', async (many) => {
    const { data } = await opened.ask(`{ ${many}(filter: { countOfBooks: { eq: 0 } }) { totalCount nodes { countOfBooks } } }`)
    expect(data).toEqual({ [many]: { totalCount: 2, nodes: [{ countOfBooks: 0 }, { countOfBooks: 0 }] } })
  })
})
