// A schema that changes under stored documents: every edit is answered right, or refused with a line that says what differs, and nothing is
// lost. What a migration can do, it does; afterwards the answers are right.

import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { confirmAll } from '../../../src/evolve/confirm-all.ts'
import { MigrationNeededError } from '../../../src/evolve/declared/migration-errors.ts'
import { applyMigration } from '../../../src/evolve/migrate/apply-migration.ts'
import { planMigration, type Answers } from '../../../src/evolve/migrate/plan-migration.ts'
import type { Body, Json } from '../../../src/model/json/json.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { ownContainer, ownKey } from '../../../src/store/own-container.ts'
import type { Store } from '../../../src/store/store.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { account } from '../../store/cosmos/local.ts'
import { earlyTimers } from '../../fast-clock.ts'
import { openGateway, stores, type Ask, type Documents } from '../../harness.ts'

const author = (fields: string, document = 'container: "authors"'): string => `type Author @document(${document}) { id: ID! name: String! ${fields} }`
const book = (fields: string, document = 'container: "books"'): string => `type Book @document(${document}) { id: ID! ${fields} }`
const reverse = 'books: BookConnection! @reverse(of: "Book.authors")'
const old = book('title: String! @indexed year: Int @indexed authors: [Author!]! @snapshot(at: "authors", fields: ["name"])') + author(reverse)

const documents = {
  Book: [{ id: 'b1', title: 'One', year: 2008, authors: [{ id: 'a1', name: 'Ann' }, { id: 'a2', name: 'Ben' }] }, { id: 'b2', title: 'Two', year: 2009, authors: [{ id: 'a2', name: 'Ben' }] }],
  Author: [{ id: 'a1', name: 'Ann' }, { id: 'a2', name: 'Ben' }],
}

const nothingSaid: Answers = { renamed: new Map(), dropped: new Set(), defaults: new Map() }

const shop = (field: string): string => `type Shop @document(container: "books") { id: ID! name: String! address: Address } type Address { ${field}: String! }`
const zoo = (values: string, members = 'Hay | Fish'): string => `enum Size { ${values} } union Food = ${members} type Hay @shape(has: "bales") { bales: Int! } type Fish @shape(has: "kilos") { kilos: Float! } type Cage @document(container: "books") { id: ID! size: Size @indexed sizes: [Size!]! @contained(max: 9) food: Food }`
const fed = (field: string): string => `union Food = Hay | Fish type Hay @shape(has: "bales") { bales: Int! ${field} } type Fish @shape(has: "kilos") { kilos: Float! } type Cage @document(container: "books") { id: ID! food: Food }`

interface Edit {
  readonly edited: string
  /** What the refusal says. */
  readonly refused: RegExp
  readonly answers?: Partial<Answers>
  /** After a migration: what is asked and answered; without, no migration is possible. */
  readonly migrated?: readonly [ask: string, answer: object]
  /** A store that does not outlive its process recomputes by itself. */
  readonly recomputed?: true
}

const everything: Edit['migrated'] = ['{ books { nodes { title authors { name } } } author(id: "a2") { name books { totalCount } } }', { books: { nodes: [{ title: 'One', authors: [{ name: 'Ann' }, { name: 'Ben' }] }, { title: 'Two', authors: [{ name: 'Ben' }] }] }, author: { name: 'Ben', books: { totalCount: 2 } } }]

