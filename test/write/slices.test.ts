// A change with many effects never holds the event loop: its documents are read, changed and written in slices, and other
// requests are served in between.

import { StatementSync } from 'node:sqlite'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { HungUpError, OperationContext } from '../../src/store/operation-context.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { writeAll } from '../../src/store/write-all.ts'
import type { Store, Write } from '../../src/store/store.ts'
import { documentsPerSlice } from '../../src/store/work-slice.ts'
import { Writer } from '../../src/write/writer.ts'
import { duringTurns, Stretch } from '../store/in-process/turns.ts'
import { newFile } from '../store/sqlite/new-file.ts'

const declaration = readDeclaration(/* GraphQL */ `
  type Author @document(container: "authors") { id: ID! name: String! }
  type House @document(container: "houses") { id: ID! name: String books: BookConnection! @reverse(of: "Book.house") countOfBooks: Int! @counted(relation: "books") }
  type Book @document(container: "books") {
    id: ID!
    text: String
    author: Author @snapshot(at: "author", fields: ["name"], onDelete: CASCADE)
    house: House @reference(at: "houseId")
  }
`)

const copies = 6 * documentsPerSlice

afterEach(() => void vi.restoreAllMocks())

function put(container: string, body: { id: string; [name: string]: unknown }): Write {
  return { kind: 'put', container, key: { partition: [body.id], id: body.id }, body: body as never }
}

async function filled(store: Store, text = ''): Promise<Store> {
  const books = Array.from({ length: copies }, (_, at) => put('books', { id: `b${at}`, text, author: { id: 'a1', name: 'Ann' }, houseId: 'h1' }))
  await writeAll(store, [put('authors', { id: 'a1', name: 'Ann' }), put('houses', { id: 'h1', countOfBooks: copies }), ...books])
  return store
}

const rename = (store: Store) => new Writer(declaration, store).write(async (change) => ({ author: await change.update('Author', { id: 'a1', name: 'Eve' }) }))

async function namesIn(store: Store): Promise<string[]> {
  const books = await store.query({ container: 'books', orderBy: { path: ['id'], descending: false }, limit: 2 * copies })
  return [...new Set(books.map(({ body }) => (body['author'] as { name: string }).name))]
}

type Statement<Name extends 'all' | 'run'> = (this: StatementSync, ...values: unknown[]) => ReturnType<StatementSync[Name]>

/** Counts the rows and documents that pass between two turns of the event loop. */
function watchWork(): { readonly rows: Stretch; readonly statements: Stretch; readonly end: () => void } {
  const [rows, statements] = [new Stretch(), new Stretch()]
  const all = Reflect.get(StatementSync.prototype, 'all') as Statement<'all'>
  const run = Reflect.get(StatementSync.prototype, 'run') as Statement<'run'>
  vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...values) {
    const found = all.apply(this, values)
    rows.add(found.length)
    return found
  })
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    statements.add(1)
    return run.apply(this, values)
  })
  return {
    rows, statements,
    end: () => {
      rows.end()
      statements.end()
    },
  }
}

describe('on a SQLite file', () => {
  test('a rename reads and writes at most a slice of its copies between two turns of the event loop', async () => {
    const store = await filled(await openSqliteStore(newFile(), declaration.layout, { cacheBytes: 0 }))
    const work = watchWork()
    await duringTurns(rename(store), work.end)
    expect(work.rows.most).toBeGreaterThan(0)
    expect(work.rows.most).toBeLessThanOrEqual(2 * documentsPerSlice)
    expect(work.statements.most).toBeLessThanOrEqual(documentsPerSlice)
    vi.restoreAllMocks()
    expect(await namesIn(store)).toEqual(['Eve'])
    await store.close()
  })

  test('large documents are read fewer at a time', async () => {
    const store = await filled(await openSqliteStore(newFile(), declaration.layout, { cacheBytes: 0 }), 'x'.repeat(12_000))
    const work = watchWork()
    await duringTurns(rename(store), work.end)
    expect(work.rows.most).toBeLessThan(documentsPerSlice)
    vi.restoreAllMocks()
    expect(await namesIn(store)).toEqual(['Eve'])
    await store.close()
  })

  test('a cascading deletion deletes at most a slice, too, and recounts nothing', async () => {
    const store = await filled(await openSqliteStore(newFile(), declaration.layout, { cacheBytes: 0 }))
    const work = watchWork()
    const counted = vi.spyOn(store, 'count')
    await duringTurns(new Writer(declaration, store).write(async (change) => ({ author: await change.delete('Author', { id: 'a1' }) })), work.end)
    expect(work.rows.most).toBeLessThanOrEqual(3 * documentsPerSlice)
    expect(work.statements.most).toBeLessThanOrEqual(documentsPerSlice)
    expect(counted).not.toHaveBeenCalled()
    vi.restoreAllMocks()
    expect(await store.count({ container: 'books' })).toBe(0)
    expect(await store.readMany('houses', [{ partition: ['h1'], id: 'h1' }])).toMatchObject([{ body: { countOfBooks: 0 } }])
    await store.close()
  })
})

describe.each([
  { name: 'memory', open: () => openMemoryStore(declaration.layout) },
  { name: 'SQLite', open: () => openSqliteStore(newFile(), declaration.layout) },
])('on $name', ({ open }) => {
  test('other requests are served while a rename is planned, and see all of it or nothing', async () => {
    const store = await filled(await open())
    const seen: Promise<string[]>[] = []
    await duringTurns(rename(store), () => seen.push(namesIn(store)))
    expect(seen.length).toBeGreaterThan(copies / documentsPerSlice)
    for (const names of await Promise.all(seen)) expect(['Ann', 'Eve']).toContain(String(names))
    expect(await namesIn(store)).toEqual(['Eve'])
    await store.close()
  })

  test('a request that is stopped while its effects are planned writes nothing', async () => {
    const store = await filled(await open())
    let turns = 0
    const operation = new OperationContext({ id: 'r1', isGone: () => turns > 2 })
    await expect(duringTurns(operation.run(() => rename(store)), () => turns++)).rejects.toBeInstanceOf(HungUpError)
    expect(await namesIn(store)).toEqual(['Ann'])
    await rename(store)
    expect(await namesIn(store)).toEqual(['Eve'])
    await store.close()
  })

  test('a writer that comes during a rename waits for it, and keeps it', async () => {
    const store = await filled(await open())
    const writer = new Writer(declaration, store)
    const renaming = rename(store)
    await new Promise(setImmediate)
    const creating = writer.write(async (change) => ({ book: await change.create('Book', { authorId: 'a1', houseId: 'h1' }) }))
    const [, { book }] = await Promise.all([renaming, creating])
    expect(book.body['author']).toMatchObject({ name: 'Eve' })
    expect(await namesIn(store)).toEqual(['Eve'])
    expect(await store.readMany('houses', [{ partition: ['h1'], id: 'h1' }])).toMatchObject([{ body: { countOfBooks: copies + 1 } }])
    await store.close()
  })
})
