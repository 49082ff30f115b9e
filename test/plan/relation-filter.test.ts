// Filters by what a relation shows, on every store: from copies and by lookups alike they find what a plain filter over plain
// documents finds; copies take one round trip, lookups one wave more.

import { describe, expect, test } from 'vitest'
import fc, { runs } from '../fast-check.ts'
import { openGateway, stores, type Answer, type Ask } from '../harness.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'

const typeDefs = /* GraphQL */ `
  type Author @document(container: "authors") {
    id: ID!
    first: String!
    last: String @indexed
    born: Int @indexed
    name: String! @derived
  }
  type House @document(container: "houses") { id: ID! city: String @indexed }
  type Book @document(container: "books") {
    id: ID!
    title: String @indexed
    authors: [Author!]! @snapshot(at: "by", fields: ["name", "last", "born"], indexed: ["name", "last"])
    editor: Author @snapshot(at: "editor", fields: ["last"], indexed: ["last"])
    translators: [Author!]! @reference(at: "translators")
    house: House @reference(at: "houseNumber", numeric: true)
  }
`

type Author = { readonly id: string; readonly first: string; readonly last: string | null; readonly born?: number }

const authors: readonly Author[] = [
  { id: 'a1', first: 'Ann', last: 'Tor', born: 1950 }, { id: 'a2', first: 'Bob', last: 'Tor', born: 1970 },
  { id: 'a3', first: 'Cid', last: 'Ute' }, { id: 'a4', first: 'Tom', last: null, born: 1970 },
]
const houses = [{ id: '1', city: 'Ulm' }, { id: '2', city: 'Bonn' }, { id: '3' }]
const name = ({ first, last }: { readonly first?: unknown; readonly last?: unknown }) => `${String(first)} ${String(last ?? '')}`
const books = [
  { id: 'b1', authors: ['a1', 'a3'], editor: 'a2', translators: ['a2'], house: '1' },
  { id: 'b2', authors: ['a2'], editor: 'a4', translators: [], house: '2' },
  { id: 'b3', authors: [], editor: null, translators: ['a1', 'a4'], house: null },
  { id: 'b4', authors: ['a4', 'a1'], editor: 'a3', translators: ['a3'], house: '3' },
  { id: 'b5', authors: ['a4'], editor: null, translators: ['a4'], house: '1' },
]
const authorOf = (id: string) => authors.find((author) => author.id === id)!
const documents = {
  Author: authors,
  House: houses,
  Book: books.map(({ id, authors: by, editor, translators, house }) => ({
    id, title: id, translators, houseNumber: house === null ? null : Number(house),
    by: by.map((each) => ({ id: each, name: name(authorOf(each)), last: authorOf(each).last, born: authorOf(each).born ?? null })),
    editor: editor === null ? null : { id: editor, last: authorOf(editor).last },
  })),
}

const derive = { Author: { name } }
const asked = 'query ($filter: BookFilter) { books(filter: $filter) { totalCount nodes { id } } }'
const page = 'query ($filter: BookFilter) { books(filter: $filter) { nodes { id } } }'

async function found(ask: Ask, filter: object, headers?: Record<string, string>): Promise<string[]> {
  const { data, errors } = await ask(asked, { variables: { filter }, ...(headers ? { headers } : {}) })
  expect(errors).toBeUndefined()
  const { totalCount, nodes } = (data as { books: { totalCount: number; nodes: { id: string }[] } }).books
  expect(totalCount).toBe(nodes.length)
  return nodes.map(({ id }) => id)
}

type Keep<T> = (one: T) => boolean
type Of<T> = readonly [object, Keep<T>]

