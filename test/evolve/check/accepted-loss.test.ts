// A repair loses nothing that it cannot prove wrong: it stops before it writes if the schema may be wrong, removes nothing that nobody
// accepted, and everything that it takes out can be put back.

import { describe, expect, test } from 'vitest'
import { checkStore, type CheckOptions } from '../../../src/evolve/check/check-store.ts'
import type { Finding } from '../../../src/evolve/check/finding.ts'
import type { UndoEntry } from '../../../src/evolve/check/repair/undo-log.ts'
import { undoRepair } from '../../../src/evolve/check/repair/undo-repair.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { readDeclaration, type Declaration } from '../../../src/relations/declaration.ts'
import type { Store } from '../../../src/store/store.ts'
import { writeAll } from '../../../src/store/write-all.ts'
import { documentWrites, unlikeStores } from '../../harness.ts'
import { Journal } from './journal.ts'

const sdl = `
  type Book @document(container: "books") { id: ID! authors: [Author!]! @snapshot(at: "authors", fields: ["name"]) }
  type Author @document(container: "authors", type: "author") {
    id: ID! name: String!
    books: [Book!]! @reference(at: "books", inverseOf: "Book.authors") countOfBooks: Int! @counted(relation: "books")
  }`
const declaration = readDeclaration(sdl)
const author = (id: string, books: readonly string[]): Body => ({ id, name: id.toUpperCase(), books, countOfBooks: books.length })
const count = 200
const bookIds = Array.from({ length: count }, (_, number) => `b${String(number).padStart(3, '0')}`)
const documents = {
  Book: bookIds.map((id) => ({ id, authors: [{ id: 'a', name: 'A' }, { id: 'b', name: 'B' }] })),
  Author: [author('a', bookIds), author('b', bookIds)],
}

/** The containers of both schemas, so that the store can be read under each. */
const layoutOf = (...declarations: Declaration[]) => [...new Map(declarations.flatMap(({ layout }) => layout).map((each) => [each.name, each])).values()]

async function all(store: Store, containers: readonly string[]): Promise<Record<string, Body>> {
  const found = await Promise.all(containers.map(async (container) => store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 1000 })))
  return Object.fromEntries(found.flat().map(({ key, body: { _v, _c, ...body } }) => [key.id, body]))
}

const check = (declared: Declaration, store: Store, options?: CheckOptions): Promise<Finding[]> => Array.fromAsync(checkStore(declared, store, options))

