// Upsert, and many documents in one mutation: a result for each input, all or none where the store can, and fewer reads than one by one.

import { describe, expect, test } from 'vitest'
import { stores } from '../harness.ts'
import { callsOf, expectRefused, written, type Writable } from './open-writable.ts'
import { openStockRoom } from './stock-room.ts'

const isAtomic = ({ store }: Writable): boolean => store.supports.atomic === 'store'
const createItems = 'mutation ($inputs: [CreateItemInput!]!) { createItems(inputs: $inputs) { written atomic results { clientMutationId item { id stock shelf { id countOfItems } } failure { code message } } } }'
const updateItems = 'mutation ($inputs: [UpdateItemInput!]!) { updateItems(inputs: $inputs) { written results { item { id stock } failure { code } } } }'
const upsertItems = 'mutation ($inputs: [UpsertItemInput!]!) { upsertItems(inputs: $inputs) { written results { item { id name stock label } failure { code } } } }'
const deleteItems = 'mutation ($inputs: [DeleteItemInput!]!) { deleteItems(inputs: $inputs) { written results { item { id } failure { code } } } }'
const upsert = 'mutation ($input: UpsertItemInput!) { upsertItem(input: $input) { clientMutationId created item { id name stock label } } }'

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)
const newItems = (count: number) => numbers(count).map((stock) => ({ name: 'N', stock }))
const both = (id: string) => `mutation @atomic { many: createItems(inputs: [{ id: "a1", name: "A", stock: 1 }, { id: "${id}", name: "B", stock: 2 }]) { written results { failure { code } } } one: updateItem(input: { id: "a1", increment: { stock: 1 } }) { item { stock } } }`

