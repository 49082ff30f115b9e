import { relationSuite } from './relation-suite.ts'

relationSuite(
  'snapshot',
  `
  interface Named { name: String! }
  type Song @document(container: "songs") {
    id: ID!
    title: String!
    singer: Singer @snapshot(at: "singer", fields: ["name"])
    writers: [Singer!]! @snapshot(at: "writers", fields: ["name", "photos", "initial"])
  }
  type Singer implements Named @document(container: "singers") {
    id: ID!
    name: String! @stored(at: "full-name")
    initial: String! @derived
    town: String
    photos: [Photo!]! @contained(max: 3)
    songs: [Song!]! @reference(at: "songs")
  }
  type Photo { url: String! width: Int }
  `,
  {
    Song: [
      { id: 's1', title: 'Rain', singer: { id: 'a', name: 'Ann' }, writers: [{ id: 'a', name: 'Ann', initial: 'A', photos: [] }, { id: 'b', name: 'Bea', initial: 'B', photos: [{ url: 'b.png', width: 7 }] }] },
      { id: 's2', title: 'Snow', writers: [{ id: 'b', name: 'Bea', initial: 'B', photos: [{ url: 'b.png', width: 7 }] }] },
    ],
    Singer: [
      { id: 'a', 'full-name': 'Ann', town: 'Arles', photos: [], songs: ['s1'] },
      { id: 'b', 'full-name': 'Bea', town: null, photos: [{ url: 'b.png', width: 7 }], songs: ['s1', 's2'] },
    ],
  },
  {
    'copied fields are answered from the snapshot': {
      query: '{ songs { nodes { singer { name } writers { id name } } } }',
      answer: { songs: { nodes: [
        { singer: { name: 'Ann' }, writers: [{ id: 'a', name: 'Ann' }, { id: 'b', name: 'Bea' }] },
        { singer: null, writers: [{ id: 'b', name: 'Bea' }] },
      ] } },
      reads: ['1 query songs'],
      naive: 5,
    },
    'a contained value is copied whole': {
      query: '{ song(id: "s1") { writers { photos { url width } } } }',
      answer: { song: { writers: [{ photos: [] }, { photos: [{ url: 'b.png', width: 7 }] }] } },
      reads: ['1 read songs 1'],
      naive: 3,
    },
    'a derived field is copied as its function computes it': {
      query: '{ song(id: "s1") { writers { initial } singer { initial } } }',
      answer: { song: { writers: [{ initial: 'A' }, { initial: 'B' }], singer: { initial: 'A' } } },
      reads: ['1 read songs 1', '2 read singers 1'],
      naive: 4,
    },
    'a field that is not copied causes a lookup': {
      query: '{ songs { nodes { writers { name town } } } }',
      answer: { songs: { nodes: [
        { writers: [{ name: 'Ann', town: 'Arles' }, { name: 'Bea', town: null }] },
        { writers: [{ name: 'Bea', town: null }] },
      ] } },
      reads: ['1 query songs', '2 read singers 2'],
      naive: 4,
    },
    'each selection of a relation is decided separately': {
      query: '{ song(id: "s1") { covered: writers { name } beyond: writers { town } } }',
      answer: { song: { covered: [{ name: 'Ann' }, { name: 'Bea' }], beyond: [{ town: 'Arles' }, { town: null }] } },
      reads: ['1 read songs 1', '2 read singers 2'],
      naive: 5,
    },
    'fragments, interfaces and __typename do not cause a lookup': {
      query: `{ song(id: "s1") { writers { ...F ... on Singer { id } ... on Named { label: name } } } }
              fragment F on Singer { __typename ... { name } }`,
      answer: { song: { writers: [
        { __typename: 'Singer', name: 'Ann', id: 'a', label: 'Ann' },
        { __typename: 'Singer', name: 'Bea', id: 'b', label: 'Bea' },
      ] } },
      reads: ['1 read songs 1'],
      naive: 3,
    },
    'an alias does not hide a field that is not copied': {
      query: '{ song(id: "s1") { singer { name: town } } }',
      answer: { song: { singer: { name: 'Arles' } } },
      reads: ['1 read songs 1', '2 read singers 1'],
      naive: 2,
    },
    'a skipped field causes no lookup': {
      query: 'query ($town: Boolean!) { song(id: "s1") { singer { name town @include(if: $town) } writers { name ... @skip(if: true) { town } } } }',
      variables: { town: false },
      answer: { song: { singer: { name: 'Ann' }, writers: [{ name: 'Ann' }, { name: 'Bea' }] } },
      reads: ['1 read songs 1'],
      naive: 4,
    },
    'an included field causes a lookup': {
      query: 'query ($town: Boolean = true) { song(id: "s1") { singer { name town @include(if: $town) } } }',
      answer: { song: { singer: { name: 'Ann', town: 'Arles' } } },
      reads: ['1 read songs 1', '2 read singers 1'],
      naive: 2,
    },
    'the selections of two fragments are decided together': {
      query: `{ song(id: "s1") { ...A ...B } } fragment A on Song { singer { name } } fragment B on Song { singer { town } }`,
      answer: { song: { singer: { name: 'Ann', town: 'Arles' } } },
      reads: ['1 read songs 1', '2 read singers 1'],
      naive: 2,
    },
    'a relation inside a snapshot is looked up': {
      query: '{ song(id: "s1") { singer { name songs { title } } } }',
      answer: { song: { singer: { name: 'Ann', songs: [{ title: 'Rain' }] } } },
      reads: ['1 read songs 1', '2 read singers 1'],
      naive: 3,
    },
    'relations below Query.node are decided in the same way': {
      query: '{ node(nodeId: "WyJTb25nIiwiczEiXQ") { nodeId ... on Song { singer { name } } ... on Singer { town } } }',
      answer: { node: { nodeId: 'WyJTb25nIiwiczEiXQ', singer: { name: 'Ann' } } },
      reads: ['1 read songs 1'],
      naive: 2,
    },
  },
  { Singer: { initial: (document) => String(document['full-name']).charAt(0) } },
)
