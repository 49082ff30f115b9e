// Deleting a referenced document: RESTRICT refuses, SET_NULL removes the reference, CASCADE deletes the referencing
// document too. And the buckets that are deleted with their document in any case.

import { describe, expect, test } from 'vitest'
import { bucketKey } from '../../src/model/keys/bucket.ts'
import type { Body } from '../../src/model/json/json.ts'
import { unlikeStores, type Documents } from '../harness.ts'
import { callsOf, expectRefused, expectWrites, openWritable, written } from './open-writable.ts'

const referenced = (target: string, pointing: string, field: string) => ({
  code: 'REFERENCED', says: [`${target} cannot be deleted`, pointing, field],
})

const deleteSinger = (id: string) => `mutation { deleteSinger(input: { id: "${id}" }) { singer { id } } }`

/** An album with that many reviews: the newest in it, the others in buckets of two. */
const albumWith = (id: string, labelId: number, reviews: number): Body[] => {
  const all = Array.from({ length: reviews }, (_, number) => ({ number, text: `${number}` }))
  const older = all.slice(0, -1)
  const buckets = Array.from({ length: Math.ceil(older.length / 2) }, (_, bucket) =>
    ({ id: bucketKey(id, 'reviews', bucket).id, albumId: id, type: 'reviews', entries: older.slice(bucket * 2, bucket * 2 + 2) }))
  return [{ id, albumId: id, type: 'album', labelId, countOfReviews: reviews, recent: all.slice(-1) }, ...buckets]
}

const trackOn = (id: string, albumId: string, ...singerIds: string[]) => ({ id, album: { id: albumId }, singerIds })