describe.each(stores)('on $name', ({ store }) => {
  test('upsert creates a document, and updates it the next time without the fields that are omitted', async () => {
    const room = await openStockRoom(store)
    expect(await written(room.ask, upsert, { input: { clientMutationId: 'c', id: 'i9', name: 'Tape', stock: 1, label: 'red' } }))
      .toEqual({ upsertItem: { clientMutationId: 'c', created: true, item: { id: 'i9', name: 'Tape', stock: 1, label: 'red' } } })
    expect(await written(room.ask, upsert, { input: { id: 'i9', name: 'Tape', stock: 2 } }))
      .toEqual({ upsertItem: { clientMutationId: null, created: false, item: { id: 'i9', name: 'Tape', stock: 2, label: 'red' } } })
    await expectRefused(room, upsert, { code: 'REFERENCE_MISSING', says: 'Shelf none' }, { input: { id: 'i8', name: 'N', stock: 1, shelfId: 'none' } })
    await expectRefused(room, upsert, { code: 'BAD_USER_INPUT', says: '"a/b"' }, { input: { id: 'a/b', name: 'N', stock: 1 } })
  })

  test('upserts of one id at the same time make one document, and the last of them is what is stored', async () => {
    const room = await openStockRoom(store, { settles: false })
    const answers = await Promise.all(numbers(12).map((number) => room.ask(upsert, { variables: { input: { id: 'same', name: `N${number}`, stock: number } } })))
    const payloads = answers.map(({ data, errors }) => errors ?? (data as { upsertItem: { created: boolean } }).upsertItem)
    expect(payloads.filter((payload) => 'created' in payload && payload.created)).toHaveLength(1)
    expect(payloads.filter((payload) => 'created' in payload && !payload.created)).toHaveLength(11)
    expect((await room.bodies('items'))['same']).toMatchObject({ _v: 12 })
    await room.ask.close()
  })

  test('where the id does not tell the partition, upsert finds the document by its id', async () => {
    const room = await openStockRoom(store)
    const visit = 'mutation ($input: UpsertVisitInput!) { upsertVisit(input: $input) { created visit { id guests } } }'
    expect(await written(room.ask, visit, { input: { id: 'v1', day: 'mon', guests: 3 } })).toMatchObject({ upsertVisit: { created: false, visit: { guests: 3 } } })
    expect(await written(room.ask, visit, { input: { id: 'v2', day: 'tue' } })).toMatchObject({ upsertVisit: { created: true } })
    await expectRefused(room, visit, { code: 'BAD_USER_INPUT', says: 'day' }, { input: { id: 'v1', day: 'tue' } })
    expect(Object.keys(await room.bodies('visits'))).toEqual(['v1', 'v2'])
  })

  test('many are created, updated, upserted and deleted, each with its result', async () => {
    const room = await openStockRoom(store)
    const inputs = numbers(20).map((number) => ({ id: `n${number}`, name: `N${number}`, stock: number, shelfId: 's1', clientMutationId: `m${number}` }))
    const created = await room.ask(createItems, { variables: { inputs } })
    expect(created.errors).toBeUndefined()
    expect(created.data!['createItems']).toMatchObject({ written: 20, atomic: isAtomic(room), results: inputs.map(({ id, stock, clientMutationId }) => ({ clientMutationId, item: { id, stock }, failure: null })) })
    expect(await room.bodies('shelves')).toMatchObject({ s1: { countOfItems: 20 } })
    // The items and the shelf are read once for all of them, not once for each.
    const reads = callsOf(created).filter((call) => /^(read|query|count) (items|shelves)/.test(call))
    expect(reads.length).toBeLessThanOrEqual(4)
    expect(await written(room.ask, updateItems, { inputs: [{ id: 'n1', increment: { stock: 5 } }, { id: 'n2', name: 'New' }, { id: 'n1', increment: { stock: 5 } }] }))
      .toEqual({ updateItems: { written: 3, results: [{ item: { id: 'n1', stock: isAtomic(room) ? 11 : 6 }, failure: null }, { item: { id: 'n2', stock: 2 }, failure: null }, { item: { id: 'n1', stock: 11 }, failure: null }] } })
    expect(await written(room.ask, upsertItems, { inputs: [{ id: 'n3', name: 'Old', stock: 0 }, { id: 'new', name: 'Young', stock: 1, label: 'x' }] }))
      .toMatchObject({ upsertItems: { written: 2, results: [{ item: { id: 'n3', name: 'Old' } }, { item: { id: 'new', label: 'x' } }] } })
    expect(await written(room.ask, deleteItems, { inputs: inputs.map(({ id }) => ({ id })) })).toMatchObject({ deleteItems: { written: 20, results: inputs.map(({ id }) => ({ item: { id }, failure: null })) } })
    expect(Object.keys(await room.bodies('items'))).toEqual(['i1', 'i2', 'new'])
    expect(await room.bodies('shelves')).toMatchObject({ s1: { countOfItems: 0 } })
  })

  test('an input that cannot be written says why; the others are written only where each is written on its own', async () => {
    const room = await openStockRoom(store)
    const before = await room.dump()
    const inputs = [{ id: 'g1', name: 'Good', stock: 1 }, { id: 'i1', name: 'Taken', stock: 1 }, { name: 'Lost', stock: 1, shelfId: 'none' }, { id: 'g2', name: 'Good', stock: 2 }]
    const { createItems: payload } = await written(room.ask, createItems, { inputs }) as { createItems: { written: number; results: { item: unknown; failure: { code: string } | null }[] } }
    const codes = payload.results.map(({ failure }) => failure?.code)
    if (isAtomic(room)) {
      expect(payload.written).toBe(0)
      expect(codes).toEqual(['ABORTED', 'CONFLICT', 'REFERENCE_MISSING', 'ABORTED'])
      expect(await room.dump()).toEqual(before)
    } else {
      expect(payload.written).toBe(2)
      expect(codes).toEqual([undefined, 'CONFLICT', 'REFERENCE_MISSING', undefined])
      expect(Object.keys(await room.bodies('items'))).toEqual(['g1', 'g2', 'i1', 'i2'])
    }
    expect(payload.results.map(({ item }) => item !== null)).toEqual(codes.map((code) => code === undefined))
  })

  test('an input may name the document of an earlier one', async () => {
    const room = await openStockRoom(store)
    const boxes = 'mutation ($inputs: [CreateBoxInput!]!) { createBoxes(inputs: $inputs) { written results { box { id inside { id } } failure { code } } } }'
    expect(await written(room.ask, boxes, { inputs: [{ id: 'b1' }, { id: 'b2', insideId: 'b1', itemIds: ['i1'] }, { id: 'b3', insideId: 'b2' }] }))
      .toMatchObject({ createBoxes: { written: 3, results: [{ box: { id: 'b1', inside: null } }, { box: { id: 'b2', inside: { id: 'b1' } } }, { box: { id: 'b3', inside: { id: 'b2' } } }] } })
    expect(await room.bodies('boxes')).toMatchObject({ b2: { items: [{ id: 'i1', name: 'Nails' }] } })
    const remove = 'mutation ($inputs: [DeleteBoxInput!]!) { deleteBoxes(inputs: $inputs) { written results { failure { code } } } }'
    expect(await written(room.ask, remove, { inputs: [{ id: 'b3' }, { id: 'b2' }, { id: 'b1' }] })).toMatchObject({ deleteBoxes: { written: 3 } })
  })

  test('none at all, and more than may be', async () => {
    const room = await openStockRoom(store, { pageSizes: { max: 3 } })
    expect(await written(room.ask, createItems, { inputs: [] })).toMatchObject({ createItems: { written: 0, results: [] } })
    await expectRefused(room, createItems, { code: 'BAD_USER_INPUT', says: ['createItems', '4', 'max 3'] }, { inputs: newItems(4) })
  })

  test('many cost as many documents as they write, and more than the budget is refused before anything is written', async () => {
    const room = await openStockRoom(store, { budget: { requestCharge: 200, roundTrips: 30 } })
    await expectRefused(room, createItems, { code: 'QUERY_TOO_COSTLY' }, { inputs: newItems(40) })
    await expectRefused(room, `mutation { createItems(inputs: [${newItems(40).map(({ stock }) => `{ name: "N", stock: ${stock} }`).join(' ')}]) { written } }`, { code: 'QUERY_TOO_COSTLY' })
    expect(await written(room.ask, 'mutation ($inputs: [CreateItemInput!]!) { createItems(inputs: $inputs) { written } }', { inputs: newItems(5) })).toEqual({ createItems: { written: 5 } })
  })

  test('of an @atomic mutation, many are written with the other fields or not at all', async () => {
    const room = await openStockRoom(store)
    if (!isAtomic(room)) return expectRefused(room, 'mutation @atomic { createItems(inputs: []) { written } }', { code: 'ATOMIC_UNSUPPORTED' })
    const failed = await room.ask(both('i1'))
    expect(failed.errors).toMatchObject([{ path: ['one'], extensions: { code: 'ABORTED' } }])
    expect(Object.keys(await room.bodies('items'))).toEqual(['i1', 'i2'])
    expect(await written(room.ask, both('a2'))).toEqual({ many: { written: 2, results: [{ failure: null }, { failure: null }] }, one: { item: { stock: 2 } } })
  })

  test('effects through the feed follow many documents', async () => {
    const room = await openStockRoom(store, { effects: 'feed', propagates: false })
    await written(room.ask, updateItems, { inputs: [{ id: 'i1', increment: { stock: 1 } }, { id: 'i2', increment: { stock: 1 } }] })
    expect(await room.bodies('items')).toMatchObject({ i1: { 'in-stock': 11 }, i2: { 'in-stock': 6 } })
    await room.ask.close()
  })
})
