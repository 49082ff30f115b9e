// Filters and orders of lists within documents, on every store: reverse lists are filtered by the store for all parents in one wave,
// lists of ids and joined lists when their documents are there, copies where they have what is compared.

import { describe, expect, test } from 'vitest'
import { expectCost, expectReads } from '../calls.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { openGateway, stores } from '../harness.ts'
import { domains, openGateways } from '../random/gateways.ts'
import { relationSuite } from '../relations/relation-suite.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'

const typeDefs = /* GraphQL */ `
  type Song @document(container: "songs") @index(fields: ["label", "title"]) @index(fields: ["label", "year DESC", "title"]) @index(fields: ["singers", "year"]) {
    id: ID!
    title: String! @indexed
    year: Int @indexed
    length: Int
    label: Label @reference(at: "labelId")
    singers: [Singer!]! @snapshot(at: "by", fields: ["name", "born"], indexed: ["name"])
    tags: TagConnection! @joined(through: "Tagging", filterUpTo: 3)
  }
  type Label @document(container: "labels") {
    id: ID!
    name: String!
    songs: SongConnection! @reverse(of: "Song.label")
    newest: SongConnection! @reverse(of: "Song.label", orderBy: "year", descending: true)
    friends: [Label!]! @reference(at: "friendIds")
  }
  type Singer @document(container: "singers") {
    id: ID!
    name: String! @indexed
    born: Int @indexed
    home: String @indexed
    songs: SongConnection! @reverse(of: "Song.singers")
    listed: [Song!]! @reference(at: "songIds", inverseOf: "Song.singers")
  }
  type Tag @document(container: "tags") { id: ID! word: String! @indexed }
  type Tagging @document(container: "taggings") {
    id: ID!
    song: Song! @reference(at: "songId")
    tag: Tag! @reference(at: "tagId")
  }
`

const singers = [{ id: 'a', name: 'Ann', born: 1980, home: 'Ulm' }, { id: 'b', name: 'Bea', born: null, home: 'Bonn' }, { id: 'c', name: 'Cid', born: 1970, home: 'Ulm' }]
const copyOf = (id: string) => {
  const { name, born } = singers.find((singer) => singer.id === id)!
  return { id, name, born }
}
const songs = [
  { id: 's1', title: 'E', year: 2000, labelId: 'l1', by: ['c', 'a'].map(copyOf) },
  { id: 's2', title: 'D', year: 1999, labelId: 'l1', by: ['b'].map(copyOf) },
  { id: 's3', title: 'C', labelId: 'l1', by: ['a', 'b', 'c'].map(copyOf) },
  { id: 's4', title: 'B', year: 2000, labelId: 'l2', by: [] },
  { id: 's5', title: 'A', year: 2000, labelId: 'l1', by: ['a'].map(copyOf) },
]
const documents = {
  Song: songs,
  Label: [{ id: 'l1', name: 'One', friendIds: ['l3', 'l2'] }, { id: 'l2', name: 'Two', friendIds: [] }, { id: 'l3', name: 'Three', friendIds: ['l1', 'l2', 'l3'] }],
  Singer: singers.map((singer) => ({ ...singer, songIds: songs.filter(({ by }) => by.some(({ id }) => id === singer.id)).map(({ id }) => id) })),
  Tag: [{ id: 't1', word: 'slow' }, { id: 't2', word: 'loud' }, { id: 't3', word: 'late' }, { id: 't4', word: 'low' }],
  Tagging: [['j1', 's1', 't1'], ['j2', 's1', 't2'], ['j3', 's1', 't3'], ['j4', 's2', 't2'], ...['t1', 't2', 't3', 't4'].map((tag, at) => [`k${at}`, 's3', tag])].map(([id, songId, tagId]) => ({ id: id!, songId: songId!, tagId: tagId! })),
}

