// A migration beside gateways: those of the old schema go on serving and writing, those of the new one start before it ends, each sees what the
// other writes, and nobody gets an error. Killed at any write, it goes on where it was.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { MigrationNeededError } from '../../../src/evolve/declared/migration-errors.ts'
import { adoptDeclaration } from '../../../src/evolve/declared/stored-declaration.ts'
import { finishMigration } from '../../../src/evolve/migrate/apply-migration.ts'
import { planMigration, type Answers } from '../../../src/evolve/migrate/plan-migration.ts'
import { readRecord } from '../../../src/evolve/migrate/run/migration-record.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import type { Store } from '../../../src/store/store.ts'
import { earlyTimers } from '../../fast-clock.ts'
import { openGateway, stores, type Ask } from '../../harness.ts'
import { documentsIn, keptStore, killedAt, migrate, noAnswers } from './migrating.ts'

const author = 'type Author @document(container: "authors") { id: ID! name: String! books: BookConnection! @reverse(of: "Book.authors") count: Int! @counted(relation: "books") }'
const old = `type Book @document(container: "books") { id: ID! title: String! @indexed year: Int authors: [Author!]! @snapshot(at: "authors", fields: ["name"]) } ${author}`
const edited = `type Book @document(container: "books") { id: ID! name: String! @indexed year: Int price: Float! authors: [Author!]! @snapshot(at: "writtenBy", fields: ["name"]) } ${author}`
const answers: Answers = { ...noAnswers, renamed: new Map([['Book.title', 'name']]), defaults: new Map([['Book.price', 1.5]]) }
const documents = {
  Book: Array.from({ length: 30 }, (_, index) => ({ id: `b${index}`, title: `Book ${index}`, year: 2000 + index, authors: [{ id: `a${index % 2}`, name: `Author ${index % 2}` }] })),
  Author: [{ id: 'a0', name: 'Author 0', count: 15 }, { id: 'a1', name: 'Author 1', count: 15 }],
}
const finishOptions = { keep: () => {}, silenceMs: 0 }

