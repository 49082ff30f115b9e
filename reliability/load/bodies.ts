// Request bodies for the library: its example operations, which differ greatly in size.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../schema/library/operations')

export const queries: readonly string[] = globSync(join(folder, '*.graphql')).toSorted().map((file) => JSON.stringify({ query: readFileSync(file, 'utf8') }))

/** The example with four levels of relations. */
export const fourLevels = queries.find((body) => body.includes('publishers'))!

/** A create and its delete, so that the store does not grow. */
export function writes(number: number): readonly string[] {
  const id = `soak-${number}`
  return [
    JSON.stringify({ query: 'mutation ($id: ID!) { createPublisher(input: { id: $id, name: "Soak" }) { publisher { id } } }', variables: { id } }),
    JSON.stringify({ query: 'mutation ($id: ID!) { deletePublisher(input: { id: $id }) { publisher { id } } }', variables: { id } }),
  ]
}
