// Aggregates on every store: what `booksAggregate` answers equals what going through plain arrays gives, at the root and beside a
// list, by compiled plans, GraphQL.js and the naive strategy alike; one round trip at the root, one wave more for all parents.

import { print } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Viewer } from '../../src/auth/viewer.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import fc, { runs } from '../fast-check.ts'
import { expectCost } from '../calls.ts'
import { openGateway, stores, type Ask } from '../harness.ts'
import { recordingStore } from '../read/recording-store.ts'

const typeDefs = /* GraphQL */ `
  enum Genre { CRIME POETRY SCIENCE }
  type Publisher @document(container: "publishers") {
    id: ID!
    name: String! @indexed
    books: BookConnection! @reverse(of: "Book.publisher")
  }
  type Book @document(container: "books") {
    id: ID!
    title: String! @indexed
    price: Float @indexed
    pages: Int @indexed
    genre: Genre @indexed
    isSigned: Boolean @indexed
    note: String
    publisher: Publisher @snapshot(at: "publisher", fields: ["name"], indexed: ["name"])
    shop: Shop @reference(at: "shopNumber", numeric: true)
  }
  type Shop @document(container: "shops") { id: ID! city: String @indexed books: [Book!]! @reference(at: "books", inverseOf: "Book.shop") }
`

interface Book {
  readonly id: string
  readonly title: string
  readonly price: number | null
  readonly pages: number | null
  readonly genre: 'CRIME' | 'POETRY' | 'SCIENCE' | null
  readonly isSigned: boolean | null
  readonly publisher: { readonly id: string; readonly name: string } | null
  readonly shopNumber: number | null
}

const publishers = [{ id: 'p1', name: 'Ace' }, { id: 'p2', name: 'Baen' }, { id: 'p3', name: 'Cape' }]
const cyclic = <T>(values: readonly T[], at: number): T => values[at % values.length]!
const books: readonly Book[] = Array.from({ length: 40 }, (_, at) => ({
  id: `b${at}`,
  title: `Title ${(at * 7) % 40}`,
  price: cyclic([9.99, 0.1, 0.2, null, 12.5, 3], at),
  pages: cyclic([100, 250, null, 313], at),
  genre: cyclic(['CRIME', 'POETRY', null, 'SCIENCE', 'CRIME'] as const, at),
  isSigned: cyclic([true, false, null], at),
  publisher: cyclic([publishers[0]!, publishers[1]!, null], at),
  shopNumber: cyclic([1, 2, null, 2], at),
}))
const documents = { Publisher: publishers, Shop: [{ id: '1', city: 'Ulm' }, { id: '2', city: 'Bonn' }], Book: books as unknown as Record<string, never>[] }

const amounts = 'count sum { price pages } avg { price pages } min { title price pages } max { title price pages }'
const whole = `query ($filter: BookFilter, $groupBy: [BookAggregateField!]) {
  booksAggregate(filter: $filter, groupBy: $groupBy) { ${amounts} groups { keys { title price pages genre isSigned publisherId shopId } ${amounts} } }
}`
const beside = `query ($filter: BookFilter, $groupBy: [BookAggregateField!]) {
  shops { nodes { booksAggregate(filter: $filter, groupBy: $groupBy) { count groups { count } } } }
  publishers { nodes { id booksAggregate(filter: $filter, groupBy: $groupBy) { ${amounts} groups { keys { title price pages genre isSigned publisherId shopId } ${amounts} } } } }
}`

/** The oracle: plain arrays, added up one by one. */
function expected(all: readonly Book[], keys: readonly Key[]) {
  const groups = keys.length === 0 ? [] : [...Map.groupBy(all, (book) => JSON.stringify(keys.map((key) => keyOf[key](book)))).values()].toSorted((a, b) => inOrder(keys.map((key) => keyOf[key](a[0]!)), keys.map((key) => keyOf[key](b[0]!))))
  const none = { title: null, price: null, pages: null, genre: null, isSigned: null, publisherId: null, shopId: null }
  return { ...amountsOf(all), groups: groups.map((members) => ({ keys: { ...none, ...Object.fromEntries(keys.map((key) => [key, keyOf[key](members[0]!)])) }, ...amountsOf(members) })) }
}