relationSuite('nested lists', typeDefs, documents, {
  'a reverse list is filtered for all parents in one wave': {
    query: '{ labels { nodes { songs(filter: { year: { gte: 2000 } }) { nodes { id } } } } }',
    answer: { labels: { nodes: [{ songs: { nodes: [{ id: 's1' }, { id: 's5' }] } }, { songs: { nodes: [{ id: 's4' }] } }, { songs: { nodes: [] } }] } },
    reads: ['1 query labels', '2 query songs 3'],
    naive: 4,
  },
  'its count counts what matches': {
    query: '{ labels { nodes { songs(filter: { year: { isNull: false } }) { totalCount } } } }',
    answer: { labels: { nodes: [{ songs: { totalCount: 3 } }, { songs: { totalCount: 1 } }, { songs: { totalCount: 0 } }] } },
    reads: ['1 query labels', '2 count songs 3'],
    naive: 4,
  },
  'it has any order that an index has, also backwards': {
    query: '{ label(id: "l1") { songs(orderBy: { field: TITLE }, first: 2) { nodes { title } pageInfo { hasNextPage } } last: songs(orderBy: [{ field: YEAR }, { field: TITLE, direction: DESC }], last: 3) { nodes { id } } } }',
    answer: { label: { songs: { nodes: [{ title: 'A' }, { title: 'C' }], pageInfo: { hasNextPage: true } }, last: { nodes: [{ id: 's2' }, { id: 's1' }, { id: 's5' }] } } },
    reads: ['1 read labels 1', '2 query songs', '2 query songs'],
    naive: 3,
  },
  'its own order needs no other index, from either end': {
    query: '{ labels { nodes { newest(orderBy: { field: YEAR }, first: 2, filter: { title: { ne: "E" } }) { nodes { id } } } } }',
    answer: { labels: { nodes: [{ newest: { nodes: [{ id: 's3' }, { id: 's2' }] } }, { newest: { nodes: [{ id: 's4' }] } }, { newest: { nodes: [] } }] } },
    reads: ['1 query labels', '2 query songs 3'],
    naive: 4,
  },
  'a list of snapshots leads to its documents in an order': {
    query: '{ singers { nodes { songs(orderBy: { field: YEAR, direction: DESC }) { nodes { id } } } } }',
    answer: { singers: { nodes: [{ songs: { nodes: [{ id: 's5' }, { id: 's1' }, { id: 's3' }] } }, { songs: { nodes: [{ id: 's2' }, { id: 's3' }] } }, { songs: { nodes: [{ id: 's1' }, { id: 's3' }] } }] } },
    reads: ['1 query singers', '2 query songs 3'],
    naive: 4,
  },
  'what a nested filter says of related documents is answered by copies': {
    query: '{ labels { nodes { songs(filter: { singers: { some: { name: { eq: "Cid" } } } }) { nodes { id } } } } }',
    answer: { labels: { nodes: [{ songs: { nodes: [{ id: 's1' }, { id: 's3' }] } }, { songs: { nodes: [] } }, { songs: { nodes: [] } }] } },
    reads: ['1 query labels', '2 query songs 3'],
    naive: 5,
  },
  'or looked up once for all parents': {
    query: '{ labels { nodes { songs(filter: { singers: { some: { home: { eq: "Ulm" } } } }) { nodes { id } } } } }',
    answer: { labels: { nodes: [{ songs: { nodes: [{ id: 's1' }, { id: 's3' }, { id: 's5' }] } }, { songs: { nodes: [] } }, { songs: { nodes: [] } }] } },
    reads: ['1 query labels', '2 query singers', '3 query songs 3'],
    naive: 5,
  },
  'copies that have what is compared and shown are filtered without a read': {
    query: '{ songs { nodes { singers(filter: { name: { gt: "Ann" } }, orderBy: { field: BORN, direction: DESC }) { name } } } }',
    answer: { songs: { nodes: [{ singers: [{ name: 'Cid' }] }, { singers: [{ name: 'Bea' }] }, { singers: [{ name: 'Cid' }, { name: 'Bea' }] }, { singers: [] }, { singers: [] }] } },
    reads: ['1 query songs'],
    naive: 8,
  },
  'without a copy the documents are read, and filtered then': {
    query: '{ songs { nodes { singers(filter: { home: { eq: "Ulm" } }, orderBy: { field: NAME }, first: 1) { name } } } }',
    answer: { songs: { nodes: [{ singers: [{ name: 'Ann' }] }, { singers: [] }, { singers: [{ name: 'Ann' }] }, { singers: [] }, { singers: [{ name: 'Ann' }] }] } },
    reads: ['1 query songs', '2 read singers 3'],
    naive: 8,
  },
  'so are lists of ids, whatever decides what is compared': {
    query: 'query ($filter: SongFilter, $orders: [SongOrder!]) { singers { nodes { listed(filter: $filter, orderBy: $orders) { id } } } }',
    variables: { filter: { year: { isNull: false } }, orders: [{ field: 'YEAR', direction: 'DESC' }, { field: 'TITLE', direction: 'ASC' }] },
    answer: { singers: { nodes: [{ listed: [{ id: 's5' }, { id: 's1' }] }, { listed: [{ id: 's2' }] }, { listed: [{ id: 's1' }] }] } },
    reads: ['1 query singers', '2 read songs 4'],
    naive: 8,
  },
  'a joined list is filtered and ordered by the far side': {
    query: '{ songs(first: 2) { nodes { tags(filter: { word: { startsWith: "l" } }, orderBy: { field: WORD }, first: 1) { totalCount nodes { word } pageInfo { hasNextPage } } } } }',
    answer: { songs: { nodes: [{ tags: { totalCount: 2, nodes: [{ word: 'late' }], pageInfo: { hasNextPage: true } } }, { tags: { totalCount: 1, nodes: [{ word: 'loud' }], pageInfo: { hasNextPage: false } } }] } },
    reads: ['1 query songs', '2 query taggings 2', '3 read tags 3'],
    naive: 7,
  },
})

