// Weak links: the database checks no reference, so writes do. What happens when the target is deleted is in
// deletion.test.ts.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { unlikeStores } from '../harness.ts'
import { callsOf, expectRefused, openWritable, written, type Writable } from './open-writable.ts'

const sdl = /* GraphQL */ `
  type Song @document(container: "songs") {
    id: ID!
    singer: Singer @reference(at: "singer-id")
    writers: [Singer!]! @snapshot(at: "writers", fields: ["name"])
    label: Label @reference(at: "labelNo", numeric: true)
    concert: Concert @reference(at: "concertId")
    credits: [Credit!]! @contained(max: 5)
    extra: Extra @contained
  }
  type Credit { role: String! of: Singer @reference(at: "singerId") labels: [Label!]! @reference(at: "labels", numeric: true) }
  union Extra = Sample | Note
  type Sample @shape(has: "songId") { song: Song! @reference(at: "songId") }
  type Note @shape(has: "text") { text: String! by: Singer @reference(at: "singerId") }
  type Singer @document(container: "singers") { id: ID! name: String! }
  type Label @document(container: "labels") { id: ID! name: String! }
  type Concert @document(container: "concerts", partitionKey: { concat: ["town"], suffix: { random: 3 } }) { id: ID! town: String! }
`

const create = 'mutation ($input: CreateSongInput!) { createSong(input: $input) { song { id } } }'
const update = 'mutation ($input: UpdateSongInput!) { updateSong(input: $input) { song { id } } }'
const missing = (...links: [string, string, string][]) => ({
  code: 'REFERENCE_MISSING',
  says: links.map(([field, type, id]) => `${field}: there is no ${type} ${id}.`),
})

const documents = {
  Song: [{ id: 's1', writers: [], credits: [] }],
  Singer: [{ id: 'a', name: 'Ann' }, { id: 'b', name: 'Bea' }, { id: 'c', name: 'Cy' }],
  Label: [{ id: '7', name: 'Seven' }, { id: '8', name: 'Eight' }],
  Concert: [{ id: 'c1', town: 'Bath' }],
}

describe.each(unlikeStores)('references to missing documents on $name', ({ store }) => {
  // Shared by all tests, because a refused mutation changes nothing.
  let songs: Writable
  beforeAll(async () => {
    songs = await openWritable({ typeDefs: sdl, store, documents })
  })

  const links: [string, object, [string, string, string]][] = [
    ['a reference', { singerId: 'x' }, ['Song.singer', 'Singer', 'x']],
    ['one of a list of snapshots', { writerIds: ['a', 'x', 'b'] }, ['Song.writers', 'Singer', 'x']],
    ['a numeric reference', { labelId: '9' }, ['Song.label', 'Label', '9']],
    ['a reference to what an id alone does not find', { concertId: 'c9' }, ['Song.concert', 'Concert', 'c9']],
    ['a reference inside a contained object', { credits: [{ role: 'Bass', ofId: 'a' }, { role: 'Drums', ofId: 'x' }] }, ['Credit.of', 'Singer', 'x']],
    ['a list of references inside a contained object', { credits: [{ role: 'Bass', labelIds: ['7', '9'] }] }, ['Credit.labels', 'Label', '9']],
    ['a reference inside a shape of a union', { extra: { sample: { songId: 's9' } } }, ['Sample.song', 'Song', 's9']],
    ['another text for the number of a document', { labelId: '07' }, ['Song.label', 'Label', '07']],
  ]

  test.each(links)('refuses %s, in a create and an update', async (_, given, link) => {
    await expectRefused(songs, create, missing(link), { input: { id: 's2', ...given } })
    await expectRefused(songs, update, missing(link), { input: { id: 's1', ...given } })
  })

  test('names every missing document', async () => {
    const input = { singerId: 'x', writerIds: ['y', 'a', 'x'], labelId: '9', credits: [{ role: 'Bass', ofId: 'z', labelIds: ['7', '10'] }], extra: { note: { text: 'Hm', byId: 'w' } } }
    await expectRefused(songs, create, missing(
      ['Song.singer', 'Singer', 'x'], ['Song.writers', 'Singer', 'y'], ['Song.writers', 'Singer', 'x'], ['Song.label', 'Label', '9'],
      ['Credit.of', 'Singer', 'z'], ['Credit.labels', 'Label', '10'], ['Note.by', 'Singer', 'w'],
    ), { input })
  })
})

describe.each(unlikeStores)('references on $name', ({ store }) => {
  let songs: Writable
  beforeEach(async () => {
    songs = await openWritable({ typeDefs: sdl, store, documents })
  })

  test('a new document cannot reference itself', async () => {
    await expectRefused(songs, create, missing(['Sample.song', 'Song', 's2']), { input: { id: 's2', extra: { sample: { songId: 's2' } } } })
    await written(songs.ask, update, { input: { id: 's1', extra: { sample: { songId: 's1' } } } })
  })

  test('checks all references of a write with one round trip per container', async () => {
    const input = {
      id: 's2', singerId: 'a', writerIds: ['b', 'a'], labelId: '7', concertId: 'c1',
      credits: [{ role: 'Bass', ofId: 'c', labelIds: ['8', '7'] }, { role: 'Drums', ofId: 'a' }], extra: { sample: { songId: 's1' } },
    }
    const answer = await songs.ask(create, { variables: { input } })
    expect(answer.errors).toBeUndefined()
    const calls = callsOf(answer)
    expect(calls.slice(0, 4).toSorted()).toEqual(['query concerts', 'read labels 2', 'read singers 3', 'read songs 1'])
    // Through the change feed, the removal record of an earlier document with that id, and its guarded write tells whether the id is taken.
    expect(calls.slice(4)).toEqual(songs.store.supports.atomic === 'store' ? ['read songs 1', 'write songs 1'] : ['read quire 1', 'write songs 1'])
  })

  test('stores ids as the field declares', async () => {
    await written(songs.ask, create, { input: { id: 's2', singerId: 'a', writerIds: ['b'], labelId: '7', concertId: 'c1', credits: [{ role: 'Bass', ofId: 'c', labelIds: ['8'] }], extra: { sample: { songId: 's1' } } } })
    expect((await songs.bodies('songs'))['s2']).toEqual({
      id: 's2', 'singer-id': 'a', writers: [{ id: 'b', name: 'Bea' }], labelNo: 7, concertId: 'c1',
      credits: [{ role: 'Bass', singerId: 'c', labels: [8] }], extra: { songId: 's1' }, _v: 1,
    })
  })

  test('a dangling reference does not block other changes', async () => {
    await songs.store.write([{ kind: 'put', container: 'songs', key: { partition: ['s3'], id: 's3' }, body: { id: 's3', 'singer-id': 'gone', writers: [{ id: 'gone', name: 'G' }], credits: [] } }])
    await written(songs.ask, update, { input: { id: 's3', labelId: '7' } })
    expect((await songs.bodies('songs'))['s3']).toEqual({ id: 's3', 'singer-id': 'gone', writers: [{ id: 'gone', name: 'G' }], credits: [], labelNo: 7, _v: 1 })
  })
})
