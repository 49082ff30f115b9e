// The mix of twenty operations: reads only, and with 1 % and 10 % writes. A write changes the name of a publisher or of an author
// to one of the same length, so that answers keep their length, and a later write changes it back.

import type { Documents } from '../peers/documents.ts'
import { nameOf } from './by-hand.ts'
import type { Operation, Request } from './operation.ts'
import { twentyOperations } from './twenty.ts'

const renamePublisher = 'mutation ($input: UpdatePublisherInput!) { updatePublisher(input: $input) { publisher { id name } } }'
const renameAuthor = 'mutation ($input: UpdateAuthorInput!) { updateAuthor(input: $input) { author { id name } } }'

export const mixes: readonly Operation[] = [
  { name: 'mix', title: 'Twenty operations in turn, with a token', query: 'twenty operations, see bench/operations/twenty.ts', signedIn: true, requests: (documents) => mixed(documents, 400, 0) },
  { name: 'mix-1', title: 'The twenty operations and 1 % writes', query: 'as above, and updatePublisher and updateAuthor', signedIn: true, writes: true, requests: (documents) => mixed(documents, 400, 4) },
  { name: 'mix-10', title: 'The twenty operations and 10 % writes', query: 'as above, and updatePublisher and updateAuthor', signedIn: true, writes: true, requests: (documents) => mixed(documents, 400, 40) },
]

/** `writes` is a multiple of four: a publisher and an author are renamed, and get their names back. */
function mixed(documents: Documents, count: number, writes: number): Request[] {
  let now = documents
  let [read, written] = [0, 0]
  return Array.from({ length: count }, (_, at) => {
    const isWrite = writes > 0 && at % (count / writes) === count / writes - 1
    if (!isWrite) return twentyOperations[read % twentyOperations.length]!(now, read++)
    const { request, after } = write(documents, now, written++)
    now = after
    return request
  })
}

/** The write with this number. `original` has the names to change back to. */
function write(original: Documents, now: Documents, number: number): { readonly request: Request; readonly after: Documents } {
  const group = Math.floor(number / 4)
  const restores = number % 4 >= 2
  if (number % 2 === 0) {
    const { id, name } = original.publishers[group % original.publishers.length]!
    const publisher = { id, name: restores ? name : reversed(name) }
    return {
      request: { query: renamePublisher, variables: { input: publisher }, expected: { updatePublisher: { publisher } } },
      after: { ...now, publishers: now.publishers.map((each) => (each.id === id ? { ...each, name: publisher.name } : each)) },
    }
  }
  const { id, firstName, lastName: before } = original.authors[group % original.authors.length]!
  const lastName = restores ? before : reversed(before)
  return {
    request: { query: renameAuthor, variables: { input: { id, lastName } }, expected: { updateAuthor: { author: { id, name: nameOf({ firstName, lastName }) } } } },
    after: { ...now, authors: now.authors.map((each) => (each.id === id ? { ...each, lastName } : each)) },
  }
}

function reversed(text: string): string {
  return [...text].toReversed().join('')
}
