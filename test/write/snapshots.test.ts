// Snapshots are updated in the write that changes their source: all are up to date when the mutation answers, and a
// change of fields that are not copied writes no other document.

import { describe, expect, test } from 'vitest'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { derive as libraryDerive } from '../../schema/library/derive.ts'
import { resolvers as libraryResolvers } from '../../schema/library/resolvers.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import type { Derive } from '../../src/relations/kind.ts'
import { stores } from '../harness.ts'
import { callsOf, expectWrites, openWritable, written } from './open-writable.ts'

const sdl = /* GraphQL */ `
  type Song @document(container: "songs") {
    id: ID!
    title: String!
    singer: Singer @snapshot(at: "singer", fields: ["name", "initial"])
    writers: [Singer!]! @snapshot(at: "writers", fields: ["name", "photos"])
    credit: String! @derived
  }
  type Singer @document(container: "singers") {
    id: ID!
    name: String! @stored(at: "full-name")
    initial: String! @derived
    town: String
    photos: [Photo!]! @contained(max: 3)
    teacher: Singer @snapshot(at: "teacher", fields: ["name"])
  }
  type Photo { url: String! width: Int @stored(at: "w") }
  type Concert @document(container: "concerts") {
    id: ID!
    opening: Song @snapshot(at: "opening", fields: ["credit"])
    songs: [Song!]! @snapshot(at: "songs", fields: ["title", "credit"])
  }
`

const derive: Derive = {
  Singer: { initial: (document) => String(document['full-name']).charAt(0) },
  Song: { credit: ({ title, singer }) => `${String(title)} by ${String((singer as { name?: string } | undefined)?.name)}` },
}

const ann = { id: 'a', 'full-name': 'Ann', town: 'Arles', photos: [{ url: 'a.png', w: 7 }] }
const bea = { id: 'b', 'full-name': 'Bea', photos: [] }
const documents = {
  Singer: [ann, bea],
  Song: [
    { id: 's1', title: 'Rain', singer: { id: 'a', name: 'Ann', initial: 'A' }, writers: [{ id: 'b', name: 'Bea', photos: [] }, { id: 'a', name: 'Ann', photos: [{ url: 'a.png', w: 7 }] }] },
    { id: 's2', title: 'Snow', singer: { id: 'b', name: 'Bea', initial: 'B' }, writers: [{ id: 'b', name: 'Bea', photos: [] }] },
    { id: 's3', title: 'Hail', writers: [] },
  ],
  Concert: [
    { id: 'c1', opening: { id: 's1', credit: 'Rain by Ann' }, songs: [{ id: 's2', title: 'Snow', credit: 'Snow by Bea' }, { id: 's1', title: 'Rain', credit: 'Rain by Ann' }] },
    { id: 'c2', songs: [{ id: 's2', title: 'Snow', credit: 'Snow by Bea' }] },
  ],
}