const edits: Readonly<Record<string, Edit>> = {
  'another container': { edited: old.replace('"authors")', '"writers")'), refused: /Author .*"authors".*"writers"/, migrated: everything },
  'another type': { edited: old.replace('container: "authors")', 'container: "authors", type: "author")'), refused: /Author .*type none.*"author"/, migrated: everything },
  'another property of a relation': {
    edited: old.replace('at: "authors"', 'at: "writtenBy"'), refused: /Book\.authors .*"authors".*"writtenBy"/,
    migrated: ['{ books { nodes { authors { name } } } author(id: "a2") { books { totalCount } } }', { books: { nodes: [{ authors: [{ name: 'Ann' }, { name: 'Ben' }] }, { authors: [{ name: 'Ben' }] }] }, author: { books: { totalCount: 2 } } }],
  },
  'a snapshot becomes a reference': {
    edited: old.replace('@snapshot(at: "authors", fields: ["name"])', '@reference(at: "authors")'), refused: /Book\.authors .*@snapshot.*@reference/, recomputed: true,
    migrated: ['{ books { nodes { authors { name } } } author(id: "a2") { books { totalCount } } }', { books: { nodes: [{ authors: [{ name: 'Ann' }, { name: 'Ben' }] }, { authors: [{ name: 'Ben' }] }] }, author: { books: { totalCount: 2 } } }],
  },
  'a reference becomes what is read backwards': { edited: `${book('title: String! year: Int author: Author @reference(at: "authorId") authors: AuthorConnection! @reverse(of: "Author.book")')} ${author('book: Book @reference(at: "bookId")')}`, refused: /Book\.authors .*@snapshot.*@reverse/ },
  'a renamed field': {
    edited: old.replace('title: String!', 'name: String!'), refused: /Book\.title .*name is new/, answers: { renamed: new Map([['Book.title', 'name']]) },
    migrated: ['{ books(filter: { name: { eq: "Two" } }) { nodes { id name } } }', { books: { nodes: [{ id: 'b2', name: 'Two' }] } }],
  },
  'a renamed field that may be null': {
    edited: old.replace('year: Int', 'published: Int'), refused: /Book\.year .*published is new/, answers: { renamed: new Map([['Book.year', 'published']]) },
    migrated: ['{ books(filter: { published: { gt: 2008 } }) { nodes { id } } }', { books: { nodes: [{ id: 'b2' }] } }],
  },
  'a field dropped and another added': {
    edited: old.replace('year: Int', 'pages: Int'), refused: /Book\.year .*pages is new/, answers: { dropped: new Set(['Book.year']) },
    migrated: ['{ books { nodes { title pages } } }', { books: { nodes: [{ title: 'One', pages: null }, { title: 'Two', pages: null }] } }],
  },
  'a new required field': {
    edited: old.replace('year: Int', 'price: Float! year: Int'), refused: /Book\.price .*lack it/, answers: { defaults: new Map<string, Json>([['Book.price', 0]]) },
    migrated: ['{ books { nodes { price year } } }', { books: { nodes: [{ price: 0, year: 2008 }, { price: 0, year: 2009 }] } }],
  },
  'a number becomes text': {
    edited: old.replace('year: Int', 'year: String'), refused: /Book\.year was Int and is String/,
    migrated: ['{ books(filter: { year: { eq: "2008" } }) { nodes { year } } }', { books: { nodes: [{ year: '2008' }] } }],
  },
  'text that is no number becomes a number': { edited: old.replace('title: String!', 'title: Int!'), refused: /Book\.title was String! and is Int!/ },
}

