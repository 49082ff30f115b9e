// How old a snapshot may be: `@read` and headers. The gateway here says that its snapshots may be 5,000 ms old.

import { describe, expect, test } from 'vitest'
import { openGateway, unlikeStores } from '../harness.ts'

const typeDefs = `
  type Song @document(container: "songs") {
    id: ID!
    singer: Singer @snapshot(at: "singer", fields: ["name"])
    writer: Singer @snapshot(at: "writer", fields: ["name"])
    album: Album @reference(at: "albumId")
  }
  type Singer @document(container: "singers") { id: ID! name: String! town: String }
  type Album @document(container: "albums") { id: ID! songs: SongConnection! @reverse(of: "Song.album") countOfSongs: Int! @counted(relation: "songs") }
`

const documents = {
  Song: [{ id: 's', singer: { id: 'a', name: 'Ann' }, writer: { id: 'b', name: 'Bea' }, albumId: 'x' }],
  Singer: [{ id: 'a', name: 'Ann' }, { id: 'b', name: 'Bea' }],
  Album: [{ id: 'x', countOfSongs: 1 }],
}

describe.each(unlikeStores)('on $name', ({ store }) => {
  const open = (boundMs = 5000) => openGateway({ typeDefs, store, documents, freshness: () => ({ boundMs, watermark: 1_000_000 }) })

  /** Where each relation of the operation was answered from. */
  async function ways(query: string, headers: Record<string, string> = {}, variables: object = {}): Promise<string[]> {
    const { errors, report } = await (await open())(query, { headers, variables })
    expect(errors).toBeUndefined()
    return report.relations.map(({ field, from }) => `${field} ${from}`)
  }

  test('by default a snapshot of any age answers, and the cost report says how old it may be', async () => {
    const { report } = await (await open())('{ song(id: "s") { singer { name } } }')
    expect(report.relations).toEqual([{ field: 'Song.singer', from: 'SNAPSHOT', because: 'name is copied', resolved: 1 }])
    expect(report.staleness).toEqual({ boundMs: 5000 })
  })

  test('a lookup is not stale', async () => {
    const { report } = await (await open())('{ song(id: "s") { singer { name town } } }')
    expect(report.staleness).toEqual({ boundMs: 0 })
  })

  test.each([
    [4999, 'REFERENCE', 'the snapshot may be older than maxStaleMs allows'],
    [5000, 'SNAPSHOT', 'name is copied'],
  ])('at most %i ms are allowed on the operation: %s', async (maxStaleMs, from, because) => {
    const { data, report } = await (await open())(`query @read(maxStaleMs: ${maxStaleMs}) { song(id: "s") { singer { name } } }`)
    expect(data).toEqual({ song: { singer: { name: 'Ann' } } })
    expect(report.relations).toMatchObject([{ from, because }])
    expect(report.staleness.boundMs).toBe(from === 'SNAPSHOT' ? 5000 : 0)
  })

  test('a snapshot that cannot be old satisfies every maxStaleMs', async () => {
    const { report } = await (await open(0))('query @read(maxStaleMs: 0) { song(id: "s") { singer { name } } }')
    expect(report.relations).toMatchObject([{ from: 'SNAPSHOT' }])
  })

  test('@read on a field holds for the field and everything below it', async () => {
    expect(await ways('{ song(id: "s") { singer @read(maxStaleMs: 0) { name } writer { name } } }')).toEqual(['Song.singer REFERENCE', 'Song.writer SNAPSHOT'])
    expect(await ways('{ song(id: "s") @read(maxStaleMs: 0) { singer { name } writer @read(maxStaleMs: 9000) { name } } }')).toEqual(['Song.singer REFERENCE', 'Song.writer SNAPSHOT'])
  })

  test('the closest counts: field before operation before header', async () => {
    const headers = { 'quire-max-stale-ms': '0' }
    expect(await ways('{ song(id: "s") { singer { name } } }', headers)).toEqual(['Song.singer REFERENCE'])
    expect(await ways('query @read(maxStaleMs: 6000) { song(id: "s") { singer { name } writer @read(maxStaleMs: 1) { name } } }', headers)).toEqual(['Song.singer SNAPSHOT', 'Song.writer REFERENCE'])
  })

  test('SNAPSHOT allows any age, AUTO keeps the age from above', async () => {
    const headers = { 'quire-max-stale-ms': '0' }
    expect(await ways('{ song(id: "s") { singer @read(from: SNAPSHOT) { name } writer @read(from: AUTO) { name } } }', headers)).toEqual(['Song.singer SNAPSHOT', 'Song.writer REFERENCE'])
    expect(await ways('{ song(id: "s") { singer @read(from: SNAPSHOT) { town } writer @read(from: SNAPSHOT, maxStaleMs: 1) { name } } }')).toEqual(['Song.singer REFERENCE', 'Song.writer REFERENCE'])
  })

  test('values may come from variables', async () => {
    const query = 'query ($from: ReadFrom, $age: Int) { song(id: "s") { singer @read(from: $from) { name } writer @read(maxStaleMs: $age) { name } } }'
    expect(await ways(query, {}, { from: 'REFERENCE', age: 0 })).toEqual(['Song.singer REFERENCE', 'Song.writer REFERENCE'])
    expect(await ways(query, {}, { age: 5000 })).toEqual(['Song.singer SNAPSHOT', 'Song.writer SNAPSHOT'])
  })

  test('maxStaleMs holds for a reference that answers by its id alone, and for a stored count', async () => {
    expect(await ways('{ song(id: "s") { album { id } } }')).toEqual(['Song.album SNAPSHOT'])
    expect(await ways('query @read(maxStaleMs: 0) { song(id: "s") { album { id } } }')).toEqual(['Song.album REFERENCE'])
    expect(await ways('query @read(maxStaleMs: 0) { album(id: "x") { countOfSongs } }')).toEqual(['Album.countOfSongs REFERENCE'])
  })

  test('snapshots without the client\'s own write do not answer its session', async () => {
    const before = (1_000_000).toString(36)
    const after = (1_000_001).toString(36)
    expect(await ways('{ song(id: "s") { singer { name } writer @read(from: SNAPSHOT) { name } } }', { 'quire-session': before })).toEqual(['Song.singer SNAPSHOT', 'Song.writer SNAPSHOT'])
    expect(await ways('{ song(id: "s") { singer { name } writer @read(from: SNAPSHOT) { name } } }', { 'quire-session': after })).toEqual(['Song.singer REFERENCE', 'Song.writer SNAPSHOT'])
  })

  test.each([
    ['{ song(id: "s") { id } }', { 'quire-session': 'DROP TABLE' }, 'Invalid header quire-session: "DROP TABLE"'],
    ['{ song(id: "s") { singer @read(maxStaleMs: -1) { name } } }', {}, '@read(maxStaleMs: -1)'],
    ['{ song(id: "s") { id } }', { 'quire-max-stale-ms': 'soon' }, 'Invalid header quire-max-stale-ms: "soon"'],
    ['{ song(id: "s") { id } }', { 'quire-max-stale-ms': '-5' }, 'Invalid header quire-max-stale-ms: "-5"'],
  ])('an invalid age or session is refused: %s %o', async (query, headers, message) => {
    const { data, errors } = await (await open())(query, { headers })
    expect(data).toBeFalsy()
    expect(errors).toMatchObject([{ message: expect.stringContaining(message), extensions: { code: 'BAD_USER_INPUT' } }])
  })
})
