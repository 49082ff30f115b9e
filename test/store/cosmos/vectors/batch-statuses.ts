// What each operation of a transactional batch is answered with: facts of Microsoft's page on transactional batches, and of the batch tests of
// azure-cosmos-dotnet-v3 (CosmosItem and Batch tests) and azure-sdk-for-js (batch.spec). The documents are ours: the partition "a" has
// { id: "old" }.

import type { OperationInput } from '@azure/cosmos'

export const made: readonly (readonly [what: string, operation: OperationInput, status: number])[] = [
  ['Create', { operationType: 'Create', resourceBody: { id: 'new', pk: 'a' } }, 201],
  ['Upsert of what is absent', { operationType: 'Upsert', resourceBody: { id: 'new', pk: 'a' } }, 201],
  ['Upsert of what exists', { operationType: 'Upsert', resourceBody: { id: 'old', pk: 'a' } }, 200],
  ['Replace', { operationType: 'Replace', id: 'old', resourceBody: { id: 'old', pk: 'a' } }, 200],
  ['Patch', { operationType: 'Patch', id: 'old', resourceBody: { operations: [{ op: 'set', path: '/n', value: 2 }] } }, 200],
  ['Read', { operationType: 'Read', id: 'old' }, 200],
  ['Delete', { operationType: 'Delete', id: 'old' }, 204],
]

/** The batch answers 207, and each of the other operations 424. */
export const refused: readonly (readonly [what: string, operation: OperationInput, status: number])[] = [
  ['Create of what exists', { operationType: 'Create', resourceBody: { id: 'old', pk: 'a' } }, 409],
  ['Replace with an etag that is not the present one', { operationType: 'Replace', id: 'old', resourceBody: { id: 'old', pk: 'a' }, ifMatch: '"stale"' }, 412],
  ['Replace of what is absent', { operationType: 'Replace', id: 'nowhere', resourceBody: { id: 'nowhere', pk: 'a' } }, 404],
  ['Patch of what is absent', { operationType: 'Patch', id: 'nowhere', resourceBody: { operations: [{ op: 'set', path: '/n', value: 2 }] } }, 404],
  ['Read of what is absent', { operationType: 'Read', id: 'nowhere' }, 404],
  ['Delete of what is absent', { operationType: 'Delete', id: 'nowhere' }, 404],
  ['Upsert into another partition', { operationType: 'Upsert', resourceBody: { id: 'b', pk: 'elsewhere' } }, 400],
]

export const mostOperations = 100
