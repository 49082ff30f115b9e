// What can be said beside embedding and referencing: counts, joins and buckets in numbers, lists that outgrow
// their document, and records that do not fit the schema.

import { describe, expect, test } from 'vitest'
import { adviceReport } from '../../../src/cli/advise/advise-report.ts'
import { adviceLines } from '../../../src/cli/advise/advise-text.ts'
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

describe('of relations that are neither embedded nor referenced', () => {
  const counting = '{ house(id: "h1") { books { totalCount } } }'

  test('a count that is asked for more often than it changes is to be kept', async () => {
    const world = await openLibrary()
    const { remarks } = await world.price(await world.record(2, [...repeated(20, () => counting), 'mutation { createBook(input: { id: "b9", title: "New", houseId: "h1" }) { book { title } } }']))
    // Ten counts an hour at 2.9 RU; half a change an hour at 1 for the house, 2.9 for counting and 9.9 for writing it.
    expect(remarks).toContainEqual({ field: 'House.books', sentence: 'totalCount is asked for 10 times an hour, which is 29 RU. '
      + 'Keeping the number would be 6.9 RU: write countOfBooks: Int! @counted(relation: "books"), and ask for that.' })
  })

  test('one that changes more often is better counted', async () => {
    const world = await openLibrary()
    const creating = repeated(6, (number) => `mutation { createBook(input: { id: "n${number}", title: "New", houseId: "h1" }) { book { title } } }`)
    const { remarks } = await world.price(await world.record(1, [counting, ...creating]))
    expect(remarks).toContainEqual({ field: 'House.books', sentence: 'totalCount is asked for 1 time an hour, which is 2.9 RU. Keeping the number would be 82.8 RU: go on counting.' })
  })

  test('one that is kept is to be asked for', async () => {
    const world = await openLibrary('countOfBooks: Int! @counted(relation: "books")')
    const { remarks } = await world.price(await world.record(1, [counting]))
    expect(remarks).toContainEqual({ field: 'House.books', sentence: 'totalCount is asked for 1 time an hour, which is 2.9 RU. House.countOfBooks keeps the number: ask for that instead.' })
  })

  test('a count that is kept for nobody is told, with what it costs', async () => {
    const world = await openLibrary('countOfBooks: Int! @counted(relation: "books")')
    const { remarks } = await world.price(await world.record(1, ['mutation { createBook(input: { id: "b9", title: "New", houseId: "h1" }) { book { title } } }']))
    expect(remarks).toContainEqual({ field: 'House.countOfBooks', sentence: 'Nobody asked for it, and keeping it true wrote 1 document an hour, which is 9.9 RU: take it out, or have it asked for.' })
  })

  test('joining documents are two waves, and buckets are read when a page is too long', async () => {
    const world = await openLibrary()
    const { remarks } = await world.price(await world.record(1, ['{ book(id: "b1") { tags { nodes { word } } reviews(first: 2) { nodes { text } } } }']))
    expect(remarks.map(({ field, sentence }) => `${field}: ${sentence}`)).toEqual([
      'Book.reviews: 1 page an hour, all from the newest 2 in the document.',
      'Book.tags: 1 page an hour, each in two waves: Tagging documents, and then Tag. Where a list is short, ids on both sides save the first.',
    ])
  })
})

describe('of what outgrows its document', () => {
  test('a list that is nearly as long as it may get, and how fast it grows', async () => {
    const world = await openWorld(blog(10), posts(1))
    const { outgrowing } = await world.price(await world.record(2, [`mutation { updatePost(input: { id: "p1", tagIds: [${numbers(10).map((number) => `"t${number}"`).join()}] }) { post { title } } }`]))
    expect(outgrowing).toEqual([{ field: 'Post.tags', sentence: 'The longest list has 10 entries of the 10 that are allowed. It grows by 0.5 entries an hour, over all documents. '
      + 'Let Tag point here and declare tags: TagConnection! @reverse(of: "Tag.…").' }])
  })

  test('a list that would be too large before it is full', async () => {
    const world = await openWorld(blog(100, 3000), posts(5))
    const { outgrowing } = await world.price(await world.record(1, ['{ post(id: "p1") { title } }']))
    expect(outgrowing).toEqual([{ field: 'Post.comments', sentence: 'With all 3000 entries that are allowed its document would be 2.9 MB of the 2 MB that a document can be. '
      + 'Keep the newest few and declare comments: CommentConnection! @bucketed(…).' }])
  })

  test('copies that would make it so are not advised, however cheap reading would be', async () => {
    const world = await openWorld(blog(100_000), posts(1))
    const advice = await world.prove(await world.record(1, repeated(20, () => '{ post(id: "p1") { tags { word text } } }')))
    const tags = relation(advice, 'Post.tags')
    expect(tags).toMatchObject({ advised: { way: 'referenced' }, change: false, proof: undefined, embedded: { impossible: expect.stringMatching(/^A full list would be 99\.6 MB, and a document holds 2 MB\.$/) } })
    expect(tags.embedded!.rate.requestCharge).toBeLessThan(tags.referenced.rate.requestCharge)
  })
})