function amountsOf(all: readonly Book[]) {
  const numbers = (name: 'price' | 'pages') => all.map((book) => book[name]).filter((value) => value !== null)
  const sum = (name: 'price' | 'pages') => Number(numbers(name).reduce((total, each) => total + each, 0).toPrecision(15))
  const avg = (name: 'price' | 'pages') => (numbers(name).length === 0 ? null : Number((numbers(name).reduce((total, each) => total + each, 0) / numbers(name).length).toPrecision(15)))
  const best = (pick: (...values: number[]) => number, name: 'price' | 'pages') => (numbers(name).length === 0 ? null : pick(...numbers(name)))
  const titles = all.map(({ title }) => title).toSorted()
  return {
    count: all.length,
    sum: { price: sum('price'), pages: sum('pages') },
    avg: { price: avg('price'), pages: avg('pages') },
    min: { title: titles[0] ?? null, price: best(Math.min, 'price'), pages: best(Math.min, 'pages') },
    max: { title: titles.at(-1) ?? null, price: best(Math.max, 'price'), pages: best(Math.max, 'pages') },
  }
}

type Key = 'title' | 'price' | 'pages' | 'genre' | 'isSigned' | 'publisherId' | 'shopId'
const keyOf: Record<Key, (book: Book) => string | number | boolean | null> = {
  title: ({ title }) => title, price: ({ price }) => price, pages: ({ pages }) => pages, genre: ({ genre }) => genre, isSigned: ({ isSigned }) => isSigned,
  publisherId: ({ publisher }) => publisher?.id ?? null, shopId: ({ shopNumber }) => (shopNumber === null ? null : String(shopNumber)),
}
const constants: Record<Key, string> = { title: 'TITLE', price: 'PRICE', pages: 'PAGES', genre: 'GENRE', isSigned: 'IS_SIGNED', publisherId: 'PUBLISHER_ID', shopId: 'SHOP_ID' }

