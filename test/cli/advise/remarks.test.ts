// Advice beyond embedding and referencing: counts, joins and buckets in numbers, lists that outgrow their document,
// and recordings that do not fit the schema.

import { describe, expect, test } from 'vitest'
import { advicePage } from '../../../src/cli/advise/advice-page.ts'
import { adviceLines } from '../../../src/cli/advise/advice-text.ts'
import { numbers, openWorld, relation, repeated, type Inputs, type World } from './world.ts'

const library = (counted = '') => /* GraphQL */ `
  type House @document(container: "houses") { id: ID! name: String! ${counted} books: BookConnection! @reverse(of: "Book.house") }
  type Book @document(container: "books", partitionKey: "/bookId", type: "book") {
    id: ID! title: String! house: House @reference(at: "houseId")
    reviews: ReviewConnection! @bucketed(at: "recent", recent: 2, size: 10, key: "bookId", type: "reviews")
    tags: TagConnection! @joined(through: "Tagging")
  }
  type Review { id: ID! text: String! }
  type Tag @document(container: "tags") { id: ID! word: String! }
  type Tagging @document(container: "taggings") { id: ID! book: Book! @reference(at: "bookId") tag: Tag! @reference(at: "tagId") }
`

async function openLibrary(counted?: string): Promise<World> {
  return openWorld(library(counted), {
    House: [{ id: 'h1', name: 'House' }],
    Book: numbers(4).map((number) => ({ id: `b${number}`, title: `Book ${number}`, houseId: 'h1' })),
    Tag: [{ id: 't1', word: 'new' }],
    Tagging: [{ id: 'g1', bookId: 'b1', tagId: 't1' }],
  })
}

describe('remarks on relations that are neither embedded nor referenced', () => {
  const counting = '{ house(id: "h1") { books { totalCount } } }'

  test('store a count that is read more often than it changes', async () => {
    const world = await openLibrary()
    const { remarks } = await world.price(await world.record(2, [...repeated(20, () => counting), 'mutation { createBook(input: { id: "b9", title: "New", houseId: "h1" }) { book { title } } }']))
    // Ten counts an hour at 2.9 RU; half a change an hour at 1 for the house, 2.9 for counting and 9.9 for writing it.
    expect(remarks).toContainEqual({ field: 'House.books', sentence: expect.stringMatching(/totalCount.* 10 times.* 29 RU.* 6\.9 RU.*countOfBooks: Int! @counted\(relation: "books"\)/) })
  })

  test('do not store a count that changes more often than it is read', async () => {
    const world = await openLibrary()
    const creating = repeated(6, (number) => `mutation { createBook(input: { id: "n${number}", title: "New", houseId: "h1" }) { book { title } } }`)
    const { remarks } = await world.price(await world.record(1, [counting, ...creating]))
    expect(remarks).toContainEqual({ field: 'House.books', sentence: expect.stringMatching(/totalCount.* 1 time.* 2\.9 RU.* 82\.8 RU/) })
    expect(remarks.map(({ sentence }) => sentence).join()).not.toContain('@counted')
  })

  test('a stored count should be read instead of totalCount', async () => {
    const world = await openLibrary('countOfBooks: Int! @counted(relation: "books")')
    const { remarks } = await world.price(await world.record(1, [counting]))
    expect(remarks).toContainEqual({ field: 'House.books', sentence: expect.stringMatching(/totalCount.* 1 time.* 2\.9 RU.*House\.countOfBooks/) })
  })

  test('a stored count that no operation reads is named, with its cost', async () => {
    const world = await openLibrary('countOfBooks: Int! @counted(relation: "books")')
    const { remarks } = await world.price(await world.record(1, ['mutation { createBook(input: { id: "b9", title: "New", houseId: "h1" }) { book { title } } }']))
    expect(remarks).toContainEqual({ field: 'House.countOfBooks', sentence: expect.stringMatching(/ 1 document.* 9\.9 RU/) })
  })

  test('joining documents take two waves; pages of buckets can come from the document alone', async () => {
    const world = await openLibrary()
    const { remarks } = await world.price(await world.record(1, ['{ book(id: "b1") { tags { nodes { word } } reviews(first: 2) { nodes { text } } } }']))
    expect(remarks).toEqual([
      { field: 'Book.reviews', sentence: expect.stringMatching(/^1 page.* newest 2 /) },
      { field: 'Book.tags', sentence: expect.stringMatching(/^1 page.* two waves.*Tagging.*Tag/) },
    ])
  })
})

describe('lists that outgrow their document', () => {
  test('a list near its max length, and how fast it grows', async () => {
    const world = await openWorld(blog(10), posts(1))
    const { outgrowing } = await world.price(await world.record(2, [`mutation { updatePost(input: { id: "p1", tagIds: [${numbers(10).map((number) => `"t${number}"`).join()}] }) { post { title } } }`]))
    expect(outgrowing).toEqual([{ field: 'Post.tags', sentence: expect.stringMatching(/10 of at most 10 entries.* 0\.5 entries per hour.*tags: TagConnection! @reverse\(of: "Tag\.…"\)/) }])
  })

  test('a list that would be too large for its document before it reaches its max length', async () => {
    const world = await openWorld(blog(100, 3000), posts(5))
    const { outgrowing } = await world.price(await world.record(1, ['{ post(id: "p1") { title } }']))
    expect(outgrowing).toEqual([{ field: 'Post.comments', sentence: expect.stringMatching(/3000 entries.* 2\.9 MB.* 2 MB.*comments: CommentConnection! @bucketed\(…\)/) }])
  })

  test('snapshots that would outgrow the document are not advised, however cheap reads would be', async () => {
    const world = await openWorld(blog(100_000), posts(1))
    const advice = await world.prove(await world.record(1, repeated(20, () => '{ post(id: "p1") { tags { word text } } }')))
    const tags = relation(advice, 'Post.tags')
    expect(tags).toMatchObject({ advised: { way: 'referenced' }, change: false, proof: undefined, embedded: { impossible: expect.stringMatching(/99\.6 MB.* 2 MB/) } })
    expect(tags.embedded!.rate.requestCharge).toBeLessThan(tags.referenced.rate.requestCharge)
  })
})

