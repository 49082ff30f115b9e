// Unique fields: a second holder is refused with the field and the holder, on every store, for every kind of writer, and whatever dies
// in between. One query finds a document by its value.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { checkAllTenants } from '../../src/evolve/check/check-tenants.ts'
import { adoptDeclaration } from '../../src/evolve/declared/stored-declaration.ts'
import { MigrationNeededError } from '../../src/evolve/declared/migration-errors.ts'
import { planMigration } from '../../src/evolve/migrate/plan-migration.ts'
import { processClock } from '../../src/clock.ts'
import { ownContainer } from '../../src/store/own-container.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { ContainerLayout, Store } from '../../src/store/store.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { byHeader, of } from '../tenants/viewer-by-header.ts'
import { expectReads } from '../calls.ts'
import { openGateway, stores, type Answer, type Ask } from '../harness.ts'
import { expectAllWaysAgree } from '../relations/relation-suite.ts'
import { expectRefused, openWritable, written } from './open-writable.ts'

const typeDefs = /* GraphQL */ `
  type Book @document(container: "books") {
    id: ID!
    isbn: String @unique
    shelf: Int @unique
    name: String
  }
  type Pass @document(container: "passes", partitionKey: "/country") {
    id: ID!
    country: String!
    number: String! @unique
  }
`
const documents = { Book: [{ id: 'b1', isbn: '111', shelf: 1 }, { id: 'b2', isbn: '222' }, { id: 'b3' }], Pass: [{ id: 'p1', country: 'se', number: 'N1' }] }

const create = (isbn: string, more = '') => `mutation { createBook(input: { isbn: ${JSON.stringify(isbn)} ${more} }) { book { id } } }`
const codes = (answers: readonly Answer[]) => answers.map(({ errors }) => errors?.[0]?.extensions?.code ?? 'written')

async function reservations(store: Store): Promise<Body[]> {
  const found = await store.query({ container: ownContainer, type: 'reservation', orderBy: { path: ['id'], descending: false }, limit: 1000 })
  return found.map(({ body }) => body)
}