const ofAuthor: readonly Of<Author>[] = [
  [{ last: { eq: 'Tor' } }, ({ last }) => last === 'Tor'],
  [{ last: { ne: 'Tor' } }, ({ last }) => last !== 'Tor'],
  [{ last: { isNull: true } }, ({ last }) => last === null],
  [{ last: { in: ['Ute', 'nobody'] } }, ({ last }) => last === 'Ute'],
  [{ last: { gte: 'U' } }, ({ last }) => last !== null && last >= 'U'],
  [{ last: { icontains: 'T' } }, ({ last }) => last?.toLowerCase().includes('t') === true],
]
const born: readonly Of<Author>[] = [
  [{ born: { gt: 1960 } }, (author) => (author.born ?? 0) > 1960],
  [{ last: { eq: 'Tor' }, born: { eq: 1970 } }, (author) => author.last === 'Tor' && author.born === 1970],
]
const named: readonly Of<Author>[] = [
  [{ name: { startsWith: 'T' } }, (author) => name(author).startsWith('T')],
  [{ name: { startsWith: 'A' }, last: { eq: 'Tor' } }, (author) => name(author).startsWith('A') && author.last === 'Tor'],
]

function combined<T>(leaves: readonly Of<T>[]): fc.Arbitrary<Of<T>> {
  return fc.letrec<{ any: Of<T> }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      fc.constantFrom(...leaves),
      tie('any').map(([filter, keep]): Of<T> => [{ not: filter }, (one) => !keep(one)]),
      fc.tuple(tie('any'), tie('any')).map(([[a, keepA], [b, keepB]]): Of<T> => [{ and: [a, b] }, (one) => keepA(one) && keepB(one)]),
      fc.tuple(tie('any'), tie('any')).map(([[a, keepA], [b, keepB]]): Of<T> => [{ or: [a, b] }, (one) => keepA(one) || keepB(one)]),
    ),
  })).any
}

type Book = (typeof books)[number]

function ofList(field: string, idsIn: (book: Book) => readonly string[], one: fc.Arbitrary<Of<Author>>): fc.Arbitrary<Of<Book>> {
  return fc.tuple(fc.constantFrom('some', 'none', 'every'), one).map(([quantifier, [filter, keep]]) => [{ [field]: { [quantifier]: filter } }, (book) => {
    const matching = new Set(idsIn(book).map((id) => keep(authorOf(id))))
    return quantifier === 'some' ? matching.has(true) : quantifier === 'none' ? !matching.has(true) : !matching.has(false)
  }])
}

const copied = combined([...ofAuthor, ...named])
const ofBook: fc.Arbitrary<Of<Book>> = fc.oneof(
  ofList('authors', ({ authors: by }) => by, copied),
  ofList('authors', ({ authors: by }) => by, combined([...ofAuthor, ...born])),
  ofList('translators', ({ translators }) => translators, combined([...ofAuthor, ...born])),
  combined(ofAuthor).map(([filter, keep]): Of<Book> => [{ editor: filter }, ({ editor }) => editor !== null && keep(authorOf(editor))]),
  combined<(typeof houses)[number]>([[{ city: { eq: 'Ulm' } }, ({ city }) => city === 'Ulm'], [{ city: { ne: 'Ulm' } }, ({ city }) => city !== 'Ulm']])
    .map(([filter, keep]): Of<Book> => [{ house: filter }, ({ house }) => house !== null && keep(houses.find(({ id }) => id === house)!)]),
)
/** `name` has no index in Author, so only copies can be filtered by it. */
const canBeLookedUp = ([filter]: Of<Book>): boolean => !JSON.stringify(filter).includes('"name"')

const plain = { roundTrips: 1, waves: 1 }

function made({ report: { made: { roundTrips, waves } } }: Answer) {
  return { roundTrips, waves }
}

