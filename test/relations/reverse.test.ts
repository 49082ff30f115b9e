import { relationSuite } from './relation-suite.ts'

const songs = Array.from({ length: 5 }, (_, index) => ({
  id: `s${index + 1}`, title: `T${index + 1}`, year: 2000 - index, labelId: index < 3 ? 'l1' : 'l2', by: [{ id: 'a', name: 'Ann' }, ...(index === 1 ? [{ id: 'b', name: 'Bea' }] : [])],
}))

relationSuite(
  'reverse',
  `
  type Song @document(container: "music", type: "song") {
    id: ID!
    title: String!
    year: Int!
    label: Label @reference(at: "labelId")
    by: [Singer!]! @snapshot(at: "by", fields: ["name"])
  }
  type Label @document(container: "music", type: "label") {
    id: ID!
    name: String!
    songs: SongConnection! @reverse(of: "Song.label")
    newest: SongConnection! @reverse(of: "Song.label", orderBy: "year", descending: true)
  }
  type Singer @document(container: "singers") { id: ID! name: String! songs: SongConnection! @reverse(of: "Song.by") }
  `,
  {
    Song: songs,
    Label: [{ id: 'l1', name: 'One' }, { id: 'l2', name: 'Two' }, { id: 'l3', name: 'Three' }],
    Singer: [{ id: 'a', name: 'Ann' }, { id: 'b', name: 'Bea' }],
  },
  {
    'the first pages of all parents are read in one round trip': {
      query: '{ labels { nodes { name songs(first: 2) { nodes { title } pageInfo { hasNextPage } } } } }',
      answer: { labels: { nodes: [
        { name: 'One', songs: { nodes: [{ title: 'T1' }, { title: 'T2' }], pageInfo: { hasNextPage: true } } },
        { name: 'Two', songs: { nodes: [{ title: 'T4' }, { title: 'T5' }], pageInfo: { hasNextPage: false } } },
        { name: 'Three', songs: { nodes: [], pageInfo: { hasNextPage: false } } },
      ] } },
      reads: ['1 query music', '2 query music 3'],
      naive: 4,
    },
    'totalCount is counted only if selected, for all parents in one round trip': {
      query: '{ labels { totalCount nodes { songs { totalCount } } } }',
      answer: { labels: { totalCount: 3, nodes: [{ songs: { totalCount: 3 } }, { songs: { totalCount: 2 } }, { songs: { totalCount: 0 } }] } },
      reads: ['1 count music', '1 query music', '2 count music 3'],
      naive: 5,
    },
    'the list has the declared order': {
      query: '{ label(id: "l1") { newest(first: 2) { nodes { year } } oldest: newest(last: 1) { nodes { year } pageInfo { hasPreviousPage hasNextPage } } } }',
      answer: { label: { newest: { nodes: [{ year: 2000 }, { year: 1999 }] }, oldest: { nodes: [{ year: 1998 }], pageInfo: { hasPreviousPage: true, hasNextPage: false } } } },
      reads: ['1 read music 1', '2 query music', '2 query music'],
      naive: 3,
    },
    'documents are found through a list of snapshots': {
      query: '{ singers { nodes { name songs(first: 2) { totalCount nodes { title } } } } }',
      answer: { singers: { nodes: [
        { name: 'Ann', songs: { totalCount: 5, nodes: [{ title: 'T1' }, { title: 'T2' }] } },
        { name: 'Bea', songs: { totalCount: 1, nodes: [{ title: 'T2' }] } },
      ] } },
      reads: ['1 query singers', '2 count music 2', '2 query music 2'],
      naive: 5,
    },
    'documents of another type in the same container are not found': {
      query: '{ song(id: "l1") { title } node(nodeId: "WyJTb25nIiwibDEiXQ") { nodeId } }',
      answer: { song: null, node: null },
      reads: ['1 read music 1'],
      naive: 2,
    },
    'reverse relations below references take one round trip per level': {
      query: '{ singer(id: "b") { songs { nodes { label { songs { nodes { by { name } } } } } } } }',
      answer: { singer: { songs: { nodes: [{ label: { songs: { nodes: [
        { by: [{ name: 'Ann' }] }, { by: [{ name: 'Ann' }, { name: 'Bea' }] }, { by: [{ name: 'Ann' }] },
      ] } } }] } } },
      reads: ['1 read singers 1', '2 query music', '3 read music 1', '4 query music'],
      naive: 8,
    },
  },
)