describe('recordings that do not fit the schema', () => {
  test('unknown fields and types are named, and the rest gets advice', async () => {
    const other = await openWorld('type Book @document(container: "books") { id: ID! title: String! pages: Int } type Shelf @document(container: "s") { id: ID! name: String! }', { Book: [{ id: 'b1', title: 'x' }] })
    const unsupported = await other.record(1, ['{ book(id: "b1") { pages } }', 'mutation { createShelf(input: { name: "y" }) { shelf { name } } }'])
    const world = await openLibrary()
    const known = await world.record(1, ['{ book(id: "b1") { house { name } } }'])
    const advice = await world.prove({ ...known, operations: [...known.operations, ...unsupported.operations], types: { ...known.types, ...unsupported.types }, relations: { ...known.relations, 'Gone.away': { resolved: 1, covered: 0, documents: 0, rewritten: 0, beyond: {} } } })
    expect(advice.unknown).toEqual(['Book.pages', 'CreateShelfPayload.shelf', 'Gone.away', 'Mutation.createShelf', 'Shelf', 'Shelf.name'])
    expect(relation(advice, 'Book.house').advised.way).toBe('embedded')
    expect(adviceLines(advice)).toContainEqual(expect.stringContaining('Book.pages, CreateShelfPayload.shelf, Gone.away, Mutation.createShelf, Shelf, Shelf.name'))
  })

  test('an operation that is no longer valid is left out', async () => {
    const other = await openWorld('type Book @document(container: "books") { id: ID! title: House @reference(at: "title") } type House @document(container: "houses") { id: ID! name: String! }', { Book: [{ id: 'b1' }] })
    const world = await openLibrary()
    const advice = await world.prove(await other.record(1, ['{ book(id: "b1") { title { name } } }', '{ house(id: "h1") { name } }']))
    expect(advice).toMatchObject({ unknown: ['Query.book'], relations: [], replayed: { failed: [], sent: 1 } })
  })

  test('an empty store still gives advice; changes of missing documents are not replayed', async () => {
    const full = await openLibrary()
    const workload = await full.record(1, ['{ book(id: "b1") { house { name } } }', '{ books { nodes { house { name } } } }', 'mutation { updateHouse(input: { id: "h1", name: "Other" }) { house { name } } }'])
    const empty = await openWorld(library(), {})
    const advice = await empty.prove(workload)
    expect(relation(advice, 'Book.house').proof!.measured.requestCharge).toBeGreaterThan(0)
    expect(advice.replayed.leftOut).toEqual(['updates of House (name)'])
  })

  test('changes without an input and operations that did not fit into the recording are named', async () => {
    const world = await openLibrary()
    const workload = await world.record(0.5, ['{ book(id: "b1") { house { name } } }'])
    const advice = await world.prove({ ...workload, leftOut: { operations: 3, changes: 1, names: 0 }, types: { Book: { created: 0, deleted: 0, rewritten: 0, measured: 0, bytes: 0, updated: { reviews: 2 }, lists: {} } } })
    expect(adviceLines(advice)).toEqual(expect.arrayContaining([/Less than an hour/, /3 operations did not fit/, /1 change did not fit/, /Not replayed.*updates of Book \(reviews\)/].map((line) => expect.stringMatching(line) as string)))
  })
})

test('the report has every relation with its charts, and loads nothing', async () => {
  const world = await openLibrary()
  const advice = await world.prove(await world.record(1, ['{ book(id: "b1") { house { name } } }', '{ house(id: "h1") { books { totalCount } } }']))
  const report = advicePage(advice)
  expect(report).toContain('<h2>Book.house: embed it</h2>')
  expect(report).toContain('house: House @snapshot(at: &#34;houseId&#34;, fields: [&#34;name&#34;])')
  expect(report.match(/<svg /g)).toHaveLength(3)
  expect(report).not.toMatch(/(src|href)=|url\(|<script|@import|https?:/)
})

function blog(tags: number, comments = 100): string {
  return /* GraphQL */ `
    type Post @document(container: "posts") { id: ID! title: String! tags: [Tag!]! @reference(at: "tags", max: ${tags}) comments: [Comment!]! @contained(max: ${comments}) }
    type Comment { text: String! }
    type Tag @document(container: "tags") { id: ID! word: String! text: String }
  `
}

function posts(comments: number): Inputs {
  return {
    Tag: numbers(10).map((number) => ({ id: `t${number}`, word: `Tag ${number}`, text: 'x'.repeat(1000) })),
    Post: [{ id: 'p1', title: 'First', tagIds: numbers(9).map((number) => `t${number}`), comments: numbers(comments).map(() => ({ text: 'y'.repeat(1000) })) }],
  }
}
