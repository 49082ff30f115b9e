// The emulator against facts of other people's tests and documentation, which are data in test/store/cosmos/vectors.

import type { OperationInput } from '@azure/cosmos'
import { describe, expect, test } from 'vitest'
import { made, mostOperations, refused } from '../store/cosmos/vectors/batch-statuses.ts'
import { served } from '../store/cosmos/vectors/composite-indexes.ts'
import { impossible, lifetimes } from '../store/cosmos/vectors/times-to-live.ts'
import { openAccount, refusal } from './open-account.ts'

const run = async (operations: OperationInput[]) => {
  const { container } = await openAccount()
  const items = await container()
  await items.items.create({ id: 'old', pk: 'a', n: 1 })
  return { items, ...(await items.items.batch(operations, 'a')) }
}

describe('a batch', () => {
  const marker: OperationInput = { operationType: 'Create', resourceBody: { id: 'marker', pk: 'a' } }

  test.each(made)('%s is made', async (_, operation, status) => {
    const { code, result } = await run([marker, operation])
    expect([code, result?.map(({ statusCode }) => statusCode)]).toEqual([200, [201, status]])
  })

  test.each(refused)('%s undoes the others', async (_, operation, status) => {
    const { items, code, result } = await run([marker, operation, { operationType: 'Read', id: 'old' }])
    expect([code, result?.map(({ statusCode }) => statusCode)]).toEqual([207, [424, status, 424]])
    expect((await items.item('marker', 'a').read()).statusCode).toBe(404)
  })

  test('has a hundred operations and no more', async () => {
    const operations = Array.from({ length: mostOperations + 1 }, (_, n): OperationInput => ({ operationType: 'Create', resourceBody: { id: `${n}`, pk: 'a' } }))
    expect((await run(operations.slice(1))).code).toBe(200)
    // The SDK refuses it before the service can.
    expect(await refusal(run(operations))).toMatchObject({ message: expect.stringMatching(/more than 100 operations/) as string })
  })
})

describe('time to live', () => {
  test.each(lifetimes)('of an item with $item in a container with $container: $expiresAfter', async ({ container: defaultTtl, item: ttl, expiresAfter }) => {
    let now = 1_000_000
    const { container } = await openAccount({ now: () => now })
    const items = await container(defaultTtl === undefined ? {} : { defaultTtl })
    await items.items.create({ id: 'one', pk: 'a', ...(ttl === undefined ? {} : { ttl }) })
    const status = async (): Promise<number> => (await items.item('one', 'a').read()).statusCode
    if (expiresAfter !== 'never') {
      now += expiresAfter * 1000 - 1
      expect(await status()).toBe(200)
      now += 1
      expect(await status()).toBe(404)
    } else {
      now += 1_000_000_000
      expect(await status()).toBe(200)
    }
  })

  test.each(impossible)('%j is refused', async (ttl: unknown) => {
    const { container } = await openAccount()
    const items = await container({ defaultTtl: -1 })
    expect(await refusal(items.items.create({ id: 'one', pk: 'a', ttl: ttl as number }))).toMatchObject({ code: 400 })
  })
})

test.each(served)('a composite index of $index serves ORDER BY $orderBy: $served', async ({ index, orderBy, served: isServed }) => {
  const { container } = await openAccount()
  const items = await container({
    indexingPolicy: { includedPaths: [{ path: '/*' }], compositeIndexes: [index.map((each) => ({ path: `/${each.split(' ')[0]}`, order: each.endsWith('DESC') ? 'descending' : 'ascending' }))] },
  })
  await items.items.create({ id: 'one', pk: 'a', name: 'n', age: 1, time: 1 })
  const asked = items.items.query(`SELECT * FROM c ORDER BY ${orderBy.map((each) => `c.${each}`).join(', ')}`, { partitionKey: 'a' }).fetchAll()
  if (isServed) expect((await asked).resources).toHaveLength(1)
  else expect(await refusal(asked)).toMatchObject({ code: 400 })
})