describe.for(stores)('on $name', ({ name: storeName, store: open }) => {
  test.each(Object.entries(edits))('%s', async (name, { edited, refused, answers, migrated, recomputed }) => {
    const store = await kept(open, [old, edited])
    const before = await served(store, old, documents)
    expect((await before('{ books { nodes { title year authors { name } } } author(id: "a2") { books { totalCount } } }')).errors).toBeUndefined()
    const bodies = await all(store)
    const isRefused = !(recomputed && !store.supports.durable)
    if (isRefused) await expect(served(store, edited)).rejects.toThrow(refused)
    expect(await all(store)).toEqual(bodies)

    const declaration = readDeclaration(edited)
    const noAnswers: Answers = { renamed: new Map(), dropped: new Set(), defaults: new Map() }
    const unclear = await planMigration(declaration, store, noAnswers)
    expect(unclear.length, name).toBeGreaterThan(0)
    await stopAll()
    if (answers || !migrated) await expect(applyMigration(declaration, store, unclear, noAnswers, { keep: () => {}, silenceMs: 0 })).rejects.toThrow(/Nothing was changed/)
    expect(await all(store)).toEqual(bodies)
    // The old schema is served as before.
    expect((await (await served(store, old))('{ books { totalCount } }')).data).toEqual({ books: { totalCount: 2 } })
    if (!migrated) return

    const steps = await planMigration(declaration, store, { ...noAnswers, ...answers })
    await stopAll()
    const taken: unknown[] = []
    await applyMigration(declaration, store, steps, { ...noAnswers, ...answers }, { keep: (each) => void taken.push(...each), silenceMs: 0 })
    expect(await planMigration(declaration, store, noAnswers)).toEqual([])
    const [ask, answer] = migrated
    expect(await (await served(store, edited))(ask)).toMatchObject({ data: answer, errors: undefined })
    expect(await Array.fromAsync(checkStore(declaration, store))).toEqual([])
    // A second run finds nothing to do.
    await stopAll()
    const after = await all(store)
    await applyMigration(declaration, store, await planMigration(declaration, store, noAnswers), noAnswers, { keep: () => {}, silenceMs: 0 })
    expect(await all(store)).toEqual(after)
  })

  test('another partition key is refused, and migrated where a container can have another', async () => {
    const store = await kept(open, [old.replace('name: String!', 'name: String! @indexed')])
    await served(store, old, documents)
    const edited = old.replace('"authors")', '"authors", partitionKey: "/name")').replace('name: String!', 'name: String! @indexed')
    await expect(served(store, edited)).rejects.toThrow(/Author .*"\/id".*"\/name"/)
    // On Cosmos DB a container has its partition key for ever.
    if (storeName === 'cosmos') return
    await stopAll()
    const [declaration, none]: [ReturnType<typeof readDeclaration>, Answers] = [readDeclaration(edited), { renamed: new Map(), dropped: new Set(), defaults: new Map() }]
    await applyMigration(declaration, store, await planMigration(declaration, store, none), none, { keep: () => {}, silenceMs: 0 })
    expect((await (await served(store, edited))('{ authors(filter: { name: { eq: "Ben" } }) { nodes { id } } author(id: "a1") { name } }')).data).toEqual({ authors: { nodes: [{ id: 'a2' }] }, author: { name: 'Ann' } })
    expect(await Array.fromAsync(checkStore(declaration, store))).toEqual([])
  })

  test.each([
    ['a new type', `${old} type Shelf @document(container: "shelves") { id: ID! label: String! }`],
    ['a new field that may be null', old.replace('year: Int', 'pages: Int year: Int')],
    ['a new relation', old.replace('year: Int', 'next: Book @reference(at: "nextId") year: Int')],
    ['a description', old.replace('year: Int', '"When." year: Int')],
    ['a dropped field', old.replace('year: Int @indexed', '')],
    ['a renamed field that is stored as before', old.replace('year: Int', 'published: Int @stored(at: "year")')],
    ['a renamed type', old.replaceAll('Author', 'Writer').replace('books: Book', 'books: Book')],
    ['a wider number', old.replace('year: Int', 'year: Float')],
    ['a field that may be null now', old.replace('title: String!', 'title: String')],
    ['a required field that every document has', old.replace('year: Int', 'year: Int!')],
    ['fewer copied fields', old.replace('fields: ["name"]', 'fields: []')],
  ])('%s needs nothing', async (_, edited) => {
    const store = await kept(open, [old, edited])
    await served(store, old, documents)
    expect((await (await served(store, edited))('{ books { nodes { id authors { id } } } }')).data).toEqual({ books: { nodes: [{ id: 'b1', authors: [{ id: 'a1' }, { id: 'a2' }] }, { id: 'b2', authors: [{ id: 'a2' }] }] } })
    // And back again.
    expect((await (await served(store, old))('{ books { totalCount } }')).data).toEqual({ books: { totalCount: 2 } })
  })

  test('every document is asked, and not the first ones alone', async () => {
    const priced = old.replace('year: Int', 'price: Float year: Int')
    const many = Array.from({ length: 150 }, (_, number) => ({ id: `b${1000 + number}`, title: `Book ${number}`, authors: [], ...(number < 120 ? { price: 1 } : { year: 2008 }) }))
    const [text, required] = [priced.replace('year: Int', 'year: String'), priced.replace('price: Float', 'price: Float!')]
    const store = await kept(open, [priced, text, required])
    await served(store, priced, { Book: many })
    await expect(served(store, text)).rejects.toThrow(/Book\.year was Int and is String, and documents have values that do not fit/)
    await expect(served(store, required)).rejects.toThrow(/Book\.price was Float and is Float!, and documents lack it/)
    await stopAll()
    await applyMigration(readDeclaration(text), store, await planMigration(readDeclaration(text), store, nothingSaid), nothingSaid, { keep: () => {}, silenceMs: 0 })
    expect((await (await served(store, text))('{ books(filter: { year: { eq: "2008" } }) { totalCount } }')).data).toEqual({ books: { totalCount: 30 } })
  })

  test('documents are asked where they are, if they move, too', async () => {
    const edited = old.replace('"books")', '"volumes")').replace('year: Int', 'price: Float! year: Int')
    const store = await kept(open, [old, edited])
    const openWith = (): Promise<Store> => Promise.resolve(store)
    await served(store, old, documents)
    await expect(served(store, edited)).rejects.toThrow(/Book .*"books".*"volumes".*\n.*Book\.price is new, and documents lack it/)
    await stopAll()
    const declaration = readDeclaration(edited)
    await expect(applyMigration(declaration, store, await planMigration(declaration, store, nothingSaid, openWith), nothingSaid, { keep: () => {}, silenceMs: 0 })).rejects.toThrow(/Nothing was changed.*\n.*--default Book\.price=VALUE/)
    const answers: Answers = { ...nothingSaid, defaults: new Map<string, Json>([['Book.price', 1.5]]) }
    await applyMigration(declaration, store, await planMigration(declaration, store, answers, openWith), answers, { keep: () => {}, silenceMs: 0 })
    expect((await (await served(store, edited))('{ books { nodes { title price } } }')).data).toEqual({ books: { nodes: [{ title: 'One', price: 1.5 }, { title: 'Two', price: 1.5 }] } })
  })

  test('a field of objects is renamed, and back', async () => {
    const store = await kept(open, [shop('city'), shop('town')])
    await served(store, shop('city'), { Shop: [{ id: 's1', name: 'One', address: { city: 'Ulm' } }] })
    for (const [from, to] of [['city', 'town'], ['town', 'city'], ['city', 'town']] as const) {
      await stopAll()
      const [declaration, answers]: [ReturnType<typeof readDeclaration>, Answers] = [readDeclaration(shop(to)), { ...nothingSaid, renamed: new Map([[`Address.${from}`, to]]) }]
      await expect(served(store, shop(to))).rejects.toThrow(new RegExp(`Address\\.${from} .*${to} is new`))
      await applyMigration(declaration, store, await planMigration(declaration, store, answers), answers, { keep: () => {}, silenceMs: 0 })
      expect((await (await served(store, shop(to)))(`{ shops { nodes { address { ${to} } } } }`)).data).toEqual({ shops: { nodes: [{ address: { [to]: 'Ulm' } }] } })
      expect((await store.readMany('books', [{ partition: ['s1'], id: 's1' }]))[0]!.body['address']).toEqual({ [to]: 'Ulm' })
    }
  })

  test('a field that is declared again is asked for', async () => {
    const [without, again] = [old.replace('year: Int @indexed', ''), old.replace('year: Int', 'year: Int!')]
    const store = await kept(open, [old, again])
    await served(store, old, documents)
    const ask = await served(store, without)
    expect((await ask('mutation { createBook(input: { id: "b3", title: "Three", authorIds: [] }) { book { id } } }')).errors).toBeUndefined()
    await expect(served(store, again)).rejects.toThrow(/Book\.year was Int and is Int!, and documents lack it/)
    expect((await (await served(store, old))('{ books { totalCount } }')).data).toEqual({ books: { totalCount: 3 } })
    // It was required all along, except while it was not declared.
    const [required, dropped] = [old.replace('year: Int', 'price: Float! year: Int'), old]
    const other = await kept(open, [required, dropped])
    await served(other, required, { Book: [{ id: 'b1', title: 'One', price: 2, authors: [] }] })
    await served(other, dropped)
    await other.write([{ kind: 'put', container: 'books', key: { partition: ['b2'], id: 'b2' }, body: { id: 'b2', title: 'Two', authors: [] } }])
    await expect(served(other, required)).rejects.toThrow(/Book\.price is declared again, and documents lack it/)
    await stopAll()
    const answers: Answers = { ...nothingSaid, defaults: new Map<string, Json>([['Book.price', 3]]) }
    await applyMigration(readDeclaration(required), other, await planMigration(readDeclaration(required), other, answers), answers, { keep: () => {}, silenceMs: 0 })
    expect((await (await served(other, required))('{ books { nodes { price } } }')).data).toEqual({ books: { nodes: [{ price: 2 }, { price: 3 }] } })
  })

  test('a value of an enum, or a member of a union, goes only when no document has it', async () => {
    const store = await kept(open, [zoo('SMALL BIG HUGE')])
    await served(store, zoo('SMALL BIG HUGE'), { Cage: [{ id: 'c1', size: 'SMALL', sizes: ['SMALL', 'BIG'], food: { kilos: 2 } }] })
    await served(store, zoo('BIG SMALL'))
    await expect(served(store, zoo('SMALL'))).rejects.toThrow(/Cage\.sizes can no longer be BIG, and documents have values that do not fit/)
    await expect(served(store, zoo('LITTLE BIG'))).rejects.toThrow(/Cage\.size can no longer be SMALL, .*\n.*Cage\.sizes can no longer be SMALL/)
    await expect(served(store, zoo('SMALL BIG', 'Hay'))).rejects.toThrow(/Cage\.food can no longer be kilos, and documents have values that do not fit/)
    await served(store, zoo('SMALL BIG', 'Fish'))
    expect(await planMigration(readDeclaration(zoo('SMALL', 'Fish')), store, nothingSaid)).toMatchObject([{ at: 'Cage.sizes', does: 'stop', sentence: expect.stringContaining('write values that fit first') }])
  })

  test('a renamed field of a member of a union is no migration that says it is done', async () => {
    const [before, after] = [fed('from: String'), fed('origin: String')]
    const store = await kept(open, [before])
    await served(store, before, { Cage: [{ id: 'c1', food: { bales: 2, from: 'Ulm' } }] })
    await stopAll()
    const [declaration, answers]: [ReturnType<typeof readDeclaration>, Answers] = [readDeclaration(after), { ...nothingSaid, renamed: new Map([['Hay.from', 'origin']]) }]
    await expect(applyMigration(declaration, store, await planMigration(declaration, store, answers), answers, { keep: () => {}, silenceMs: 0 })).rejects.toThrow(/Nothing was changed.*\n.*Objects of a union are not rewritten.*@stored/)
    expect((await (await served(store, fed('origin: String @stored(at: "from")')))('{ cages { nodes { food { ... on Hay { origin } } } } }')).data).toEqual({ cages: { nodes: [{ food: { origin: 'Ulm' } }] } })
  })

  test.each<[string, Partial<Answers>, RegExp]>([
    ['--default of a field that is misspelt', { defaults: new Map([['Book.prise', 0]]) }, /no field Book\.prise\. Did you mean Book\.price\?/],
    ['--default of what is computed', { defaults: new Map([['Author.books', 0]]) }, /no stored field Author\.books/],
    ['--renamed of a type that is misspelt', { renamed: new Map([['Boek.year', 'price']]) }, /no field Boek\.year\. Did you mean Book\.year\?/],
    ['--renamed to a field that is misspelt', { renamed: new Map([['Book.year', 'prise']]) }, /no field Book\.prise\. Did you mean Book\.price\?/],
    ['--renamed of a field that is still there', { renamed: new Map([['Book.title', 'price']]) }, /Book\.title is still declared/],
    ['--dropped of a field that is misspelt', { dropped: new Set(['Book.yeer']) }, /no field Book\.yeer\. Did you mean Book\.year\?/],
  ])('%s is refused', async (_, given, refused) => {
    const edited = old.replace('year: Int @indexed', 'price: Float!')
    const store = await kept(open, [old, edited])
    await served(store, old, documents)
    await expect(planMigration(readDeclaration(edited), store, { ...nothingSaid, ...given })).rejects.toThrow(refused)
  })

  test('a container without documents may change', async () => {
    const edited = old.replace('"authors")', '"writers")')
    const store = await kept(open, [old, edited])
    await served(store, old)
    const openWith = (): Promise<Store> => Promise.resolve(store)
    expect(await planMigration(readDeclaration(edited), store, { renamed: new Map(), dropped: new Set(), defaults: new Map() }, openWith)).toEqual([])
  })

  test('a type that comes back in another container is refused, too', async () => {
    const without = book('title: String! @indexed year: Int @indexed')
    const edited = old.replace('"authors")', '"writers")')
    const store = await kept(open, [old, edited])
    await served(store, old, documents)
    await served(store, without)
    await expect(served(store, edited)).rejects.toThrow(/Author .*"authors".*"writers"/)
  })

  test('what the store keeps can be read, and a store without it is adopted', async () => {
    const store = await kept(open, [old])
    await served(store, old, documents)
    const [found] = await store.readMany(ownContainer, [ownKey('declaration')])
    expect(found!.body).toMatchObject({ format: 1, version: 1, declaration: { documents: { Author: { container: 'authors', partitionKey: '/id' }, Book: { fields: { title: { target: 'String', required: true, storage: { kind: 'stored', at: 'title' } } } } } } })
    await store.write([{ kind: 'delete', container: ownContainer, key: found!.key }])
    const edited = old.replace('year: Int', 'year: String')
    expect((await (await served(store, edited))('{ books { totalCount } }')).data).toEqual({ books: { totalCount: 2 } })
  })
})