describe.for(stores.filter(({ name }) => name !== 'cosmos'))('on $name', ({ store: open }) => {
  test('old and new gateways write and read each other', async () => {
    const [store, declaration] = [await keptStore(open, [old, edited]), readDeclaration(edited)]
    const before = await openGateway({ typeDefs: old, store: () => Promise.resolve(store), clock: earlyTimers, documents })
    expect((await planMigration(declaration, store, answers)).map(({ online }) => online)).toEqual([true, true, true])
    await expect(gatewayOf(store, edited)).rejects.toThrow(MigrationNeededError)
    // Writers of the old schema, all along.
    const over = new AbortController()
    const writing = (async () => {
      for (let round = 0; !over.signal.aborted; round++) {
        // A store in this process answers at once, and the migration needs its turns.
        await nextTurn()
        const id = `b${round % 30}`
        expect((await before(`mutation { updateBook(input: { id: "${id}", title: "Round ${round}" }) { book { title } } }`)).errors).toBeUndefined()
        if (round % 7 === 0) expect((await before(`mutation { createBook(input: { id: "n${round}", title: "New", authorIds: ["a0"] }) { book { id } } }`)).errors).toBeUndefined()
      }
    })()
    expect(await migrate(store, edited, answers)).toMatchObject({ isServed: true })
    const after = await gatewayOf(store, edited)
    over.abort()
    await writing
    expect(await planMigration(declaration, store, noAnswers)).toEqual([])
    const shown = async (): Promise<void> => expect(((await after('{ books(first: 100) { nodes { id name year authors { name } } } }')).data!['books'] as { nodes: { name: string }[] }).nodes.map(({ name: title, ...rest }) => ({ title, ...rest })))
      .toEqual(((await before('{ books(first: 100) { nodes { id title year authors { name } } } }')).data!['books'] as { nodes: unknown[] }).nodes)
    await shown()
    // Each sees what the other writes, filters included.
    await before('mutation { updateBook(input: { id: "b1", title: "By the old" }) { book { title } } }')
    expect((await after('{ books(filter: { name: { eq: "By the old" } }) { nodes { id price authors { name } } } }')).data).toEqual({ books: { nodes: [{ id: 'b1', price: 1.5, authors: [{ name: 'Author 1' }] }] } })
    await after('mutation { updateBook(input: { id: "b2", name: "By the new", authorIds: ["a1"], price: 3 }) { book { name } } }')
    expect((await before('{ books(filter: { title: { eq: "By the new" } }) { nodes { id authors { name } } } author(id: "a1") { count books { totalCount } } }')).data).toEqual({ books: { nodes: [{ id: 'b2', authors: [{ name: 'Author 1' }] }] }, author: { count: 16, books: { totalCount: 16 } } })
    await before('mutation { updateBook(input: { id: "b2", year: 1 }) { book { title } } }')
    expect((await after('{ book(id: "b2") { name price year } }')).data).toEqual({ book: { name: 'By the new', price: 3, year: 1 } })
    await after('mutation { updateAuthor(input: { id: "a1", name: "Renamed" }) { author { name } } }')
    expect((await before('{ book(id: "b2") { authors { name } } }')).data).toEqual({ book: { authors: [{ name: 'Renamed' }] } })
    await before('mutation { updateAuthor(input: { id: "a1", name: "Again" }) { author { name } } }')
    expect((await after('{ book(id: "b2") { authors { name } } }')).data).toEqual({ book: { authors: [{ name: 'Again' }] } })
    await after('mutation { deleteBook(input: { id: "b4" }) { book { id } } }')
    expect((await before('{ book(id: "b4") { title } }')).data).toEqual({ book: null })
    await shown()
    // What writes only one form has to wait, and so has the end.
    await expect(adoptDeclaration(declaration, store)).rejects.toThrow(/--finish/)
    await expect(finishMigration(declaration, store, finishOptions)).rejects.toThrow(/a gateway of the old schema runs/)
    await before.close()
    const answered = await after('{ books(first: 100) { nodes { id name price year authors { name } } } authors { nodes { id count } } }')
    expect((await finishMigration(declaration, store, finishOptions)).removed).toBeGreaterThan(29)
    expect(await readRecord(store)).toBeUndefined()
    expect((await after('{ books(first: 100) { nodes { id name price year authors { name } } } authors { nodes { id count } } }')).data).toEqual(answered.data)
    expect(Object.values(await documentsIn(store, [edited])).filter((body) => 'title' in body || 'authors' in body)).toEqual([])
    await expect(gatewayOf(store, old)).rejects.toThrow(MigrationNeededError)
    await after('mutation { updateBook(input: { id: "b2", name: "Alone" }) { book { name } } }')
    await after.close()
    expect(await Array.fromAsync(checkStore(declaration, store))).toEqual([])
  }, 60_000)

  test('killed at every third write', async () => {
    let kills = 0
    for (let at = 1; ; at += 3) {
      const [store, declaration] = [await keptStore(open, [old, edited]), readDeclaration(edited)]
      const before = await openGateway({ typeDefs: old, store: () => Promise.resolve(store), clock: earlyTimers, documents })
      const isKilled = await killedAt(store, at, (dying) => migrate(dying, edited, answers))
      expect((await before('mutation { updateBook(input: { id: "b3", title: "Between" }) { book { title } } }')).errors).toBeUndefined()
      await migrate(store, edited, answers)
      const after = await gatewayOf(store, edited)
      expect((await after('{ book(id: "b3") { name price } }')).data).toEqual({ book: { name: 'Between', price: 1.5 } })
      await before.close()
      await killedAt(store, at, (dying) => finishMigration(declaration, dying, finishOptions))
      await finishMigration(declaration, store, finishOptions)
      expect((await after('{ books(first: 100) { totalCount } book(id: "b3") { name authors { name } } }')).data).toEqual({ books: { totalCount: 30 }, book: { name: 'Between', authors: [{ name: 'Author 1' }] } })
      await after.close()
      expect(await Array.fromAsync(checkStore(declaration, store))).toEqual([])
      if (!isKilled) break
      kills++
    }
    expect(kills).toBeGreaterThan(1)
  }, 120_000)
})

function gatewayOf(store: Store, typeDefs: string): Promise<Ask> {
  return openGateway({ typeDefs, store: () => Promise.resolve(store), clock: earlyTimers })
}
