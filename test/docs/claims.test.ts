// What the README says of others, as far as it can be looked up here: once it is no longer true, it has to go.

import * as sdk from '@azure/cosmos'
import { expect, test } from 'vitest'

test('the JavaScript SDK of Cosmos DB reads documents by key one by one', () => {
  const members = [sdk.Items, sdk.Container].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
  expect(members).toContain('query')
  expect(members.filter((name) => /readMany/i.test(name))).toEqual([])
})

test('the JavaScript SDK of Cosmos DB has no change feed processor', () => {
  const members = [sdk.Items, sdk.Container].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
  expect(members).toContain('getChangeFeedIterator')
  expect([...Object.keys(sdk), ...members].filter((name) => /ChangeFeedProcessor/i.test(name))).toEqual([])
})
