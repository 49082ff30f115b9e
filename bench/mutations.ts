// The mutations of the writes suite: documents without effects, one whose name other documents have in snapshots, and one that
// its authors and publisher count and list.

import type { Sizes } from './data/library-at-size.ts'

export interface Mutation {
  readonly name: string
  readonly title: string
  readonly query: string
  readonly input: (at: number, sizes: Sizes) => object
  /** The root field whose `totalCount` grows with each write, to check that every acknowledged write was stored. */
  readonly adds?: 'books' | 'publishers'
}

export const mutations: readonly Mutation[] = [
  {
    name: 'createPublisher', title: 'createPublisher', adds: 'publishers',
    query: 'mutation ($input: CreatePublisherInput!) { createPublisher(input: $input) { publisher { id } } }',
    input: (at) => ({ name: `New house ${at}` }),
  },
  {
    name: 'updatePublisher', title: 'updatePublisher',
    query: 'mutation ($input: UpdatePublisherInput!) { updatePublisher(input: $input) { publisher { id } } }',
    input: (at, { publishers }) => ({ id: `p${1 + (at % publishers)}`, name: `Renamed ${at}` }),
  },
  {
    name: 'updateAuthor', title: 'updateAuthor, with the snapshots of the name',
    query: 'mutation ($input: UpdateAuthorInput!) { updateAuthor(input: $input) { author { id } } }',
    // Always the same author, so that every write updates the same number of books.
    input: (at) => ({ id: 'a1', lastName: `Renamed ${at}` }),
  },
  {
    name: 'publishBook', title: 'publishBook, with two authors', adds: 'books',
    query: 'mutation ($input: PublishBookInput!) { publishBook(input: $input) { book { id } } }',
    input: (at, { authors, publishers }) => ({ name: `Book ${at}`, authorIds: [`a${2 + (at % (authors - 2))}`, `a${2 + ((at + 1) % (authors - 2))}`], publisherId: `p${1 + (at % publishers)}` }),
  },
]
