// Which physical partitions are asked: those that can hold what is looked for, whether a query fixes the whole partition key, its upper levels, or
// one of several values.

import { describe, expect, onTestFinished, test } from 'vitest'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { PhysicalPartitions } from '../../../src/store/cosmos/read-many/physical-partitions.ts'
import type { Key } from '../../../src/model/keys/key.ts'
import type { Condition, Query } from '../../../src/store/query.ts'
import type { Store } from '../../../src/store/store.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'
import { cuts, definition, hashOf } from './vectors/boundaries.ts'

const partitions = 8

const orders = Array.from({ length: 40 }, (_, at) => ({ id: `o${at}`, tenant: `t${at % 5}`, user: `u${at % 8}` }))

async function openOrders(): Promise<{ server: CosmosEmulator; store: Store }> {
  const server = await startCosmosEmulator({ partitions })
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'shop', create: true }, [
    { name: 'orders', partitionKey: [['tenant'], ['user']], indexes: [], untyped: true },
    { name: 'carts', partitionKey: [['user']], indexes: [], untyped: true },
  ])
  onTestFinished(async () => {
    await store.close()
    await server.close()
  })
  for (const { id, tenant, user } of orders) {
    await store.write([{ kind: 'put', container: 'orders', key: { partition: [tenant, user], id }, body: { id, tenant, user } }])
    await store.write([{ kind: 'put', container: 'carts', key: { partition: [user], id }, body: { id, user } }])
  }
  server.clearLog()
  return { server, store }
}

const is = (name: string, value: string): Condition => ({ op: 'eq', path: [name], value })
const isIn = (name: string, ...values: string[]): Condition => ({ op: 'in', path: [name], values })

describe('a query asks', () => {
  test.each<[string, string, Condition, number, (order: { tenant: string; user: string }) => boolean]>([
    ['one partition for the upper level of a key that lives in one', 'orders', is('tenant', 't1'), 1, ({ tenant }) => tenant === 't1'],
    ['one partition for both levels', 'orders', { op: 'and', conditions: [is('user', 'u1'), is('tenant', 't1')] }, 1, ({ tenant, user }) => tenant === 't1' && user === 'u1'],
    ['as many as two upper levels live in', 'orders', isIn('tenant', 't1', 't2'), 2, ({ tenant }) => tenant === 't1' || tenant === 't2'],
    ['the same if they are alternatives', 'orders', { op: 'or', conditions: [is('tenant', 't1'), is('tenant', 't2')] }, 2, ({ tenant }) => tenant === 't1' || tenant === 't2'],
    ['no more for several values of the lower level', 'orders', { op: 'and', conditions: [is('tenant', 't1'), isIn('user', 'u1', 'u2', 'u3')] }, 1, ({ tenant, user }) => tenant === 't1' && ['u1', 'u2', 'u3'].includes(user)],
    ['as many as two keys live in', 'carts', isIn('user', 'u1', 'u2'), 2, ({ user }) => user === 'u1' || user === 'u2'],
    ['none if there is no value to have', 'carts', isIn('user'), 0, () => false],
    ['all if only the lower level is known', 'orders', is('user', 'u1'), partitions, ({ user }) => user === 'u1'],
    ['all if one alternative fixes nothing', 'orders', { op: 'or', conditions: [is('tenant', 't1'), is('user', 'u1')] }, partitions, ({ tenant, user }) => tenant === 't1' || user === 'u1'],
  ])('%s', async (_, container, where, most, matches) => {
    const { server, store } = await openOrders()
    const query: Query = { container, where, orderBy: { path: ['id'], descending: false }, limit: 100 }
    const expected = orders.filter(matches)
    expect((await store.query(query)).map(({ key }) => key.id)).toEqual(expected.map(({ id }) => id).toSorted())
    expect(server.log.length).toBeLessThanOrEqual(most)
    expect(await store.count({ container, where })).toBe(expected.length)
    expect(store.reach(query)).toBe(server.log.length / 2)
  })
})