/** Values by document id. */
async function holders(bodies: Record<string, Body>, isbn: string): Promise<string[]> {
  return Object.values(bodies).filter((body) => body['isbn'] === isbn).map((body) => String(body['id']))
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(stores)('unique fields on $name', ({ store }) => {
  test('a second holder is refused, with the field and the holder, and nothing is written', async () => {
    const books = await openWritable({ typeDefs, store, documents })
    await written(books.ask, create('333', 'id: "b4"'))
    await expectRefused(books, create('111'), { code: 'NOT_UNIQUE', says: ['Book.isbn', 'b1', '"111"'] })
    await expectRefused(books, create('333'), { code: 'NOT_UNIQUE', says: ['Book.isbn', 'b4'] })
    await expectRefused(books, 'mutation { updateBook(input: { id: "b3", isbn: "222" }) { book { id } } }', { code: 'NOT_UNIQUE', says: 'b2' })
    await expectRefused(books, 'mutation { createBook(input: { shelf: 1 }) { book { id } } }', { code: 'NOT_UNIQUE', says: ['Book.shelf', '1'] })
    await expectRefused(books, 'mutation { createPass(input: { country: "no", number: "N1" }) { pass { id } } }', { code: 'NOT_UNIQUE', says: ['Pass.number', 'p1'] })
    expect((await books.ask(create('111'))).errors).toMatchObject([{ path: ['createBook'], extensions: { code: 'NOT_UNIQUE', field: 'Book.isbn', holder: 'b1' } }])
  })

  test('no value is no value, keeping one is no second one, and a value that is given up is free', async () => {
    const books = await openWritable({ typeDefs, store, documents })
    await written(books.ask, 'mutation { createBook(input: { name: "Without" }) { book { id } } }')
    await written(books.ask, 'mutation { updateBook(input: { id: "b1", isbn: "111", name: "Same" }) { book { id } } }')
    await written(books.ask, 'mutation { updateBook(input: { id: "b1", isbn: "999" }) { book { id } } }')
    await written(books.ask, create('111', 'id: "b5"'))
    await written(books.ask, 'mutation { deleteBook(input: { id: "b5" }) { book { id } } }')
    await written(books.ask, 'mutation { updateBook(input: { id: "b3", isbn: "111" }) { book { id } } }')
    await written(books.ask, 'mutation { updateBook(input: { id: "b3", isbn: null }) { book { id } } }')
    await written(books.ask, create('111', 'id: "b6"'))
    if (books.store.supports.atomic === 'partition') expect((await reservations(books.store)).map(({ value }) => String(value)).toSorted()).toEqual(['1', '111', '222', '999', 'N1'])
  })

  test('one query finds a document by its value, and several values travel together', async () => {
    const [chosen, naive] = await Promise.all([openGateway({ typeDefs, store, documents }), openGateway({ typeDefs, store, documents, strategy: 'naive' })])
    const query = '{ bookByIsbn(isbn: "222") { id isbn } }'
    const answer = await chosen(query)
    expect(answer).toMatchObject({ data: { bookByIsbn: { id: 'b2', isbn: '222' } }, errors: undefined })
    expectReads(answer.report, ['1 query books'])
    const several = '{ one: bookByIsbn(isbn: "111") { id } two: bookByIsbn(isbn: "222") { id } none: bookByIsbn(isbn: "x") { id } shelf: bookByShelf(shelf: 1) { id } pass: passByNumber(number: "N1") { country } }'
    const found = await chosen(several)
    expect(found.data).toEqual({ one: { id: 'b1' }, two: { id: 'b2' }, none: null, shelf: { id: 'b1' }, pass: { country: 'se' } })
    expect(found.report.made).toMatchObject({ roundTrips: 3, waves: 1 })
    await expectAllWaysAgree({ chosen, naive }, several, {})
    expect((await chosen('query ($isbn: String!) { bookByIsbn(isbn: $isbn) { id } }', { variables: {} })).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
  })

  test('of 64 clients that create the same value, one wins and 63 are told', async () => {
    const books = await openWritable({ typeDefs, store })
    const answers = await Promise.all(Array.from({ length: 64 }, () => books.ask(create('same'))))
    expect(codes(answers).toSorted()).toEqual([...Array.from({ length: 63 }, () => 'NOT_UNIQUE'), 'written'])
    expect(await holders(await books.bodies('books'), 'same')).toHaveLength(1)
  })

  test('of many that take and give up the same few values, no two ever have one', async () => {
    const books = await openWritable({ typeDefs, store, documents: { Book: Array.from({ length: 8 }, (_, at) => ({ id: `b${at}` })) } })
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => books.ask(`mutation { updateBook(input: { id: "b${(at * 5 + round) % 8}", isbn: ${at % 4 === 3 ? 'null' : `"v${(at + round) % 3}"`} }) { book { id } } }`)))
      expect(codes(answers).filter((code) => code !== 'written' && code !== 'NOT_UNIQUE')).toEqual([])
      const bodies = await books.bodies('books')
      for (const value of ['v0', 'v1', 'v2']) expect((await holders(bodies, value)).length).toBeLessThanOrEqual(1)
    }
    const declaration = readDeclaration(typeDefs)
    expect(await Array.fromAsync(checkAllTenants(declaration, books.store))).toEqual([])
  })

  test('each tenant has its own values', async () => {
    const ask = await openGateway({ typeDefs: typeDefs.replaceAll('@document(container: "books")', '@document(container: "books") @writable(by: PUBLIC)'), store, tenants: true, identity: byHeader })
    const [one, other] = [{ headers: of('one') }, { headers: of('other') }]
    expect(codes([await ask(create('111'), one), await ask(create('111'), other), await ask(create('111'), one)])).toEqual(['written', 'written', 'NOT_UNIQUE'])
    await ask.close()
  })

  test('a holder that the viewer may not see is not named, and a field that they may not read finds nothing', async () => {
    const guarded = typeDefs.replace('type Book @document(container: "books")', 'type Book @document(container: "books") @readable(owner: "name") @writable(by: PUBLIC)').replace('shelf: Int @unique', 'shelf: Int @unique @readable(roles: ["staff"])')
    const ask = await openGateway({ typeDefs: guarded, store, documents: { Book: [{ id: 'secret', isbn: '111', shelf: 1, name: 'other' }] }, identity: byHeader })
    const { errors } = await ask(create('111'), { headers: of() })
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_UNIQUE', field: 'Book.isbn' } }])
    expect(JSON.stringify(errors)).not.toContain('secret')
    expect((await ask('{ bookByIsbn(isbn: "111") { id } }', { headers: of() })).data).toEqual({ bookByIsbn: null })
    expect((await ask('{ bookByShelf(shelf: 1) { id } }', { headers: of() })).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  })

  test('of a field that the viewer may not read, an error tells neither the holder nor a value', async () => {
    const guarded = typeDefs.replace('type Book @document(container: "books")', 'type Book @document(container: "books") @writable(by: PUBLIC)').replace('shelf: Int @unique', 'shelf: Int @unique @constraint(max: 7777) @readable(roles: ["staff"])')
    const ask = await openGateway({ typeDefs: guarded, store, documents: { Book: [{ id: 'holder', shelf: 4321 }, { id: 'b2', shelf: 4320 }] }, identity: byHeader })
    for (const [by, code] of [[1, 'NOT_UNIQUE'], [2147483647, 'BAD_USER_INPUT'], [5000, 'BAD_USER_INPUT']]) {
      const { errors } = await ask(`mutation { updateBook(input: { id: "b2", increment: { shelf: ${by} } }) { book { id } } }`, { headers: of() })
      expect(errors).toMatchObject([{ extensions: { code } }])
      expect(JSON.stringify(errors)).not.toMatch(/holder|4321|2147487967|9320/)
    }
  })

  test('of several documents in one mutation, those at fault have the error; the first may have the value', async () => {
    const books = await openWritable({ typeDefs, store, documents })
    const failures = async (inputs: string) => {
      const { createBooks } = (await books.ask(`mutation { createBooks(inputs: [${inputs}]) { atomic results { failure { code message } } } }`)).data as { createBooks: { atomic: boolean; results: { failure: { code: string } | null }[] } }
      return createBooks.results.map(({ failure }) => failure?.code ?? (createBooks.atomic ? 'written' : 'ABORTED'))
    }
    expect(await failures('{ id: "m1", isbn: "m" }, { id: "m2", isbn: "m" }, { isbn: "111" }, { id: "m3" }')).toEqual(['ABORTED', 'NOT_UNIQUE', 'NOT_UNIQUE', 'ABORTED'])
  })

  test('a document that was not written either is not named as the holder', async () => {
    const books = await openWritable({ typeDefs, store, documents })
    const { createBooks } = (await books.ask('mutation { createBooks(inputs: [{ id: "m1", isbn: "m" }, { id: "m2", isbn: "m" }]) { atomic results { failure { message } } } }')).data as { createBooks: { atomic: boolean; results: { failure: { message: string } | null }[] } }
    // Where each is written on its own, the first one has the value.
    const says = createBooks.atomic ? 'Book.isbn must be unique, and another document of this change gets "m". Give another isbn.' : 'Book.isbn must be unique, and Book m1 has "m" already. Give another isbn, or change that document.'
    expect(createBooks.results[1]!.failure?.message).toBe(says)
  })

  test('an error shows a value as clients write it', async () => {
    const ask = await openGateway({ typeDefs: 'scalar BigInt  type Coin @document(container: "coins") { id: ID! serial: BigInt @unique }', store })
    const coin = 'mutation { createCoin(input: { serial: "12345678901234567890" }) { coin { id } } }'
    await ask(coin)
    expect((await ask(coin)).errors?.[0]?.message).toContain('has "12345678901234567890"')
  })

  test('check finds documents that share a value, and a schema that declares it unique is not served until they do not', async () => {
    const before = typeDefs.replaceAll('@unique', '@indexed')
    const doubled = { Book: [{ id: 'b1', isbn: '111' }, { id: 'b2', isbn: '222' }, { id: 'b3', isbn: '111' }, { id: 'b4' }, { id: 'b5' }] }
    const books = await openWritable({ typeDefs: before, store, documents: doubled })
    const declaration = readDeclaration(typeDefs)
    const found = await Array.fromAsync(checkAllTenants(declaration, books.store))
    expect(found.filter(({ kind }) => kind === 'duplicate')).toMatchObject([{ at: 'Book.isbn', id: 'b3', repair: 'impossible' }])
    await expect(adoptDeclaration(declaration, books.store)).rejects.toThrow(MigrationNeededError)
    expect(await planMigration(declaration, books.store, { renamed: new Map(), dropped: new Set(), defaults: new Map() })).toMatchObject([{ at: 'Book.isbn', does: 'stop' }])
    await written(books.ask, 'mutation { updateBook(input: { id: "b3", isbn: "333" }) { book { id } } }')
    await adoptDeclaration(declaration, books.store)
    if (books.store.supports.atomic === 'partition') {
      // The documents that were there before have no reservations. They hold their values nevertheless, and a repair reserves them.
      expect((await Array.fromAsync(checkAllTenants(declaration, books.store, { repair: true }))).map(({ kind, id, repair }) => `${kind} ${id} ${repair}`).toSorted()).toEqual(['reservation b1 done', 'reservation b2 done', 'reservation b3 done'])
    }
    expect(await Array.fromAsync(checkAllTenants(declaration, books.store))).toEqual([])
  })
})

