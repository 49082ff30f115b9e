import { relationSuite } from './relation-suite.ts'

relationSuite(
  'joined',
  `
  type Author @document(container: "authors") {
    id: ID!
    name: String!
    countOfBooks: Int! @counted(relation: "books")
    books: BookConnection! @joined(through: "Authorship")
  }
  type Book @document(container: "books") { id: ID! name: String! authors: AuthorConnection! @joined(through: "Authorship") }
  type Authorship @document(container: "authorships", partitionKey: "/authorId") {
    id: ID!
    author: Author! @reference(at: "authorId")
    book: Book! @reference(at: "bookId")
  }
  type User @document(container: "users") {
    id: ID!
    follows: UserConnection! @joined(through: "Follow", from: "follower", to: "followed")
    followers: UserConnection! @joined(through: "Follow", from: "followed", to: "follower")
  }
  type Follow @document(container: "follows") {
    id: ID!
    follower: User! @reference(at: "a", numeric: true)
    followed: User! @reference(at: "b", numeric: true)
  }
  `,
  {
    Author: [{ id: 'a1', name: 'Ann', countOfBooks: 2 }, { id: 'a2', name: 'Bea', countOfBooks: 1 }],
    Book: [{ id: 'b1', name: 'One' }, { id: 'b2', name: 'Two' }],
    Authorship: [{ id: '1', authorId: 'a1', bookId: 'b1' }, { id: '2', authorId: 'a1', bookId: 'b2' }, { id: '3', authorId: 'a2', bookId: 'b1' }],
    User: [{ id: '1' }, { id: '2' }, { id: '3' }],
    Follow: [{ id: 'x', a: 1, b: 2 }, { id: 'y', a: 1, b: 3 }, { id: 'z', a: 3, b: 1 }],
  },
  {
    'two waves for all parents: the joining documents, then the far side': {
      query: '{ authors { nodes { name books { nodes { name } } } } }',
      answer: { authors: { nodes: [
        { name: 'Ann', books: { nodes: [{ name: 'One' }, { name: 'Two' }] } },
        { name: 'Bea', books: { nodes: [{ name: 'One' }] } },
      ] } },
      reads: ['1 query authors', '2 query authorships 2', '3 read books 2'],
      naive: 6,
    },
    'the relation in the other direction': {
      query: '{ books { nodes { authors(last: 1) { totalCount nodes { name books { nodes { name } } } } } } }',
      answer: { books: { nodes: [
        { authors: { totalCount: 2, nodes: [{ name: 'Bea', books: { nodes: [{ name: 'One' }] } }] } },
        { authors: { totalCount: 1, nodes: [{ name: 'Ann', books: { nodes: [{ name: 'One' }, { name: 'Two' }] } }] } },
      ] } },
      reads: ['1 query books', '2 count authorships 2', '2 query authorships 2', '3 read authors 2', '4 query authorships 2', '5 read books 2'],
      naive: 12,
    },
    'a stored count is read without counting': {
      query: '{ authors { nodes { countOfBooks } } }',
      answer: { authors: { nodes: [{ countOfBooks: 2 }, { countOfBooks: 1 }] } },
      reads: ['1 query authors'],
      naive: 3,
    },
    'a type joined with itself': {
      query: '{ users { nodes { id follows { nodes { id } } followers { nodes { id } } } } }',
      answer: { users: { nodes: [
        { id: '1', follows: { nodes: [{ id: '2' }, { id: '3' }] }, followers: { nodes: [{ id: '3' }] } },
        { id: '2', follows: { nodes: [] }, followers: { nodes: [{ id: '1' }] } },
        { id: '3', follows: { nodes: [{ id: '1' }] }, followers: { nodes: [{ id: '1' }] } },
      ] } },
      reads: ['1 query users', '2 query follows 3', '2 query follows 3', '3 read users 3'],
      naive: 13,
    },
  },
)