describe.for(stores.filter(({ name }) => name !== 'memory'))('on $name', ({ store: open }) => {
  test.each([
    ['a stored list', `${book('title: String! @indexed year: Int @indexed authors: [Author!]! @snapshot(at: "authors", fields: ["name"]) count: Int! @counted(relation: "authors") @indexed')} ${author(reverse)}`, 'books', [2, 1]],
    ['other documents', old.replace(reverse, `${reverse} count: Int! @counted(relation: "books") @indexed`), 'authors', [1, 2]],
  ] as const)('a new count of %s is right at once, and ordered by when every document has it', async (_, edited, list, counts) => {
    const store = await kept(open, [old, edited])
    await served(store, old, documents)
    const ask = await served(store, edited)
    expect((await ask(`{ ${list} { nodes { count } } }`)).data).toEqual({ [list]: { nodes: counts.map((count) => ({ count })) } })
    const byCount = `{ up: ${list}(orderBy: { field: COUNT }) { nodes { count } } down: ${list}(first: 1, orderBy: { field: COUNT, direction: DESC }) { nodes { count } pageInfo { hasNextPage endCursor } } more: ${list}(filter: { count: { gt: 1 } }) { totalCount nodes { count } } none: ${list}(filter: { not: { or: [{ count: { gt: 0 } }] } }) { totalCount } }`
    const ordered = await ask(byCount)
    expect(ordered).toMatchObject({ errors: undefined, data: {
      up: { nodes: [{ count: 1 }, { count: 2 }] }, down: { nodes: [{ count: 2 }], pageInfo: { hasNextPage: true } }, more: { totalCount: 1, nodes: [{ count: 2 }] }, none: { totalCount: 0 },
    } })
    const { endCursor } = (ordered.data!['down'] as { pageInfo: { endCursor: string } }).pageInfo
    const next = `{ ${list}(first: 1, after: "${endCursor}", orderBy: { field: COUNT, direction: DESC }) { nodes { count } pageInfo { hasNextPage } } }`
    expect((await ask(next)).data).toEqual({ [list]: { nodes: [{ count: 1 }], pageInfo: { hasNextPage: false } } })
    expect((await ask(`{ ${list}(last: 1, orderBy: { field: COUNT }) { nodes { count } } }`)).data).toEqual({ [list]: { nodes: [{ count: 2 }] } })
    // Compiled plans, which answer from the second time on, and GraphQL.js agree.
    const { data } = ordered
    for (const options of [{ development: false, openReads: true }, { compiles: false }]) {
      const other = await openGateway({ typeDefs: edited, store: () => Promise.resolve(store), ...options })
      for (let time = 0; time < 3; time++) expect((await other(byCount)).data).toEqual(data)
    }
    const declaration = readDeclaration(edited)
    await Array.fromAsync(checkStore(declaration, store, { repair: true }))
    await confirmAll(declaration, store)
    const caughtUp = await served(store, edited)
    // The answers are the same, and a cursor from before goes on.
    expect((await caughtUp(byCount)).data).toEqual(ordered.data)
    expect((await caughtUp(next)).data).toEqual({ [list]: { nodes: [{ count: 1 }], pageInfo: { hasNextPage: false } } })
  })

  test('a new count of more documents than can be counted at once is refused with advice, unless a filter leaves few', async () => {
    const edited = old.replace(reverse, `${reverse} count: Int! @counted(relation: "books") @indexed`).replace('name: String!', 'name: String! @indexed')
    const store = await kept(open, [old, edited])
    const many = Array.from({ length: 1001 }, (_, number) => ({ id: `x${number}`, name: number < 3 ? 'Rare' : 'Common' }))
    await served(store, old, { ...documents, Author: [...documents.Author, ...many] })
    const ask = await served(store, edited)
    expect((await ask('{ authors(first: 2, orderBy: { field: COUNT, direction: DESC }) { nodes { count } } }')).errors).toMatchObject([{ message: expect.stringMatching(/Author\.count .*1000 .*[Ff]ilter/), extensions: { code: 'CATCHING_UP' } }])
    const few = await ask('{ authors(filter: { name: { in: ["Rare", "Ben"] }, count: { lt: 3 } }, orderBy: { field: COUNT, direction: DESC }) { totalCount nodes { name count } } }')
    expect(few).toMatchObject({ errors: undefined, data: { authors: { totalCount: 4, nodes: [{ name: 'Ben', count: 2 }, { name: 'Rare', count: 0 }, {}, {}] } } })
  })

  test('a snapshot that copies more is filtered by its ids all along', async () => {
    const edited = old.replace('fields: ["name"]', 'fields: ["name", "born"]').replace('name: String!', 'name: String! born: Int')
    const store = await kept(open, [old, edited])
    await served(store, old, documents)
    expect((await (await served(store, edited))('{ books(filter: { authorIds: { contains: "a1" } }) { nodes { id authors { name born } } } }')).data).toEqual({ books: { nodes: [{ id: 'b1', authors: [{ name: 'Ann', born: null }, { name: 'Ben', born: null }] }] } })
  })
})

