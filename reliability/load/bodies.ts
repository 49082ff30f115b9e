// What is asked of the library: the operations of the examples, which are of very different sizes.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../schema/library/operations')

export const queries: readonly string[] = globSync(join(folder, '*.graphql')).toSorted().map((file) => JSON.stringify({ query: readFileSync(file, 'utf8') }))

/** One of them that every level of a relation takes part in. */
export const fourLevels = queries.find((body) => body.includes('publishers'))!

/** Writes that come and go: what they make they take away again. */
export function writes(number: number): readonly string[] {
  const id = `soak-${number}`
  return [
    JSON.stringify({ query: 'mutation ($id: ID!) { createPublisher(input: { id: $id, name: "Soak" }) { publisher { id } } }', variables: { id } }),
    JSON.stringify({ query: 'mutation ($id: ID!) { deletePublisher(input: { id: $id }) { publisher { id } } }', variables: { id } }),
  ]
}