describe.each(unlikeStores)('deleting on $name', ({ store }) => {
  const open = (typeDefs: string, documents: Documents) => openWritable({ typeDefs, store, documents })

  describe('RESTRICT', () => {
    const sdl = /* GraphQL */ `
      type Song @document(container: "songs") {
        id: ID!
        singer: Singer @reference(at: "singerId")
        writers: [Singer!]! @snapshot(at: "writers", fields: ["name"])
        fans: [Singer!]! @reference(at: "fans", numeric: true)
        credits: [Credit!]! @contained(max: 5)
        answers: Song @reference(at: "songId")
      }
      type Credit { of: Singer! @reference(at: "singerId", numeric: true) }
      type Singer @document(container: "singers") { id: ID! name: String! }
    `
    const singers = ['1', '2', '3', '4', '5'].map((id) => ({ id, name: `Singer ${id}` }))
    const documents = {
      Singer: singers,
      Song: [
        { id: 's1', singerId: '1', writers: [], fans: [], credits: [], songId: 's1' },
        { id: 's2', writers: [{ id: '2', name: 'Singer 2' }], fans: [3], credits: [{ singerId: 4 }], songId: 's1' },
      ],
    }

    test('refuses to delete a document that is referenced from any depth', async () => {
      const opened = await open(sdl, documents)
      for (const [id, song, field] of [['1', 's1', 'Song.singer'], ['2', 's2', 'Song.writers'], ['3', 's2', 'Song.fans'], ['4', 's2', 'Credit.of']] as const) {
        await expectRefused(opened, deleteSinger(id), referenced(`Singer ${id}`, `Song ${song}`, field))
      }
    })

    test('reads only one referencing document to know', async () => {
      const many = Array.from({ length: 50 }, (_, at) => ({ id: `s${at}`, singerId: '1', writers: [], fans: [], credits: [] }))
      const { report } = await (await open(sdl, { Singer: singers, Song: many })).ask(deleteSinger('1'))
      expect(report.calls).toMatchObject([{ container: 'singers' }, { container: 'songs', documents: 1 }])
    })

    test('deletes a document without references to it', async () => {
      const opened = await open(sdl, documents)
      await written(opened.ask, deleteSinger('5'))
      expect(Object.keys(await opened.bodies('singers'))).toEqual(['1', '2', '3', '4'])
    })

    test('deletes it after the last reference is gone', async () => {
      const opened = await open(sdl, documents)
      await written(opened.ask, `mutation {
        a: updateSong(input: { id: "s1", singerId: null }) { song { id } }
        b: deleteSinger(input: { id: "1" }) { singer { id } }
        c: deleteSong(input: { id: "s2" }) { song { id } }
        d: deleteSinger(input: { id: "4" }) { singer { id } }
      }`)
      expect(Object.keys(await opened.bodies('singers'))).toEqual(['2', '3', '5'])
    })

    test('a reference to itself does not restrict', async () => {
      const opened = await open(sdl, documents)
      await expectRefused(opened, 'mutation { deleteSong(input: { id: "s1" }) { song { id } } }', referenced('Song s1', 'Song s2', 'Song.answers'))
      await written(opened.ask, 'mutation { a: deleteSong(input: { id: "s2" }) { song { id } } b: deleteSong(input: { id: "s1" }) { song { id } } }')
      expect(await opened.bodies('songs')).toEqual({})
    })

    test('a reference in an entry of a bucketed list does not restrict, and resolves to null afterwards', async () => {
      const bucketed = /* GraphQL */ `
        type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
          id: ID!
          comments: CommentConnection! @bucketed(at: "recent", recent: 1, size: 2, key: "postId", type: "comments")
        }
        type Comment { text: String! by: User @reference(at: "userId") }
        type User @document(container: "users") { id: ID! }
      `
      const post = { id: 'p', postId: 'p', type: 'post', countOfComments: 2, recent: [{ number: 1, text: 'New', userId: 'new' }] }
      const bucket = { id: 'p.comments.0', postId: 'p', type: 'comments', entries: [{ number: 0, text: 'Old', userId: 'old' }] }
      const opened = await open(bucketed, { Post: [post, bucket], User: [{ id: 'new' }, { id: 'old' }] })
      for (const id of ['new', 'old']) await written(opened.ask, `mutation { deleteUser(input: { id: "${id}" }) { user { id } } }`)
      const { data } = await opened.ask('query @read(from: REFERENCE) { post(id: "p") { comments { nodes { text by { id } } } } }')
      expect(data).toEqual({ post: { comments: { nodes: [{ text: 'New', by: null }, { text: 'Old', by: null }] } } })
    })
  })

  describe('SET_NULL', () => {
    const sdl = /* GraphQL */ `
      type Song @document(container: "songs") {
        id: ID!
        singer: Singer @reference(at: "singerId", numeric: true, onDelete: SET_NULL)
        writer: Singer @snapshot(at: "writer", fields: ["name"], onDelete: SET_NULL)
        guests: [Singer!]! @reference(at: "guests", numeric: true, onDelete: SET_NULL)
        countOfGuests: Int! @counted(relation: "guests")
        fans: [Singer!]! @snapshot(at: "fans", fields: ["name"], onDelete: SET_NULL)
        lead: Credit @contained
        credits: [Credit!]! @contained(max: 5)
      }
      type Credit { role: String of: Singer @reference(at: "singerId", onDelete: SET_NULL) also: [Singer!]! @reference(at: "also", onDelete: SET_NULL) share: Share @contained }
      type Share { of: Singer @reference(at: "heirId", onDelete: SET_NULL) }
      type Singer @document(container: "singers") { id: ID! name: String! songs: SongConnection! @reverse(of: "Song.guests") countOfSongs: Int! @counted(relation: "songs") }
    `
    const song = {
      id: 's1', singerId: 1, writer: { id: '1', name: 'One' }, guests: [2, 1, 3], countOfGuests: 3, fans: [{ id: '1', name: 'One' }, { id: '2', name: 'Two' }],
      lead: { role: 'Bass', singerId: '1', also: ['1', '2'], share: { heirId: '1' } }, credits: [{ role: 'Drums', singerId: '2', also: [] }, { singerId: '1', also: ['1'] }],
    }
    const documents = {
      Singer: [{ id: '1', name: 'One', countOfSongs: 1 }, { id: '2', name: 'Two', countOfSongs: 2 }, { id: '3', name: 'Three', countOfSongs: 1 }],
      Song: [song, { id: 's2', guests: [2], countOfGuests: 1, fans: [], credits: [] }],
    }

    test('sets references to null at any depth, and removes them from lists', async () => {
      const opened = await open(sdl, documents)
      const other = (await opened.etags('songs'))['s2']
      await written(opened.ask, deleteSinger('1'))
      expect((await opened.bodies('songs'))['s1']).toMatchObject({
        singerId: null, writer: null, guests: [2, 3], fans: [{ id: '2', name: 'Two' }],
        lead: { role: 'Bass', singerId: null, also: ['2'], share: { heirId: null } }, credits: [{ role: 'Drums', singerId: '2', also: [] }, { singerId: null, also: [] }], _v: 1,
      })
      expect((await opened.etags('songs'))['s2']).toBe(other)
      const { data, errors } = await opened.ask('{ song(id: "s1") { singer { name } writer { name } guests { name } fans { name } lead { of { name } also { name } } credits { of { name } } } }')
      expect(errors).toBeUndefined()
      expect(data).toEqual({ song: {
        singer: null, writer: null, guests: [{ name: 'Two' }, { name: 'Three' }], fans: [{ name: 'Two' }],
        lead: { of: null, also: [{ name: 'Two' }] }, credits: [{ of: { name: 'Two' } }, { of: null }],
      } })
    })

    test('a list that loses an entry counts one less', async () => {
      const opened = await open(sdl, documents)
      await written(opened.ask, deleteSinger('1'))
      expect((await opened.bodies('songs'))['s1']).toMatchObject({ guests: [2, 3], countOfGuests: 2 })
    })

    test('a property of the same name in another shape of a union is no reference', async () => {
      const opened = await open(/* GraphQL */ `
        type Page @document(container: "pages") { id: ID! parts: [Part!]! @contained(max: 5) }
        union Part = Mention | Text
        type Mention @shape(has: "kind") { kind: String! of: Singer @reference(at: "value", onDelete: SET_NULL) }
        type Text @shape(has: "font") { font: String! value: String! }
        type Singer @document(container: "singers") { id: ID! }
      `, { Singer: [{ id: '1' }], Page: [{ id: 'p', parts: [{ kind: 'Solo', value: '1' }, { font: 'Serif', value: '1' }] }, { id: 'q', parts: [{ font: 'Serif', value: '1' }] }] })
      await written(opened.ask, deleteSinger('1'))
      expect(await opened.bodies('pages')).toMatchObject({ p: { parts: [{ kind: 'Solo', value: null }, { font: 'Serif', value: '1' }] }, q: { parts: [{ font: 'Serif', value: '1' }] } })
    })

    test('writes everything with the deletion, atomically', async () => {
      const opened = await open(sdl, documents)
      const answer = await opened.ask('mutation { deleteSinger(input: { id: "2" }) { singer { name } } }')
      expect(answer.data).toEqual({ deleteSinger: { singer: { name: 'Two' } } })
      // Without one atomic scope: the removal record, then the referencing documents, then the singer.
      expectWrites(opened, answer, 'singers, songs 3', ['quire 1', 'songs 1', 'songs 1', 'singers 1'])
    })
  })

  describe('CASCADE', () => {
    const sdl = /* GraphQL */ `
      type Label @document(container: "labels") { id: ID! countOfAlbums: Int! @counted(relation: "albums") albums: AlbumConnection! @reverse(of: "Album.label") }
      type Album @document(container: "albums", partitionKey: "/albumId", type: "album") {
        id: ID!
        label: Label! @reference(at: "labelId", numeric: true, onDelete: CASCADE)
        reviews: ReviewConnection! @bucketed(at: "recent", recent: 1, size: 2, key: "albumId", type: "reviews")
        countOfReviews: Int! @counted(relation: "reviews")
      }
      type Review { text: String! }
      type Track @document(container: "tracks") {
        id: ID!
        album: Album! @snapshot(at: "album", fields: ["id"], onDelete: CASCADE)
        singers: [Singer!]! @reference(at: "singerIds")
        next: Track @reference(at: "next", onDelete: CASCADE)
      }
      type Singer @document(container: "singers") { id: ID! tracks: [Track!]! @reference(at: "tracks", inverseOf: "Track.singers") countOfTracks: Int! @counted(relation: "tracks") }
      type Listing @document(container: "listings") { id: ID! entries: [Item!]! @contained(max: 5) }
      type Item { track: Track! @reference(at: "trackId", onDelete: CASCADE) }
    `
    const documents = {
      Label: [{ id: '1', countOfAlbums: 2 }, { id: '2', countOfAlbums: 1 }],
      Album: [...albumWith('a1', 1, 6), ...albumWith('a2', 1, 1), ...albumWith('b1', 2, 4)],
      Track: [trackOn('t1', 'a1', 'x'), trackOn('t2', 'a1', 'x', 'y'), trackOn('t3', 'a2', 'y'), trackOn('u1', 'b1', 'x', 'y')],
      Singer: [{ id: 'x', tracks: ['t1', 't2', 'u1'], countOfTracks: 3 }, { id: 'y', tracks: ['t2', 't3', 'u1'], countOfTracks: 3 }],
      Listing: [{ id: 'l1', entries: [{ trackId: 'u1' }, { trackId: 't3' }] }, { id: 'l2', entries: [{ trackId: 'u1' }] }],
    }

    test('deletes referencing documents, and those that reference them', async () => {
      const opened = await open(sdl, documents)
      await written(opened.ask, 'mutation { deleteLabel(input: { id: "1" }) { label { id } } }')
      expect(Object.keys(await opened.bodies('labels'))).toEqual(['2'])
      expect(Object.keys(await opened.bodies('albums'))).toEqual(['b1', 'b1.reviews.0', 'b1.reviews.1'])
      expect(Object.keys(await opened.bodies('tracks'))).toEqual(['u1'])
      expect(Object.keys(await opened.bodies('listings'))).toEqual(['l2'])
    })

    test('lists and counts elsewhere are up to date afterwards, and all of it is one write', async () => {
      const opened = await open(sdl, documents)
      const answer = await opened.ask('mutation { deleteLabel(input: { id: "1" }) { label { id } } }')
      expect(await opened.bodies('singers')).toMatchObject({ x: { tracks: ['u1'], countOfTracks: 1 }, y: { tracks: ['u1'], countOfTracks: 1 } })
      if (opened.store.supports.atomic === 'store') expect(callsOf(answer).filter((call) => call.startsWith('write'))).toHaveLength(1)
      else expect(callsOf(answer).at(-1)).toBe('write labels 1')
    })

    test('deleting a document deletes its buckets, and no one else\'s', async () => {
      const opened = await open(sdl, documents)
      await written(opened.ask, 'mutation { deleteAlbum(input: { id: "b1" }) { album { id } } }')
      expect(Object.keys(await opened.bodies('albums'))).toEqual(['a1', 'a1.reviews.0', 'a1.reviews.1', 'a1.reviews.2', 'a2'])
      expect(await opened.bodies('labels')).toMatchObject({ 1: { countOfAlbums: 2 }, 2: { countOfAlbums: 0 } })
    })

    test('deletes a circle of references as a whole, and what references it', async () => {
      const ring = [['t1', 't2'], ['t2', 't3'], ['t3', 't1'], ['t4', 't3'], ['t5', 't5']].map(([id, next]) => ({ id: id!, album: { id: 'a2' }, singerIds: [], next: next! }))
      const opened = await open(sdl, { Label: [{ id: '1' }], Album: albumWith('a2', 1, 0), Track: [...ring, { id: 't6', album: { id: 'a2' }, singerIds: [] }] })
      await written(opened.ask, 'mutation { deleteTrack(input: { id: "t2" }) { track { id } } }')
      expect(Object.keys(await opened.bodies('tracks'))).toEqual(['t5', 't6'])
      await written(opened.ask, 'mutation { deleteTrack(input: { id: "t5" }) { track { id } } }')
      expect(Object.keys(await opened.bodies('tracks'))).toEqual(['t6'])
    })
  })

  describe('several at once', () => {
    test('one RESTRICT reference refuses the whole deletion', async () => {
      const opened = await open(/* GraphQL */ `
        type Label @document(container: "labels") { id: ID! }
        type Album @document(container: "albums") { id: ID! label: Label @reference(at: "labelId", onDelete: CASCADE) }
        type Song @document(container: "songs") { id: ID! label: Label @reference(at: "labelId", onDelete: SET_NULL) }
        type Prize @document(container: "prizes") { id: ID! album: Album @reference(at: "albumId") }
      `, { Label: [{ id: 'l' }], Album: [{ id: 'a', labelId: 'l' }, { id: 'b', labelId: 'l' }], Song: [{ id: 's', labelId: 'l' }], Prize: [{ id: 'p', albumId: 'b' }] })
      await expectRefused(opened, 'mutation { deleteLabel(input: { id: "l" }) { label { id } } }', referenced('Album b', 'Prize p', 'Prize.album'))
    })

    // Both orders, because the result must not depend on which type the schema declares first.
    const album = 'type Album @document(container: "albums") { id: ID! label: Label @reference(at: "labelId", onDelete: CASCADE) }'
    const prize = 'type Prize @document(container: "prizes") { id: ID! label: Label @reference(at: "labelId", onDelete: CASCADE) album: Album @reference(at: "albumId") }'
    test.each([['before', prize + album], ['after', album + prize]])('a document that is deleted as well does not restrict; declared %s its target', async (_, types) => {
      const opened = await open(`type Label @document(container: "labels") { id: ID! } ${types}`, {
        Label: [{ id: 'l' }], Album: [{ id: 'a', labelId: 'l' }], Prize: [{ id: 'p', labelId: 'l', albumId: 'a' }],
      })
      await written(opened.ask, 'mutation { deleteLabel(input: { id: "l" }) { label { id } } }')
      expect([await opened.bodies('labels'), await opened.bodies('albums'), await opened.bodies('prizes')]).toEqual([{}, {}, {}])
    })
  })
})