test('Cosmos DB itself refuses another partition key, because a container has one for ever', async () => {
  const { endpoint, key } = await account(1)
  const database = { endpoint, ...(key === undefined ? {} : { key }), database: `quire-test-${randomUUID()}`, create: true }
  const openIt = (typeDefs: string): Promise<Ask> => openGateway({ typeDefs, documents, store: (layout) => openCosmosStore(database, layout) })
  const before = await openIt(old)
  await expect(openIt(old.replace('"authors")', '"authors", partitionKey: "/name")'))).rejects.toThrow(/"authors" .*\/id.*\/name/)
  expect((await before('{ author(id: "a2") { name books { totalCount } } }')).data).toEqual({ author: { name: 'Ben', books: { totalCount: 2 } } })
  await before.close()
})

test.each([
  ['a new count of a stored list', old.replace('year: Int', 'count: Int! @counted(relation: "authors") @indexed year: Int'), 'books'],
  ['a new count of other documents', old.replace(reverse, `${reverse} count: Int! @counted(relation: "books") @indexed`), 'authors'],
  ['a snapshot that becomes a reference, with a new count', old.replace('@snapshot(at: "authors", fields: ["name"])', '@reference(at: "authors")').replace(reverse, `${reverse} count: Int! @counted(relation: "books") @indexed`), 'authors'],
])('in memory, %s is right and ordered by at once', async (_, edited, list) => {
  const store = await kept(stores[0]!.store, [old, edited])
  await served(store, old, documents)
  const ask = await served(store, edited)
  expect((await ask(`{ ${list}(orderBy: { field: COUNT, direction: DESC }) { nodes { count } } all: books { nodes { authors { name } } } }`)).data).toMatchObject({
    [list]: { nodes: [{ count: 2 }, { count: 1 }] }, all: { nodes: [{ authors: [{ name: 'Ann' }, { name: 'Ben' }] }, { authors: [{ name: 'Ben' }] }] },
  })
  expect(await Array.fromAsync(checkStore(readDeclaration(edited), store))).toEqual([])
})