function inOrder(a: readonly unknown[], b: readonly unknown[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  if (at < 0) return 0
  const [one, other] = [a[at], b[at]]
  if (one === null || other === null) return one === null ? -1 : 1
  return (one as number) < (other as number) ? -1 : 1
}

const filters: readonly (readonly [object, (book: Book) => boolean])[] = [
  [{}, () => true],
  [{ genre: { eq: 'CRIME' } }, ({ genre }) => genre === 'CRIME'],
  [{ price: { gt: 1 } }, ({ price }) => price !== null && price > 1],
  [{ title: { startsWith: 'Title 1' } }, ({ title }) => title.startsWith('Title 1')],
  [{ not: { isSigned: { eq: true } } }, ({ isSigned }) => isSigned !== true],
  [{ id: { in: ['b1', 'b2', 'nobody'] } }, ({ id }) => ['b1', 'b2'].includes(id)],
  [{ publisher: { name: { startsWith: 'A' } } }, ({ publisher }) => publisher?.name === 'Ace'],
  [{ shop: { city: { eq: 'Bonn' } } }, ({ shopNumber }) => shopNumber === 2],
  [{ title: { eq: 'nothing' } }, () => false],
]

describe.each(stores)('on $name', ({ store }) => {
  const opened = openGateway({ typeDefs, store, documents })
  const interpreted = openGateway({ typeDefs, store, documents, compiles: false })
  const naive = openGateway({ typeDefs, store, documents, strategy: 'naive' })
  const ways = async (): Promise<Ask[]> => Promise.all([opened, interpreted, naive])

  test('whatever is filtered and grouped by, all ways answer what plain arrays amount to', async () => {
    const keys = fc.uniqueArray(fc.constantFrom(...(Object.keys(constants) as Key[])), { maxLength: 3 })
    await fc.assert(fc.asyncProperty(fc.constantFrom(...filters), keys, async ([filter, keep], by) => {
      const variables = { filter, groupBy: by.map((key) => constants[key]) }
      const yardstick = await (await naive)(whole, { variables })
      for (const ask of await ways()) {
        const { data, errors, report } = await ask(whole, { variables })
        expect(errors).toBeUndefined()
        expect(data).toEqual({ booksAggregate: expected(books.filter(keep), by) })
        expectCost(report.naive, yardstick.report)
      }
      const yardstickBeside = await (await naive)(beside, { variables })
      for (const ask of await ways()) {
        const { data, errors, report } = await ask(beside, { variables })
        expect(errors).toBeUndefined()
        const ofShop = (number: number) => expected(books.filter((book) => keep(book) && book.shopNumber === number), by)
        expect(data!['shops']).toEqual({ nodes: [1, 2].map((number) => ({ booksAggregate: { count: ofShop(number).count, groups: ofShop(number).groups.map(({ count }) => ({ count })) } })) })
        expect(data).toMatchObject({ publishers: { nodes: publishers.map(({ id }) => ({ id, booksAggregate: expected(books.filter((book) => keep(book) && book.publisher?.id === id), by) })) } })
        expectCost(report.naive, yardstickBeside.report)
      }
    }), { seed: 20_261_118, numRuns: runs(40) })
  })

  test.each([
    ['over everything', '{ booksAggregate { sum { price } } }', 1, 1],
    ['by group, with the total', '{ booksAggregate(groupBy: [GENRE]) { count avg { price } groups { keys { genre } avg { price } } } }', 1, 1],
    ['filtered by a copy', '{ booksAggregate(filter: { publisher: { name: { eq: "Ace" } } }) { max { price } } }', 1, 1],
    ['filtered by what is looked up', '{ booksAggregate(filter: { shop: { city: { eq: "Ulm" } } }) { max { price } } }', 2, 2],
    ['a number alone', '{ booksAggregate { count } }', 1, 1],
    ['beside a list, for all parents', '{ publishers { nodes { booksAggregate { count avg { price } } } } }', 2, 2],
    ['twice beside a list, with one wave', '{ publishers { nodes { a: booksAggregate { count } b: booksAggregate(groupBy: [GENRE]) { groups { count } } } } }', 3, 2],
  ])('%s: round trips and waves', async (_, query, roundTrips, waves) => {
    for (const ask of [await opened, await interpreted]) {
      const { report: { made }, errors } = await ask(query)
      expect(errors).toBeUndefined()
      expect({ roundTrips: made.roundTrips, waves: made.waves }).toEqual({ roundTrips, waves })
    }
  })
})

const owned = /* GraphQL */ `
  type Album @document(container: "albums") { id: ID! photos: PhotoConnection! @reverse(of: "Photo.album") }
  type Photo @document(container: "photos") @readable(owner: "ownerId", roles: ["editor"]) {
    id: ID!
    ownerId: String! @indexed
    size: Int @indexed
    price: Float @indexed @readable(roles: ["editor"])
    album: Album @reference(at: "album")
  }
`
const viewers: Readonly<Record<string, Viewer>> = {
  ada: { id: 'ada', roles: new Set(), tenant: undefined },
  editor: { id: 'eva', roles: new Set(['editor']), tenant: undefined },
}
const photos = [{ id: 'f1', ownerId: 'ada', size: 3, price: 1 }, { id: 'f2', ownerId: 'bob', size: 5, price: 2 }].map((photo) => ({ ...photo, album: 'a1' }))

describe.each(stores)('under rules on $name', ({ store }) => {
  const opened = openGateway({
    typeDefs: owned, store, documents: { Album: [{ id: 'a1' }], Photo: photos }, identity: { viewerOf: (headers) => viewers[headers.get('authorization') ?? ''] },
  })
  const both = '{ photosAggregate(groupBy: [OWNER_ID]) { count sum { size } groups { keys { ownerId } } } albums { nodes { photosAggregate { count max { size } } } } }'

  test('documents that a viewer may not see are not aggregated', async () => {
    const ask = await opened
    expect((await ask(both, { headers: { authorization: 'ada' } })).data).toEqual({
      photosAggregate: { count: 1, sum: { size: 3 }, groups: [{ keys: { ownerId: 'ada' } }] }, albums: { nodes: [{ photosAggregate: { count: 1, max: { size: 3 } } }] },
    })
    expect((await ask(both, { headers: { authorization: 'editor' } })).data).toEqual({
      photosAggregate: { count: 2, sum: { size: 8 }, groups: [{ keys: { ownerId: 'ada' } }, { keys: { ownerId: 'bob' } }] }, albums: { nodes: [{ photosAggregate: { count: 2, max: { size: 5 } } }] },
    })
  })

  test.each(['{ photosAggregate { sum { price } } }', '{ photosAggregate(groupBy: [PRICE]) { groups { count } } }', '{ albums { nodes { photosAggregate { min { price } } } } }'])('a field that a viewer may not read is neither measured nor grouped by: %s', async (query) => {
    const ask = await opened
    expect((await ask(query, { headers: { authorization: 'ada' } })).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
    expect((await ask(query, { headers: { authorization: 'editor' } })).errors).toBeUndefined()
    expect((await ask(query)).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })
})

const groupsOf = (first: number) => `{ publishers(first: ${first}) { nodes { booksAggregate(groupBy: [GENRE]) { groups { count } } } } }`

describe('what is refused', () => {
  const many = Array.from({ length: 1001 }, (_, at) => ({ id: `b${at}`, title: `${at}`, publisher: publishers[0]! }))

  test.each(stores)('more than 1000 groups, on $name', async ({ store }) => {
    const ask = await openGateway({ typeDefs, store, documents: { Publisher: publishers, Book: many } })
    for (const query of ['{ booksAggregate(groupBy: [TITLE]) { groups { count } } }', '{ publishers { nodes { booksAggregate(groupBy: [TITLE]) { groups { count } } } } }']) {
      const [error] = (await ask(query)).errors!
      expect(error).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
      expect(error!.message).toMatch(/booksAggregate: there are more than 1000 groups\./)
    }
    expect((await ask('{ booksAggregate(groupBy: [TITLE]) { count } }')).data).toEqual({ booksAggregate: { count: 1001 } })
  })

  test('groups by more than four fields', async () => {
    const ask = await openGateway({ typeDefs, store: openMemoryStore })
    expect((await ask('{ booksAggregate(groupBy: [TITLE, PRICE, PAGES, GENRE, IS_SIGNED, TITLE]) { groups { count } } }')).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect((await ask('{ booksAggregate(groupBy: [TITLE, PRICE, PAGES, GENRE, TITLE]) { groups { count } } }')).data).toEqual({ booksAggregate: { groups: [] } })
  })

  test('groups for so many parents that they could be too costly, before anything is read', async () => {
    const recording = recordingStore(await openMemoryStore(readDeclaration(typeDefs).layout))
    const ask = await openGateway({ typeDefs, store: async () => recording.store, development: false, openReads: true, cursorSecret: 'tests' })
    recording.calls.length = 0
    for (let time = 0; time < 2; time++) expect((await ask(groupsOf(1000))).errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COSTLY', dearest: { field: 'Publisher.booksAggregate' } } }])
    const wide = `{ ${Array.from({ length: 101 }, (_, at) => `a${at}: booksAggregate(filter: { title: { eq: "${at}" } }) { sum { price } }`).join(' ')} }`
    expect((await ask(wide)).errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COSTLY' } }])
    expect(recording.calls).toEqual([])
    expect((await ask(groupsOf(20))).errors).toBeUndefined()
  })

  test.each([
    ['a field that has the name of an aggregate', 'type A @document(container: "a") { id: ID! bs: BConnection! @reverse(of: "B.a") bsAggregate: Int } type B @document(container: "b") { id: ID! a: A @reference(at: "a") }', /A\.bsAggregate: Quire adds a field of this name/],
    ['a type that has the name of an aggregate', 'type A @document(container: "a") { id: ID! n: Int @indexed } type AAggregate @document(container: "x") { id: ID! }', /AAggregate: Quire generates a type of this name for A/],
    ['a root field of that name', 'type A @document(container: "a") { id: ID! n: Int @indexed } extend type Query { asAggregate: Int }', /Query\.asAggregate: Quire generates a field of this name for A/],
  ])('%s', (_, sdl, problem) => {
    expect(() => readDeclaration(sdl)).toThrow(problem)
  })

  test('nothing is aggregated that no index has', () => {
    const { sdl } = readDeclaration('type A @document(container: "a") { id: ID! n: Int } type B @document(container: "b") { id: ID! n: Int m: Int @indexed }')
    expect(print(sdl)).not.toContain('asAggregate')
    const [numbers] = /type BAggregateNumbers \{[^}]*\}/.exec(print(sdl))!
    expect(numbers).toMatch(/\bm: Float/)
    expect(numbers).not.toMatch(/\bn: /)
  })
})
