// A migration that is killed at any write and run again ends as if it had never been killed. Until it replaces documents the old schema is
// served as before; from then on nothing is, until it is done. Two at once do not disturb each other.

import { describe, expect, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { finishMigration } from '../../../src/evolve/migrate/apply-migration.ts'
import { planMigration, type Answers } from '../../../src/evolve/migrate/plan-migration.ts'
import { readRecord } from '../../../src/evolve/migrate/run/migration-record.ts'
import { countStaged } from '../../../src/evolve/migrate/run/staged-documents.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import type { Store } from '../../../src/store/store.ts'
import { stores } from '../../harness.ts'
import { documentsIn, keptStore, killedAt, migrate, noAnswers, serving } from './migrating.ts'

const old = `type Book @document(container: "books") { id: ID! title: String! year: Int authors: [Author!]! @snapshot(at: "authors", fields: ["name"]) }
  type Author @document(container: "authors") { id: ID! name: String! books: BookConnection! @reverse(of: "Book.authors") }`
const edited = `type Book @document(container: "books") { id: ID! name: String! year: String authors: AuthorConnection! @joined(through: "Writing") }
  type Author @document(container: "writers") { id: ID! name: String! books: BookConnection! @joined(through: "Writing") count: Int! @counted(relation: "books") }
  type Writing @document(container: "writings") { id: ID! book: Book! @reference(at: "bookId") author: Author! @reference(at: "authorId") }`
const answers: Answers = { ...noAnswers, renamed: new Map([['Book.title', 'name']]) }
const documents = {
  Book: [{ id: 'b1', title: 'One', year: 2008, authors: [{ id: 'a1', name: 'Ann' }, { id: 'a2', name: 'Ben' }] }, { id: 'b2', title: 'Two', authors: [{ id: 'a2', name: 'Ben' }] }],
  Author: [{ id: 'a1', name: 'Ann' }, { id: 'a2', name: 'Ben' }],
}
const oldAnswer = { books: { nodes: [{ title: 'One', authors: [{ name: 'Ann' }, { name: 'Ben' }] }, { title: 'Two', authors: [{ name: 'Ben' }] }] } }
const askOld = '{ books { nodes { title authors { name } } } }'

describe.for(stores)('on $name', ({ name, store: open }) => {
  test('killed at every write', async () => {
    const whole = await begun(open)
    await migrate(whole, edited, answers)
    const [expected, declaration] = [await documentsIn(whole, [old, edited]), readDeclaration(edited)]
    let [kills, phases] = [0, new Set<string | undefined>()]
    for (let at = 1; ; at++) {
      const store = await begun(open)
      const isKilled = await killedAt(store, at, (dying) => migrate(dying, edited, answers))
      const phase = (await readRecord(store))?.phase
      phases.add(phase)
      if (isKilled && phase === 'switch') await expect(serving(store, old, () => Promise.resolve())).rejects.toThrow(/migrated/)
      // A gateway of the old schema may go on before anything is replaced.
      else if (isKilled && phase === 'prepare' && at % 2 === 0) expect((await serving(store, old, (ask) => ask(askOld))).data).toEqual(oldAnswer)
      await migrate(store, edited, answers)
      expect(await documentsIn(store, [old, edited]), `killed at write ${at}`).toEqual(expected)
      expect(await Array.fromAsync(checkStore(declaration, store))).toEqual([])
      await finishMigration(declaration, store, { keep: () => {}, silenceMs: 0 })
      expect([await readRecord(store), await countStaged(store)]).toEqual([undefined, 0])
      if (!isKilled) break
      kills++
      // The other stores have shown it at every write; a request takes longer here.
      if (name === 'cosmos') at += 6
    }
    expect(kills).toBeGreaterThan(3)
    expect([...phases]).toEqual(expect.arrayContaining(['prepare', 'switch']))
  }, 120_000)

  test('killed while old documents are removed', async () => {
    const declaration = readDeclaration(edited)
    for (let at = 1; ; at++) {
      const store = await begun(open)
      await migrate(store, edited, answers)
      const isKilled = await killedAt(store, at, (dying) => finishMigration(declaration, dying, { keep: () => {}, silenceMs: 0 }))
      await finishMigration(declaration, store, { keep: () => {}, silenceMs: 0 })
      expect([await readRecord(store), await countStaged(store), await store.count({ container: 'authors' })]).toEqual([undefined, 0, 0])
      if (!isKilled) break
    }
  }, 60_000)

  test('what is written between two runs is migrated, too', async () => {
    const store = await begun(open)
    expect(await killedAt(store, 4, (dying) => migrate(dying, edited, answers))).toBe(true)
    expect((await readRecord(store))?.phase).toBe('prepare')
    const [found] = await store.query({ container: 'books', orderBy: { path: ['id'], descending: false }, limit: 1 })
    // Not by a gateway, which would have cancelled what was prepared.
    await store.write([{ kind: 'put', container: 'books', key: found!.key, body: { ...found!.body, title: 'Other' } }])
    await migrate(store, edited, answers)
    expect((await serving(store, edited, (ask) => ask('{ book(id: "b1") { name authors { nodes { name } } } }'))).data).toEqual({ book: { name: 'Other', authors: { nodes: [{ name: 'Ann' }, { name: 'Ben' }] } } })
  })

  test('two at once: one of them stops, or finds nothing to do', async () => {
    const store = await begun(open)
    const ended = await Promise.allSettled([migrate(store, edited, answers), migrate(store, edited, answers)])
    await migrate(store, edited, answers)
    expect(ended.some(({ status }) => status === 'fulfilled') || (await planMigration(readDeclaration(edited), store, answers)).length === 0).toBe(true)
    expect(await Array.fromAsync(checkStore(readDeclaration(edited), store))).toEqual([])
    expect((await serving(store, edited, (ask) => ask('{ books { nodes { name authors { totalCount } } } }'))).data).toEqual({ books: { nodes: [{ name: 'One', authors: { totalCount: 2 } }, { name: 'Two', authors: { totalCount: 1 } }] } })
  })
})

async function begun(open: (typeof stores)[number]['store']): Promise<Store> {
  const store = await keptStore(open, [old, edited])
  await serving(store, old, () => Promise.resolve(), documents)
  return store
}