/** A process that dies at its n-th write, before it reaches the store or before its answer comes back. */
function dying(store: Store): { readonly store: Store; dieAt(write: number, answered: boolean): void } {
  let [left, loses, dead] = [Infinity, false, false]
  const alive = <T>(call: () => T): T => {
    if (dead) throw new Error('The process is dead.')
    return call()
  }
  return {
    dieAt(write, answered) {
      [left, loses, dead] = [write, answered, false]
    },
    store: new Proxy(store, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown
        if (typeof value !== 'function') return value
        const call = value.bind(target) as (...given: unknown[]) => unknown
        if (name === 'close') return async () => undefined
        if (name !== 'write') return (...given: unknown[]) => alive(() => call(...given))
        return async (...given: unknown[]) => alive(async () => {
          if (--left > 0) return call(...given)
          dead = true
          if (loses) await call(...given)
          throw new Error('The process is dead.')
        })
      },
    }),
  }
}

/** The same store, later. */
function later(store: Store, byMs: number): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (name === 'close') return async () => undefined
      if (name === 'now') {
        return async () => {
          const { earliest, latest } = await target.now()
          return { earliest: earliest + byMs, latest: latest + byMs }
        }
      }
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

describe('kills, on a store that is atomic per partition', () => {
  const { store: open } = stores.find(({ name }) => name === 'cosmos')!
  const declaration = readDeclaration(typeDefs)

  /** Every write of these mutations, before and after it is made. */
  const moments = [1, 2, 3].flatMap((write) => [false, true].map((answered) => [write, answered] as const))
  const mutations: [string, string][] = [
    ['create', create('same', 'id: "dying"')],
    ['change to it', 'mutation { updateBook(input: { id: "b1", isbn: "same" }) { book { id } } }'],
    ['change from it', 'mutation { updateBook(input: { id: "holder", isbn: "other" }) { book { id } } }'],
    ['delete', 'mutation { deleteBook(input: { id: "holder" }) { book { id } } }'],
  ]

  test.each(mutations.flatMap(([what, mutation]) => moments.map(([write, answered]) => ({ what, mutation, write, answered }))))('$what, killed at write $write (done: $answered): at most one document has the value, and it is not lost for ever', async ({ mutation, write, answered }) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    let shared: Store | undefined
    const share = async (layout: readonly ContainerLayout[]) => (shared ??= await open(layout))
    const wanted = mutation.includes('"holder"')
    const first = await openWritable({ typeDefs, store: share, documents: { Book: [{ id: 'b1', isbn: '111' }, ...(wanted ? [{ id: 'holder' }] : [])] }, settles: false, propagates: false })
    if (wanted) await written(first.ask, 'mutation { updateBook(input: { id: "holder", isbn: "same" }) { book { id } } }')
    const process = dying(shared!)
    const killed: Ask = await openGateway({ typeDefs, store: async () => process.store, settles: false, propagates: false })
    process.dieAt(write, answered)
    await killed(mutation)
    const others = await openGateway({ typeDefs, store: async () => later(shared!, 60_000), settles: false, propagates: false })
    const before = await holders(await first.bodies('books'), 'same')
    const answers = codes(await Promise.all(Array.from({ length: 8 }, () => others(create('same')))))
    expect(answers.toSorted()).toEqual(before.length === 1 ? Array.from({ length: 8 }, () => 'NOT_UNIQUE') : [...Array.from({ length: 7 }, () => 'NOT_UNIQUE'), 'written'])
    expect(await holders(await first.bodies('books'), 'same')).toHaveLength(1)
    const found = await Array.fromAsync(checkAllTenants(declaration, later(shared!, 120_000), { repair: true }))
    expect(found.filter(({ kind, repair }) => kind === 'duplicate' || (kind === 'reservation' && repair !== 'done'))).toEqual([])
    expect((await Array.fromAsync(checkAllTenants(declaration, later(shared!, 120_000)))).filter(({ at }) => at === 'Book.isbn' && !wanted)).toEqual([])
    await shared!.close()
  })

  test('a reservation whose write may still be under way is not taken over', async () => {
    const books = await openWritable({ typeDefs, store: open })
    const process = dying(books.store)
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const killed = await openGateway({ typeDefs, store: async () => process.store, settles: false, propagates: false })
    process.dieAt(2, false)
    await killed(create('same', 'id: "dying"'))
    const [reservation] = await reservations(books.store)
    expect(reservation).toMatchObject({ field: 'Book.isbn', value: 'same', holder: { id: 'dying' } })
    // A clock that stands still keeps it young.
    const frozen = await books.store.now()
    const stopped = new Proxy(books.store, { get: (target, name) => (name === 'now' ? async () => frozen : name === 'close' ? async () => undefined : typeof Reflect.get(target, name) === 'function' ? (Reflect.get(target, name) as () => void).bind(target) : Reflect.get(target, name)) })
    const others = await openGateway({ typeDefs, store: async () => stopped, settles: false, propagates: false, clock: { ...processClock, pause: async () => undefined } })
    expect(codes([await others(create('same'))])).toEqual(['CONFLICT'])
    expect(codes([await others(create('same', 'id: "dying"'))])).toEqual(['written'])
    await books.store.close()
  })
})