describe('of records that do not fit', () => {
  test('fields and types that the schema does not have are named, and the rest is advised on', async () => {
    const other = await openWorld('type Book @document(container: "books") { id: ID! title: String! pages: Int } type Shelf @document(container: "s") { id: ID! name: String! }', { Book: [{ id: 'b1', title: 'x' }] })
    const strange = await other.record(1, ['{ book(id: "b1") { pages } }', 'mutation { createShelf(input: { name: "y" }) { shelf { name } } }'])
    const world = await openLibrary()
    const known = await world.record(1, ['{ book(id: "b1") { house { name } } }'])
    const advice = await world.prove({ ...known, operations: [...known.operations, ...strange.operations], types: { ...known.types, ...strange.types }, relations: { ...known.relations, 'Gone.away': { resolved: 1, covered: 0, documents: 0, rewritten: 0, beyond: {} } } })
    expect(advice.unknown).toEqual(['Book.pages', 'CreateShelfPayload.shelf', 'Gone.away', 'Mutation.createShelf', 'Shelf', 'Shelf.name'])
    expect(relation(advice, 'Book.house').advised.way).toBe('embedded')
    expect(adviceLines(advice).find((line) => line.includes('does not have'))).toBe('  This schema does not have Book.pages, CreateShelfPayload.shelf, Gone.away, Mutation.createShelf, Shelf, Shelf.name: what was recorded of them is left out.')
  })

  test('a field that has become something else is not asked for any more', async () => {
    const other = await openWorld('type Book @document(container: "books") { id: ID! title: House @reference(at: "title") } type House @document(container: "houses") { id: ID! name: String! }', { Book: [{ id: 'b1' }] })
    const world = await openLibrary()
    const advice = await world.prove(await other.record(1, ['{ book(id: "b1") { title { name } } }', '{ house(id: "h1") { name } }']))
    expect(advice).toMatchObject({ unknown: ['Query.book'], relations: [], replayed: { failed: [], sent: 1 } })
  })

  test('a store without documents gives advice without a proof of much', async () => {
    const full = await openLibrary()
    const workload = await full.record(1, ['{ book(id: "b1") { house { name } } }', '{ books { nodes { house { name } } } }', 'mutation { updateHouse(input: { id: "h1", name: "Other" }) { house { name } } }'])
    const empty = await openWorld(library(), {})
    const advice = await empty.prove(workload)
    expect(relation(advice, 'Book.house').proof!.measured.requestCharge).toBeGreaterThan(0)
    expect(advice.replayed.leftOut).toEqual(['updates of House (name)'])
  })

  test('changes that no input makes, and operations without room, are said to be left out', async () => {
    const world = await openLibrary()
    const workload = await world.record(0.5, ['{ book(id: "b1") { house { name } } }'])
    const advice = await world.prove({ ...workload, leftOut: { operations: 3, changes: 1, names: 0 }, types: { Book: { created: 0, deleted: 0, rewritten: 0, measured: 0, bytes: 0, updated: { reviews: 2 }, lists: {} } } })
    expect(adviceLines(advice)).toEqual(expect.arrayContaining([
      '  Less than an hour was recorded, and is taken to go on like that.',
      '  3 operations found no room in the record, and are not part of this.',
      '  1 change could not be told apart in the record.',
      '  Not replayed, because no input makes such a change: updates of Book (reviews).',
    ]))
  })
})

test('the report has every relation with its charts, and asks for nothing', async () => {
  const world = await openLibrary()
  const advice = await world.prove(await world.record(1, ['{ book(id: "b1") { house { name } } }', '{ house(id: "h1") { books { totalCount } } }']))
  const report = adviceReport(advice)
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