test('the error is one line for each difference, and says what to do', async () => {
  const edited = old.replace('"authors")', '"writers")').replace('year: Int', 'year: String')
  const store = await kept(stores[1]!.store, [old, edited])
  await served(store, old, documents)
  const error = await served(store, edited).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(MigrationNeededError)
  expect((error as MigrationNeededError).differences).toHaveLength(2)
  expect((error as MigrationNeededError).message).toContain('quire migrate')
})

/** A store with the containers of all these schemas, which outlives its gateways. */
async function kept(open: (typeof stores)[number]['store'], schemas: readonly string[]): Promise<Store> {
  const layouts = new Map(schemas.flatMap((each) => readDeclaration(each).layout).map((layout) => [layout.name, layout]))
  for (const { name, indexes } of schemas.flatMap((each) => readDeclaration(each).layout)) layouts.set(name, { ...layouts.get(name)!, indexes: [...layouts.get(name)!.indexes, ...indexes] })
  return { ...(await open([...layouts.values()])), close: () => Promise.resolve() }
}

async function served(store: Store, typeDefs: string, given?: Documents): Promise<Ask> {
  const gateway = await openGateway({ typeDefs, store: () => Promise.resolve(store), clock: earlyTimers, ...(given ? { documents: given } : {}) })
  running.push(gateway)
  return gateway
}

const running: Ask[] = []
afterEach(stopAll)

/** A migration needs a store without gateways. */
async function stopAll(): Promise<void> {
  for (const gateway of running.splice(0)) await gateway.close()
}

async function all(store: Store): Promise<Record<string, Body>> {
  const found = await Promise.all(['books', 'authors'].map(async (container) => store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 100 })))
  return Object.fromEntries(found.flat().map(({ key, body }) => [key.id, body]))
}
