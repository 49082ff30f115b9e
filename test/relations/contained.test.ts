import { relationSuite } from './relation-suite.ts'

relationSuite(
  'contained, stored and derived',
  `
  type Person @document(container: "people") {
    id: ID!
    fullName: String! @derived
    born: Int @stored(at: "year-of-birth")
    home: Address @contained(at: "addr")
    tags: [String!]! @contained(max: 5)
    contacts: [Contact!]! @contained(max: 5)
  }
  type Address { line1: String! geo: Geo label: String! @derived }
  type Geo { lat: Float! lon: Float! }
  union Contact = Mail | Phone
  type Mail @shape(has: "email") { email: String! }
  type Phone @shape(has: "phone") { phone: String! extension: Int }
  `,
  {
    Person: [
      { id: '1', first: 'Ann', last: 'Lee', 'year-of-birth': 1980, addr: { line1: 'Main St', geo: { lat: 1.5, lon: 2 } }, tags: ['x', 'y'], contacts: [{ email: 'a@b.c' }, { phone: '55', extension: 5 }] },
      { id: '2', first: 'Bo', last: 'Ek', contacts: [] },
    ],
  },
  {
    'contained objects are read with their document, and each has the shape of its union': {
      query: `{ people { nodes {
        fullName born tags home { line1 label geo { lat lon } }
        contacts { __typename ... on Mail { email } ... on Phone { phone extension } }
      } } }`,
      answer: { people: { nodes: [
        {
          fullName: 'Ann Lee', born: 1980, tags: ['x', 'y'], home: { line1: 'Main St', label: 'MAIN ST', geo: { lat: 1.5, lon: 2 } },
          contacts: [{ __typename: 'Mail', email: 'a@b.c' }, { __typename: 'Phone', phone: '55', extension: 5 }],
        },
        { fullName: 'Bo Ek', born: null, tags: [], home: null, contacts: [] },
      ] } },
      reads: ['1 query people'],
      naive: 1,
    },
  },
  { Person: { fullName: (document) => `${String(document['first'])} ${String(document['last'])}` }, Address: { label: (address) => String(address['line1']).toUpperCase() } },
)