describe.each(stores)('on $name', ({ store }) => {
  const opened = openGateway({ typeDefs, derive, store, documents })
  const naive = openGateway({ typeDefs, derive, store, documents, strategy: 'naive' })
  const interpreted = openGateway({ typeDefs, derive, store, documents, compiles: false })
  const aged = openGateway({ typeDefs, derive, store, documents, freshness: () => ({ boundMs: 60_000, watermark: 0 }) })

  test('copies, lookups and the naive strategy find what looking at each document does', async () => {
    await fc.assert(fc.asyncProperty(ofBook, async (one) => {
      const [filter, keep] = one
      const expected = books.filter(keep).map(({ id }) => id)
      for (const ask of [await opened, await interpreted, await naive, await aged]) expect(await found(ask, filter)).toEqual(expected)
      if (canBeLookedUp(one)) expect(await found(await aged, filter, { 'quire-max-stale-ms': '0' })).toEqual(expected)
    }), { seed: 20_261_118, numRuns: runs(80) })
  })

  test('beside other conditions, and several relations at once', async () => {
    const filter = { title: { gte: 'b2' }, or: [{ authors: { some: { last: { eq: 'Tor' } } } }, { editor: { last: { eq: 'Ute' } } }], not: { house: { city: { eq: 'Ulm' } } } }
    for (const ask of [await opened, await naive]) expect(await found(ask, filter)).toEqual(['b2', 'b4'])
  })

  test.each([
    ['by a copied field', { authors: { some: { name: { startsWith: 'T' } } } }, plain, 'SNAPSHOT'],
    ['by a copied field of one document', { editor: { last: { eq: 'Tor' } } }, plain, 'SNAPSHOT'],
    ['by a field that is copied without an index', { authors: { some: { born: { gt: 1960 } } } }, { roundTrips: 2, waves: 2 }, 'REFERENCE'],
    ['by a field that is not copied', { house: { city: { eq: 'Ulm' } } }, { roundTrips: 2, waves: 2 }, 'REFERENCE'],
  ])('%s: round trips, waves and the reason', async (_, filter, expected, from) => {
    const ask = await opened
    const answer = await ask(page, { variables: { filter } })
    expect(made(answer)).toEqual(expected)
    expect(answer.report.relations.map((relation) => [relation.field, relation.from])).toEqual([[`Book.${Object.keys(filter)[0]}`, from]])
  })

  test('two lookups travel together', async () => {
    const answer = await (await opened)(page, { variables: { filter: { house: { city: { eq: 'Ulm' } }, translators: { some: { last: { eq: 'Tor' } } } } } })
    expect(made(answer)).toEqual({ roundTrips: 3, waves: 2 })
  })

  test('the naive figures are those of a naive run', async () => {
    for (const filter of [{ authors: { some: { last: { eq: 'Tor' } } } }, { editor: { last: { ne: 'Tor' } } }, { house: { city: { eq: 'Ulm' } } }, { authors: { every: { last: { eq: 'Tor' } } }, house: { city: { eq: 'Ulm' } } }]) {
      const answer = await (await opened)(page, { variables: { filter } })
      const alone = await (await naive)(page, { variables: { filter } })
      expect(answer.report.naive, JSON.stringify(filter)).toEqual(alone.report.made)
      expect(alone.report.naive).toEqual(alone.report.made)
    }
  })

  test('copies that are too old are not asked, and what only they have is refused', async () => {
    const ask = await aged
    const headers = { 'quire-max-stale-ms': '1000' }
    const answer = await ask(page, { variables: { filter: { authors: { some: { last: { eq: 'Tor' } } } } }, headers })
    expect([made(answer).waves, answer.report.relations[0]?.from, answer.report.staleness.boundMs]).toEqual([2, 'REFERENCE', 0])
    const { errors } = await ask(page, { variables: { filter: { authors: { some: { name: { startsWith: 'T' } } } } }, headers })
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['STALE_FILTER'])
    const young = await ask(page, { variables: { filter: { authors: { some: { name: { startsWith: 'T' } } } } } })
    expect([made(young), young.report.staleness.boundMs]).toEqual([plain, 60_000])
  })

  test.each(['0', '1'])('what copies and documents have an index of apart is refused with the index to declare, however old copies may be, traced: %s', async (trace) => {
    for (const ask of [await opened, await aged]) {
      for (const headers of [{}, { 'quire-max-stale-ms': '0' }]) {
        const { errors } = await ask(page, { variables: { filter: { authors: { none: { name: { isNull: false }, born: { gt: 1960 } } } } }, headers: { ...headers, 'quire-trace': trace } })
        expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' }, message: expect.stringContaining('indexed: ["name","last","born"]') as unknown }])
      }
    }
  })

  test('copies answer what only they have an index of, also where the request says REFERENCE', async () => {
    for (const [field, expected, from] of [['last', { roundTrips: 2, waves: 2 }, 'REFERENCE'], ['name', plain, 'SNAPSHOT']] as const) {
      const answer = await (await opened)(`query @read(from: REFERENCE) { books(filter: { authors: { some: { ${field}: { startsWith: "T" } } } }) { nodes { id } } }`)
      expect([made(answer), answer.report.relations.map((relation) => relation.from)]).toEqual([expected, [from]])
    }
  })

  test('what a rename writes is found by', async () => {
    const ask = await openGateway({ typeDefs, derive, store, documents, settles: true })
    await ask('mutation { updateAuthor(input: { id: "a3", first: "Tim" }) { author { id } } }')
    expect(await found(ask, { authors: { some: { name: { startsWith: 'Tim' } } } })).toEqual(['b1'])
    await ask.close()
  })

  test('targets that are too many are refused with what to do', async () => {
    const many = Array.from({ length: 1001 }, (_, at) => ({ id: `m${at}`, first: 'M', last: 'Many', born: 1900 }))
    const ask = await openGateway({ typeDefs, derive, store, documents: { ...documents, Author: [...authors, ...many] } })
    const { errors } = await ask(page, { variables: { filter: { translators: { some: { last: { eq: 'Many' } } } } } })
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
    expect(await found(ask, { authors: { some: { last: { eq: 'Many' } } } })).toEqual([])
    await ask.close()
  })

  test.each([
    [{ authors: { some: {} } }, ['b1', 'b2', 'b4', 'b5']],
    [{ authors: { some: { and: [{}, { last: null }, { born: { gt: null } }] } } }, ['b1', 'b2', 'b4', 'b5']],
    [{ authors: { none: {} } }, ['b3']],
    [{ authors: { every: {} } }, ['b1', 'b2', 'b3', 'b4', 'b5']],
    [{ authors: { every: { not: {} } } }, ['b3']],
    [{ authors: { none: { or: [] } } }, ['b1', 'b2', 'b3', 'b4', 'b5']],
    [{ translators: { some: {} } }, ['b1', 'b3', 'b4', 'b5']],
    [{ editor: {} }, ['b1', 'b2', 'b4']],
    [{ house: {} }, ['b1', 'b2', 'b4', 'b5']],
    [{ house: { not: {} } }, []],
    [{ house: null, authors: null }, ['b1', 'b2', 'b3', 'b4', 'b5']],
    [{ authors: {} }, ['b1', 'b2', 'b3', 'b4', 'b5']],
  ])('%j asks whether there is any', async (filter, expected) => {
    for (const ask of [await opened, await naive]) expect(await found(ask, filter)).toEqual(expected)
    // What nothing can meet need not be asked.
    expect(made(await (await opened)(page, { variables: { filter } })).roundTrips).toBeLessThanOrEqual(1)
  })

  test.each([
    ['too many lookups', { or: Array.from({ length: 6 }, () => ({ house: { city: { eq: 'Ulm' } } })) }],
  ])('a condition that asks for %s is bad input', async (_, filter) => {
    const { errors } = await (await opened)(page, { variables: { filter } })
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
  })
})

test.each([
  ['a field that is not copied', 'fields: ["last"], indexed: ["born"]', 'Book.authors'],
  ['a field that is no scalar', 'fields: ["tags"], indexed: ["tags"]', 'Book.authors'],
])('%s cannot be indexed', (_, args, coordinate) => {
  const sdl = `
    type Author @document(container: "authors") { id: ID! last: String born: Int tags: [String!]! @contained(max: 3) }
    type Book @document(container: "books") { id: ID! authors: [Author!]! @snapshot(at: "by", ${args}) }
  `
  expect(() => readDeclaration(sdl)).toThrow(coordinate)
})