describe.each(stores)('snapshots on $name', ({ store }) => {
  const open = () => openWritable({ typeDefs: sdl, derive, store, documents })

  test('a new document copies the declared fields, derived and contained ones too', async () => {
    const { ask, bodies } = await open()
    await written(ask, 'mutation { createSong(input: { id: "s4", title: "Fog", singerId: "b", writerIds: ["a", "b"] }) { song { id } } }')
    expect((await bodies('songs'))['s4']).toEqual({
      id: 's4', title: 'Fog', singer: { id: 'b', name: 'Bea', initial: 'B' }, _v: 1, _c: 1,
      writers: [{ id: 'a', name: 'Ann', photos: [{ url: 'a.png', w: 7 }] }, { id: 'b', name: 'Bea', photos: [] }],
    })
  })

  test('a change reaches every snapshot, with its version', async () => {
    const { ask, bodies } = await open()
    await written(ask, 'mutation { updateSinger(input: { id: "a", name: "Zoe" }) { singer { id } } }')
    const { s1, s2, s3 } = await bodies('songs')
    expect(s1).toEqual({
      id: 's1', title: 'Rain', singer: { id: 'a', name: 'Zoe', initial: 'Z', _v: 1 }, _v: 1, _c: 1,
      writers: [{ id: 'b', name: 'Bea', photos: [] }, { id: 'a', name: 'Zoe', photos: [{ url: 'a.png', w: 7 }], _v: 1 }],
    })
    expect([s2, s3]).toEqual(documents.Song.slice(1))
  })

  test('a contained value is copied as a whole, and only where it is declared', async () => {
    const { ask, bodies } = await open()
    await written(ask, 'mutation { updateSinger(input: { id: "b", photos: [{ url: "b.png", width: 9 }] }) { singer { id } } }')
    const { s1, s2 } = await bodies('songs')
    expect(s1).toMatchObject({ writers: [{ id: 'b', photos: [{ url: 'b.png', w: 9 }] }, { id: 'a' }] })
    expect(s2).toMatchObject({ singer: { id: 'b', name: 'Bea', initial: 'B' }, writers: [{ id: 'b', photos: [{ url: 'b.png', w: 9 }] }] })
  })

  test('a change of fields that are not copied reads and writes no other document', async () => {
    const { ask, etags } = await open()
    const before = [await etags('songs'), await etags('concerts')]
    const answer = await ask('mutation { updateSinger(input: { id: "a", town: "Nice", name: "Ann" }) { singer { town } } }')
    expect(answer.data).toEqual({ updateSinger: { singer: { town: 'Nice' } } })
    expect(callsOf(answer)).toEqual(['read singers 1', 'write singers 1'])
    expect([await etags('songs'), await etags('concerts')]).toEqual(before)
  })

  test('finds and writes the affected documents at once, and no others', async () => {
    const opened = await open()
    const { ask, etags } = opened
    const before = await etags('songs')
    const answer = await ask('mutation { updateSong(input: { id: "s2", title: "Sleet" }) { song { id } } }')
    expectWrites(opened, answer, 'songs, concerts 3', ['songs 1'])
    expect(await etags('songs')).toEqual({ ...before, s2: expect.not.stringContaining(before['s2']!) })
  })

  test('updates a snapshot of a field that is derived from another snapshot', async () => {
    const opened = await open()
    const { ask, bodies } = opened
    const answer = await ask('mutation { updateSinger(input: { id: "a", name: "Zoe" }) { singer { id } } }')
    expect(await bodies('concerts')).toMatchObject({
      c1: { opening: { id: 's1', credit: 'Rain by Zoe' }, songs: [{ id: 's2', credit: 'Snow by Bea' }, { id: 's1', title: 'Rain', credit: 'Rain by Zoe' }] },
      c2: documents.Concert[1]!,
    })
    expectWrites(opened, answer, 'singers, songs, concerts 3', ['singers 1'])
  })

  test('updates a document that has a snapshot of itself', async () => {
    const { ask, bodies } = await open()
    const answer = await written(ask, `mutation {
      a: updateSinger(input: { id: "a", teacherId: "a" }) { singer { teacher { name } } }
      b: updateSinger(input: { id: "a", name: "Zoe" }) { singer { name teacher { name } } }
    }`)
    expect(answer).toEqual({ a: { singer: { teacher: { name: 'Ann' } } }, b: { singer: { name: 'Zoe', teacher: { name: 'Zoe' } } } })
    expect((await bodies('singers'))['a']).toMatchObject({ 'full-name': 'Zoe', teacher: { id: 'a', name: 'Zoe' } })
  })

  test('updates two documents with snapshots of each other', async () => {
    const { ask, bodies } = await open()
    await written(ask, `mutation {
      a: updateSinger(input: { id: "a", teacherId: "b" }) { singer { id } }
      b: updateSinger(input: { id: "b", teacherId: "a", name: "Bo" }) { singer { id } }
      c: updateSinger(input: { id: "a", name: "Al" }) { singer { id } }
    }`)
    expect(await bodies('singers')).toMatchObject({ a: { 'full-name': 'Al', teacher: { name: 'Bo' } }, b: { 'full-name': 'Bo', teacher: { name: 'Al' } } })
  })

  test('every write increments the version, also in documents with snapshots', async () => {
    const { ask, bodies } = await open()
    const versions = async () => Object.values({ ...(await bodies('singers')), ...(await bodies('songs')) }).map(({ id, _v }) => `${String(id)} ${String(_v ?? 0)}`).toSorted()
    expect(await versions()).toEqual(['a 0', 'b 0', 's1 0', 's2 0', 's3 0'])
    await written(ask, 'mutation { updateSinger(input: { id: "b", name: "Bo" }) { singer { id } } }')
    expect(await versions()).toEqual(['a 0', 'b 1', 's1 1', 's2 1', 's3 0'])
    await written(ask, 'mutation { a: updateSinger(input: { id: "a", name: "Al" }) { singer { id } } b: updateSong(input: { id: "s3", title: "Mist" }) { song { id } } }')
    expect(await versions()).toEqual(['a 1', 'b 1', 's1 2', 's2 1', 's3 1'])
  })

  test('propagates a document that another program replaced without its version', async () => {
    const { ask, bodies, store: kept } = await open()
    await written(ask, 'mutation { a: updateSinger(input: { id: "a", name: "Al" }) { singer { id } } b: updateSinger(input: { id: "a", name: "Ali" }) { singer { id } } }')
    // Another program writes the document as it knows it, without the version.
    await kept.write([{ kind: 'put', container: 'singers', key: { partition: ['a'], id: 'a' }, body: ann }])
    await written(ask, 'mutation { updateSinger(input: { id: "a", name: "Zoe" }) { singer { id } } }')
    // Through the change feed, a snapshot with a higher version looks newer than its source until a check repairs it.
    if (kept.supports.atomic !== 'store') await Array.fromAsync(checkStore(readDeclaration(sdl, derive), kept, { repair: true }))
    expect((await bodies('songs'))['s1']).toMatchObject({ singer: { name: 'Zoe', initial: 'Z' } })
  })

  test('a document that is created again is copied as it is now', async () => {
    const { ask, bodies, store: kept } = await open()
    await kept.write([{ kind: 'delete', container: 'singers', key: { partition: ['a'], id: 'a' } }])
    await written(ask, 'mutation { createSinger(input: { id: "a", name: "Zoe" }) { singer { id } } }')
    expect((await bodies('songs'))['s1']).toMatchObject({ singer: { name: 'Zoe', initial: 'Z' }, writers: [{ name: 'Bea' }, { name: 'Zoe' }] })
  })

  test('updates snapshots of snapshots, however long the chain', async () => {
    const tree = /* GraphQL */ `
      type Folder @document(container: "folders") { id: ID! name: String! path: String! @derived parent: Folder @snapshot(at: "parent", fields: ["path"]) }
    `
    const path: Derive[string] = { path: ({ name, parent }) => `${(parent as { path?: string } | undefined)?.path ?? ''}/${String(name)}` }
    const depth = 15
    const { ask, bodies } = await openWritable({ typeDefs: tree, derive: { Folder: path }, store })
    await written(ask, `mutation { ${Array.from({ length: depth }, (_, at) =>
      `f${at}: createFolder(input: { id: "f${at}", name: "${at}", ${at > 0 ? `parentId: "f${at - 1}"` : ''} }) { folder { id } }`).join(' ')} }`)
    await written(ask, 'mutation { updateFolder(input: { id: "f0", name: "root" }) { folder { path } } }')
    const last = (await bodies('folders'))[`f${depth - 1}`]
    expect(last).toMatchObject({ parent: { path: `/root/${Array.from({ length: depth - 2 }, (_, at) => at + 1).join('/')}` } })
  })
})