const keyOf = ({ tenant, user, id }: { tenant: string; user: string; id: string }): Key => ({ partition: [tenant, user], id })

// A tenant's own hash begins all hashes of its keys, so the longer boundaries go through its documents.
test.each<[string, (hash: string, longer: string) => string]>([
  ['a few digits', (hash) => hash.slice(0, 5)],
  ['the hash of a tenant', (hash) => hash],
  ['the hash of a tenant and a user', (_, longer) => longer],
  ['a part of the hash of a user', (_, longer) => longer.slice(0, 40)],
  ['the hash of a tenant and a user, and zeros', (_, longer) => `${longer}${'0'.repeat(32)}`],
])('after a split at %s every document is read by its key and by the prefix of it, and is found by queries', async (_, boundary) => {
  const { server, store } = await openOrders()
  const at = boundary(hashOf('t1'), hashOf('t1', 'u6'))
  const { id } = server.partitions('shop', 'orders').find(({ minInclusive, maxExclusive }) => minInclusive < at && at < maxExclusive)!
  server.split('shop', 'orders', id, { at })
  // And what is split again lies between boundaries of different lengths.
  server.split('shop', 'orders', server.partitions('shop', 'orders').find(({ minInclusive }) => minInclusive === at)!.id)
  for (let again = 0; again < 2; again++) {
    expect((await store.readMany('orders', orders.map(keyOf))).map((document) => document?.key.id)).toEqual(orders.map((order) => order.id))
    for (const tenant of ['t0', 't1', 't4']) {
      const found = await store.query({ container: 'orders', where: is('tenant', tenant), orderBy: { path: ['id'], descending: false }, limit: 100 })
      expect(found.map(({ key }) => key.id)).toEqual(orders.filter((order) => order.tenant === tenant).map((order) => order.id).toSorted())
    }
    for (const order of orders.slice(0, 8)) expect(await store.count({ container: 'orders', partition: [order.tenant, order.user] })).toBe(1)
  }
  await store.write([{ kind: 'put', container: 'orders', key: { partition: ['t1', 'u6'], id: 'new' }, body: { id: 'new', tenant: 't1', user: 'u6' } }])
  expect(await store.readMany('orders', [keyOf({ id: 'new', tenant: 't1', user: 'u6' })])).toMatchObject([{ key: { id: 'new' } }])
})

// On which side of such a boundary a key is, is for the service to say: a request then names the key.
describe.each(cuts)('a container that is cut at $name', ({ at, ambiguous }) => {
  const listed = [{ id: '0', minInclusive: '', maxExclusive: at, parents: [] }, { id: '1', minInclusive: at, maxExclusive: 'FF', parents: [] }]
  const open = async (): Promise<PhysicalPartitions> => {
    const known = new PhysicalPartitions({ readPartitionKeyRanges: () => ({ fetchAll: async () => ({ resources: listed }) }) } as never, definition as never)
    await known.all()
    return known
  }

  test('has every other key on one side', async () => {
    const known = await open()
    for (const key of [['contoso', 'bob'], ['contoso', 'zoe'], ['fabrikam', 'ann'], ['t1', 'u1']]) {
      expect(known.knownOf(key)?.id).toBe(hashOf(...key) < at ? '0' : '1')
    }
    expect(known.knownOf(['contoso', 'ann'])).toEqual(ambiguous ? undefined : expect.objectContaining({ id: hashOf('contoso', 'ann') < at ? '0' : '1' }))
  })

  test('is asked on all sides that may have keys of a tenant', async () => {
    const known = await open()
    const sides = known.knownWithin(['contoso']).map(({ id }) => id)
    for (const user of ['ann', 'bob', 'zoe', 'x', 'y']) expect(sides).toContain(hashOf('contoso', user) < at ? '0' : '1')
  })
})
