// `increment` in updates: every writer's amount is in the result, on every store and through several gateways.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { stores, type Ask } from '../harness.ts'
import { localServer, openCosmosTestStore } from '../store/cosmos/local.ts'
import { expectRefused, written } from './open-writable.ts'
import { openStockRoom } from './stock-room.ts'

const directory = mkdtempSync(join(tmpdir(), 'quire-increments-'))
afterAll(() => rmSync(directory, { recursive: true }))

const add = 'mutation ($input: UpdateItemInput!) { updateItem(input: $input) { item { stock weight } } }'

describe.each(stores)('increments on $name', ({ store }) => {
  test('add to what is stored, in copies too, and set other fields beside', async () => {
    const room = await openStockRoom(store)
    expect(await written(room.ask, add, { input: { id: 'i1', label: 'steel', increment: { stock: -3, weight: 1.5 } } })).toEqual({ updateItem: { item: { stock: 7, weight: 1.5 } } })
    expect(await room.bodies('items')).toMatchObject({ i1: { 'in-stock': 7, weight: 1.5, label: 'steel', name: 'Nails' } })
    expect(await room.bodies('boxes')).toMatchObject({ x1: { items: [{ id: 'i1', stock: 7 }] } })
  })

  test('of null change nothing', async () => {
    const room = await openStockRoom(store)
    expect(await written(room.ask, add, { input: { id: 'i2', increment: { stock: null } } })).toEqual({ updateItem: { item: { stock: 5, weight: 0.5 } } })
    expect(await written(room.ask, add, { input: { id: 'i2', increment: null } })).toEqual({ updateItem: { item: { stock: 5, weight: 0.5 } } })
  })

  test('are refused where the sum cannot be stored, or the field is set as well', async () => {
    const room = await openStockRoom(store)
    await expectRefused(room, add, { code: 'BAD_USER_INPUT', says: ['Item.stock', '32 bits'] }, { input: { id: 'i1', increment: { stock: 2147483647 } } })
    await expectRefused(room, add, { code: 'BAD_USER_INPUT', says: ['Item.stock', 'set and incremented'] }, { input: { id: 'i1', stock: 1, increment: { stock: 1 } } })
    await written(room.ask, add, { input: { id: 'i1', weight: 1.7e308 } })
    await expectRefused(room, add, { code: 'BAD_USER_INPUT', says: ['Item.weight', 'too large'] }, { input: { id: 'i1', increment: { weight: 1.7e308 } } })
    await expectRefused(room, add, { code: 'NOT_FOUND' }, { input: { id: 'none', increment: { stock: 1 } } })
  })

  test('of a field that is no number of the document are not in the API', async () => {
    const room = await openStockRoom(store)
    const { data } = await room.ask('{ item: __type(name: "ItemIncrement") { inputFields { name } } shelf: __type(name: "ShelfIncrement") { inputFields { name } } box: __type(name: "BoxIncrement") { name } }')
    expect(data).toEqual({ item: { inputFields: [{ name: 'stock' }, { name: 'weight' }] }, shelf: { inputFields: [{ name: 'room' }, { name: 'places' }] }, box: null })
  })

  test('of 16 clients are all in the number', async () => {
    const room = await openStockRoom(store, { settles: false })
    await expectAllCounted([room.ask], 16, 10)
    expect(await room.bodies('items')).toMatchObject({ i1: { 'in-stock': 10 + 160 } })
    await room.ask.close()
  })
})

test('increments of clients of two gateways over one file are all in the number', async () => {
  const [one, other] = [await openFile(), await openFile()]
  await expectAllCounted([one.ask, other.ask], 16, 10)
  expect(await one.bodies('items')).toMatchObject({ i1: { 'in-stock': 10 + 160 } })
  await Promise.all([one.store.close(), other.store.close()])
})

test('on Cosmos DB, increments whose answers get lost are made once', async () => {
  const room = await openStockRoom((layout) => openCosmosTestStore(layout, 1), { settles: false, propagates: false })
  const { faults } = await localServer(1)
  Object.assign(faults, { seed: 7, timeout: 0.2, lostAnswers: 0.5, only: ({ operation }: { operation: string }) => operation === 'batch' })
  try {
    await expectAllCounted([room.ask], 4, 10)
  } finally {
    Object.assign(faults, { timeout: 0, lostAnswers: 0, only: undefined })
  }
  expect(await room.bodies('items')).toMatchObject({ i1: { 'in-stock': 10 + 40 } })
  await room.ask.close()
})

const openFile = () => openStockRoom((layout) => openSqliteStore(join(directory, 'room.db'), layout))

async function expectAllCounted(asks: readonly Ask[], clients: number, times: number): Promise<void> {
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    for (let time = 0; time < times; time++) {
      const { errors } = await asks[client % asks.length]!('mutation { updateItem(input: { id: "i1", increment: { stock: 1 } }) { item { stock } } }', { headers: { 'quire-trace': '0' } })
      expect(errors).toBeUndefined()
    }
  }))
}