/** The snapshot of an author in a book; both authors have the same name. */
const copy = (id: string) => ({ id, name: 'Ann Other', thumbnailUrl: null })

test.each(stores)('renaming an author with 200 books updates every snapshot in one write ($name)', async ({ store }) => {
  const ids = Array.from({ length: 200 }, (_, at) => `b${at}`)
  const books = ids.map((id, at) => ({ id, bookId: id, name: `Book ${at}`, authors: at % 2 ? [copy('a2'), copy('a1')] : [copy('a1')] }))
  const opened = await openWritable({
    typeDefs: readSdlFolder('schema/library'),
    derive: libraryDerive,
    resolvers: libraryResolvers,
    store,
    documents: {
      Author: [
        { id: 'a1', firstName: 'Ann', lastName: 'Other', images: [], books: ids.toSorted(), countOfBooks: 200 },
        { id: 'a2', firstName: 'Ann', lastName: 'Other', images: [], books: ids.filter((_, at) => at % 2).toSorted(), countOfBooks: 100 },
      ],
      Book: [...books, { id: 'z', bookId: 'z', name: 'Other', authors: [copy('a2')] }],
    },
  })
  const answer = await opened.ask(`mutation {
    updateAuthor(input: { id: "a1", firstName: "Zoe", lastName: "New", images: [{ thumbnail: "z.png" }] }) { author { name books { authors { id name thumbnailUrl } } } }
  }`)
  const shown = (id: string) => (id === 'a1' ? { id, name: 'Zoe New', thumbnailUrl: 'z.png' } : copy(id))
  const inIdOrder = books.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  expect(answer.data).toEqual({ updateAuthor: { author: { name: 'Zoe New', books: inIdOrder.map(({ authors }) => ({ authors: authors.map(({ id }) => shown(id)) })) } } })
  expectWrites(opened, answer, 'authors, books 201', ['authors 1'])
  const stored = await opened.bodies('books')
  for (const { id, authors } of books) expect(stored[id]).toMatchObject({ authors: authors.map((one) => shown(one.id)) })
  expect(stored['z']).toMatchObject({ authors: [copy('a2')] })
})