describe.each(stores)('nested lists on $name', ({ store }) => {
  const open = () => openGateway({ typeDefs, store, documents })

  test('filtered pages of fifty parents take one wave more', async () => {
    const labels = Array.from({ length: 50 }, (_, at) => ({ id: `l${String(at).padStart(2, '0')}`, name: `L${at}`, friendIds: [] }))
    const many = labels.flatMap(({ id: labelId }, at) => [0, 1, 2].map((nth) => ({ id: `${labelId}-${nth}`, title: `T${nth}`, year: 2000 + nth, labelId, by: at % 2 ? [copyOf('a')] : [] })))
    const ask = await openGateway({ typeDefs, store, documents: { Label: labels, Song: many, Singer: documents.Singer } })
    const { data, report } = await ask('{ labels(first: 50) { nodes { songs(first: 1, filter: { year: { gt: 2000 } }, orderBy: { field: TITLE, direction: DESC }) { nodes { title } } } } }')
    expect((data as { labels: { nodes: unknown[] } }).labels.nodes).toEqual(labels.map(() => ({ songs: { nodes: [{ title: 'T2' }] } })))
    expectReads(report, ['1 query labels', '2 query songs 50'])
  })

  test.each(['0', '1'])('arguments are judged before anything is read, traced: %s', async (trace) => {
    const calls: string[] = []
    const spied: GatewayOptions['store'] = async (layout) => {
      const opened = await store(layout)
      return new Proxy(opened, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          return (...given: unknown[]): unknown => {
            if (['query', 'count', 'readMany', 'aggregate'].includes(String(name))) calls.push(String(name))
            return Reflect.apply(value, target, given)
          }
        },
      })
    }
    const ask = await openGateway({ typeDefs, store: spied, documents })
    calls.length = 0
    const query = 'query ($orders: [SongOrder!], $name: String) { singers(filter: { name: { gt: $name } }) { nodes { songs(orderBy: $orders) { nodes { id } } } } }'
    // Twice and more: the first time nothing is compiled.
    for (let time = 0; time < 3; time++) {
      const { data, errors } = await ask(query, { variables: { orders: [{ field: 'TITLE', direction: 'ASC' }], name: time === 1 ? 'z' : '' }, headers: { 'quire-trace': trace } })
      expect({ data, errors, calls }).toMatchObject({ data: null, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }], calls: [] })
      expect((await ask(query, { variables: { orders: [{ field: 'YEAR', direction: 'ASC' }], name: 'B' }, headers: { 'quire-trace': trace } })).errors).toBeUndefined()
      expect(calls.splice(0)).not.toEqual([])
    }
  })

  test.each(['works(first: 2, filter: {firstSale: {price: {lte: 10}}}) { nodes { id } }', 'worksAggregate(filter: {firstSale: {price: {lte: 10}}}) { count }'])('parents that arrive in different waves wait for one lookup: %s', async (list) => {
    const { chosen, naive } = await openGateways(domains['every kind of relation']!, store)
    // Notes are in their work, and in buckets beside it.
    const query = `{ galleries { nodes { works { nodes { notes(last: 2) { nodes { about { ${list} } } } } } } } }`
    const [found, yardstick] = [await chosen(query), await naive(query)]
    expect(found.errors).toBeUndefined()
    expect(found.data).toEqual(yardstick.data)
    expectCost(found.report.naive, yardstick.report)
    expectCost(yardstick.report.naive, yardstick.report)
  })

  test('cursors hold all keys, and are good for their own order only', async () => {
    const ask = await open()
    const page = async (after: string | null, orderBy = '[{ field: YEAR, direction: DESC }, { field: TITLE }]') =>
      ask(`query ($after: String) { label(id: "l1") { songs(first: 1, after: $after, orderBy: ${orderBy}) { edges { cursor node { id } } } } }`, { variables: { after } })
    const met: string[] = []
    let after: string | null = null
    for (let at = 0; at < 4; at++) {
      const { data } = await page(after)
      const [edge] = (data as { label: { songs: { edges: { cursor: string; node: { id: string } }[] } } }).label.songs.edges
      met.push(edge!.node.id)
      after = edge!.cursor
    }
    expect(met).toEqual(['s5', 's1', 's2', 's3'])
    expect((await page(after, '{ field: TITLE }')).errors?.[0]?.extensions?.['code']).toBe('BAD_USER_INPUT')
  })

  test.each([
    ['{ label(id: "l1") { newest(orderBy: [{ field: YEAR }, { field: TITLE }]) { totalCount nodes { id } } } }', '@index(fields: ["label","year","title"])'],
    ['{ songs(orderBy: [{ field: YEAR }, { field: TITLE }]) { nodes { id } } }', '@index(fields: ["year","title"])'],
    ['{ singer(id: "a") { songs(orderBy: { field: TITLE }) { nodes { id } } } }', '@index(fields: ["singers","title"])'],
    ['{ song(id: "s3") { tags(orderBy: { field: WORD }) { nodes { id } } } }', 'filterUpTo'],
    ['{ song(id: "s1") { singers(first: -1) { id } } }', 'first is -1'],
    ['{ songs(orderBy: [{ field: YEAR }, { field: ID, direction: DESC }]) { nodes { id } } }', 'direction of the first'],
    // Before anything is read, so also where there is no parent.
    ['{ singers(filter: { id: { eq: "none" } }) { nodes { songs(orderBy: { field: TITLE }) { nodes { id } } } } }', '@index(fields: ["singers","title"])'],
    ['{ songs(filter: { id: { eq: "none" } }) { nodes { singers(first: -1) { id } } } }', 'first is -1'],
  ])('refuses %s, and says what to do', async (query, advice) => {
    const ask = await open()
    const { errors } = await ask(query)
    expect(errors?.[0]?.extensions?.['code']).toBe('BAD_USER_INPUT')
    expect(errors?.[0]?.message).toContain(advice)
  })
})

test.each([
  ['type T @document(container: "t") @index(fields: ["nam", "b"]) { id: ID! name: String @indexed b: Int @indexed }', 'Did you mean'],
  ['type T @document(container: "t") @index(fields: ["name"]) { id: ID! name: String @indexed }', 'one field'],
  ['type T @document(container: "t") @index(fields: ["name", "b"]) { id: ID! name: String @indexed b: Int }', 'declared @indexed'],
  ['type T @document(container: "t") @index(fields: ["a", "b", "c", "d"]) { id: ID! a: Int @indexed b: Int @indexed c: Int @indexed d: Int @indexed }', '3 at most'],
  ['type T @document(container: "t") @index(fields: ["us", "a", "b"]) { id: ID! a: Int @indexed b: Int @indexed us: [T!]! @reference(at: "us") }', 'is a list'],
  ['type T @document(container: "t") @index(fields: ["up"]) { id: ID! up: T @reference(at: "up") }', 'nothing'],
  ['type T @document(container: "t") { id: ID! c: C } type C @index(fields: ["a", "b"]) { a: Int b: Int }', 'document types'],
])('refuses the declaration %s', (sdl, why) => {
  expect(() => readDeclaration(sdl)).toThrow(why)
})
