import { relationSuite } from './relation-suite.ts'

relationSuite(
  'reference',
  `
  type Film @document(container: "films") {
    id: ID!
    title: String!
    studio: Studio @reference(at: "studio-id")
    cast: [Actor!]! @reference(at: "cast")
    roles: [Role!]! @contained(max: 10)
  }
  type Role { name: String! actor: Actor! @reference(at: "actorId", numeric: true) }
  type Actor @document(container: "actors") { id: ID! name: String! bestFilm: Film @reference(at: "best") }
  type Studio @document(container: "studios") { id: ID! name: String! }
  `,
  {
    Film: [
      { id: 'f1', title: 'Dawn', 'studio-id': 's1', cast: ['1', '2'], roles: [{ name: 'Ann', actorId: 1 }, { name: 'Bob', actorId: 2 }] },
      { id: 'f2', title: 'Dusk', 'studio-id': 's1', cast: ['2'], roles: [{ name: 'Cy', actorId: 2 }] },
      { id: 'f3', title: 'Noon', cast: [], roles: [] },
      { id: 'f4', title: 'Gone', 'studio-id': null, cast: ['1', 'nobody', '2'], roles: [] },
    ],
    Actor: [{ id: '1', name: 'Ada', best: 'f1' }, { id: '2', name: 'Ben', best: 'f2' }],
    Studio: [{ id: 's1', name: 'Big' }],
  },
  {
    'two rows with the same id cause one lookup': {
      query: '{ films(first: 2) { nodes { title studio { name } } } }',
      answer: { films: { nodes: [{ title: 'Dawn', studio: { name: 'Big' } }, { title: 'Dusk', studio: { name: 'Big' } }] } },
      reads: ['1 query films', '2 read studios 1'],
      naive: 3,
    },
    'a selection of the id alone causes no lookup': {
      query: '{ films(first: 2) { nodes { studio { __typename id nodeId } cast { id } } } }',
      answer: { films: { nodes: [
        { studio: { __typename: 'Studio', id: 's1', nodeId: 'WyJTdHVkaW8iLCJzMSJd' }, cast: [{ id: '1' }, { id: '2' }] },
        { studio: { __typename: 'Studio', id: 's1', nodeId: 'WyJTdHVkaW8iLCJzMSJd' }, cast: [{ id: '2' }] },
      ] } },
      reads: ['1 query films'],
      naive: 6,
    },
    'a list keeps its order, and its distinct ids are read in one round trip': {
      query: '{ films(first: 2) { nodes { cast { name } } } }',
      answer: { films: { nodes: [{ cast: [{ name: 'Ada' }, { name: 'Ben' }] }, { cast: [{ name: 'Ben' }] }] } },
      reads: ['1 query films', '2 read actors 2'],
      naive: 4,
    },
    'a reference without an id causes no read': {
      query: '{ film(id: "f3") { studio { name } cast { name } roles { name } } }',
      answer: { film: { studio: null, cast: [], roles: [] } },
      reads: ['1 read films 1'],
      naive: 1,
    },
    'a missing document is left out of a list': {
      query: '{ film(id: "f4") { studio { name } cast { name } } }',
      answer: { film: { studio: null, cast: [{ name: 'Ada' }, { name: 'Ben' }] } },
      reads: ['1 read films 1', '2 read actors 3'],
      naive: 4,
    },
    'a number inside a contained object finds the document whose id is that number as text': {
      query: '{ film(id: "f1") { roles { name actor { name } } } }',
      answer: { film: { roles: [{ name: 'Ann', actor: { name: 'Ada' } }, { name: 'Bob', actor: { name: 'Ben' } }] } },
      reads: ['1 read films 1', '2 read actors 2'],
      naive: 3,
    },
    'two relations to one container are read in one round trip': {
      query: '{ film(id: "f1") { cast { name } roles { actor { name } } } }',
      answer: { film: { cast: [{ name: 'Ada' }, { name: 'Ben' }], roles: [{ actor: { name: 'Ada' } }, { actor: { name: 'Ben' } }] } },
      reads: ['1 read films 1', '2 read actors 2'],
      naive: 5,
    },
    'a document that was read at one depth is not read again at another': {
      query: '{ films(first: 1) { nodes { cast { bestFilm { title cast { name } } } } } film(id: "f1") { title } }',
      answer: {
        films: { nodes: [{ cast: [
          { bestFilm: { title: 'Dawn', cast: [{ name: 'Ada' }, { name: 'Ben' }] } },
          { bestFilm: { title: 'Dusk', cast: [{ name: 'Ben' }] } },
        ] }] },
        film: { title: 'Dawn' },
      },
      reads: ['1 query films', '1 read films 1', '2 read actors 2', '3 read films 1'],
      naive: 9,
    },
  },
)