describe.for(unlikeStores)('on $name', ({ store: open }) => {
  test.each([
    ['the container of the target', sdl.replace('"authors", type', '"writers", type'), /400 of 400 values of Book\.authors .*"writers".*Change it back/],
    ['the type of the target', sdl.replace('type: "author"', 'type: "writer"'), /400 of 400 values of Book\.authors .*type "writer"/],
    ['the container of a source of lists and counts', sdl.replace('"books")', '"volumes")'), /2 of 2 values of Author\.books .*"volumes"/],
  ])('a changed schema stops a repair before it writes: %s', async (_, changed, line) => {
    const edited = readDeclaration(changed)
    const store = await open(layoutOf(declaration, edited))
    await writeAll(store, documentWrites(declaration.model, documents))
    const before = await all(store, ['books', 'authors'])
    for (const acceptLoss of [false, true]) await expect(check(edited, store, { repair: true, acceptLoss })).rejects.toThrow(line)
    expect(await all(store, ['books', 'authors'])).toEqual(before)
    expect(await check(declaration, store)).toEqual([])
    await store.close()
  })

  test('few dangling references are removed only if that is accepted; counts and snapshots are repaired anyway', async () => {
    const store = await open(declaration.layout)
    const [first, second, ...rest] = documents.Book
    await writeAll(store, documentWrites(declaration.model, { ...documents, Book: [{ ...first!, authors: [...first!.authors, { id: 'gone', name: 'G' }] }, { ...second!, authors: [{ id: 'a', name: 'old' }, { id: 'b', name: 'B' }] }, ...rest] }))
    const found = await check(declaration, store, { repair: true })
    expect(found.map(({ kind, id, repair }) => `${kind} ${id} ${repair}`)).toEqual(['dangling b000 lossy', 'drifted b001 done'])
    expect((await all(store, ['books']))['b000']).toMatchObject({ authors: [{ id: 'a' }, { id: 'b' }, { id: 'gone', name: 'G' }] })
    const taken: UndoEntry[] = []
    const before = await all(store, ['books', 'authors'])
    expect((await check(declaration, store, { repair: true, acceptLoss: true, keep: (each) => void taken.push(...each) })).map(({ repair }) => repair)).toEqual(['done'])
    expect((await all(store, ['books']))['b000']!['authors']).toHaveLength(2)
    expect((await Array.fromAsync(undoRepair(store, taken))).map(({ outcome }) => outcome)).toEqual(['restored'])
    expect(await all(store, ['books', 'authors'])).toEqual(before)
    await store.close()
  })

  test('more than 1 % of dangling references stop it, unless their field is named', async () => {
    const store = await open(declaration.layout)
    await writeAll(store, documentWrites(declaration.model, { ...documents, Book: documents.Book.map((book, at) => (at % 10 === 0 ? { ...book, authors: [...book.authors, { id: 'gone', name: 'G' }] } : book)) }))
    await expect(check(declaration, store, { repair: true, acceptLoss: true })).rejects.toThrow(/20 of 420 references of Book\.authors/)
    expect((await check(declaration, store, { repair: true, acceptLoss: ['Book.authors'] })).every(({ repair }) => repair === 'done')).toBe(true)
    expect(await check(declaration, store)).toEqual([])
    await store.close()
  })

  test('everything that a repair of every kind takes out is put back, and what has changed since stays', async () => {
    const journal = await Journal.open(open)
    await journal.damage('posts', 'p1', { writers: [{ id: 'ada', name: 'Old' }, { id: 'zed' }], countOfWriters: 9, topicId: 99 })
    await journal.damage('writers', 'ben', { mentor: { id: 'nobody', name: 'N' }, posts: ['p3'], countOfPosts: 4 })
    await journal.put('posts', { id: 'lost.notes.0', postId: 'lost', type: 'notes', entries: [{ id: 'n', number: 0 }] })
    const before = await contents(journal)
    const taken: UndoEntry[] = []
    await journal.check({ repair: true, keep: (each) => void taken.push(...each) })
    expect(await journal.check()).toEqual([])
    expect(await contents(journal)).not.toEqual(before)
    const undone = await Array.fromAsync(undoRepair(journal.store, taken))
    expect(new Set(undone.map(({ outcome }) => outcome))).toEqual(new Set(['restored']))
    expect(await contents(journal)).toEqual(before)

    const again: UndoEntry[] = []
    await journal.check({ repair: true, keep: (each) => void again.push(...each) })
    await journal.damage('posts', 'p1', { writers: [] })
    const outcomes = (await Array.fromAsync(undoRepair(journal.store, again))).map(({ taken: { id }, outcome }) => `${id} ${outcome}`)
    expect(outcomes).toContain('p1 changed')
    expect(outcomes).toContain('lost.notes.0 restored')
    expect((await journal.find('posts', 'p1'))!.body['writers']).toEqual([])
    await journal.store.close()
  })

  test('buckets whose owner is missing stay unless their loss is accepted', async () => {
    const journal = await Journal.open(open)
    await journal.put('posts', { id: 'lost.notes.0', postId: 'lost', type: 'notes', entries: [{ id: 'n', number: 0 }] })
    await expect(journal.check({ repair: true, acceptLoss: true })).rejects.toThrow(/1 of 4 buckets of Post\.notes/)
    expect(await journal.find('posts', 'lost.notes.0')).toBeDefined()
    expect(await journal.check({ acceptLoss: false })).toMatchObject([{ kind: 'misplaced', id: 'lost', repair: 'lossy' }])
    await journal.check({ repair: true, acceptLoss: ['Post.notes'] })
    expect(await journal.find('posts', 'lost.notes.0')).toBeUndefined()
    await journal.store.close()
  })
})

async function contents(journal: Journal): Promise<Record<string, Body>> {
  return Object.fromEntries([...(await journal.everything())].map(([name, { body: { _v, _c, ...body } }]) => [name, body]))
}
