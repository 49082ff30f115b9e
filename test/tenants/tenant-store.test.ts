// TenantStore, method by method: it returns what a store with only that tenant's documents returns, and a method
// that forgets its tenant fails a test.

import { describe, expect, test } from 'vitest'
import type { Key } from '../../src/model/keys/key.ts'
import type { Group } from '../../src/store/aggregate/aggregation.ts'
import type { Query } from '../../src/store/query.ts'
import type { Body } from '../../src/model/json/json.ts'
import { ConflictError } from '../../src/store/store-errors.ts'
import type { ContainerLayout, Store, Write } from '../../src/store/store.ts'
import { tenantedLayout } from '../../src/store/tenants/tenant-layout.ts'
import { TenantStore } from '../../src/store/tenants/tenant-store.ts'
import { openCosmosTestStore } from '../store/cosmos/local.ts'
import fc, { runs } from '../fast-check.ts'
import { stores } from '../harness.ts'
import { ownLayout } from '../../src/store/own-container.ts'

const plain: readonly ContainerLayout[] = [{
  name: 'posts', partitionKey: [['blog']], followed: true,
  indexes: [{ type: 'post', equals: ['writer'], orderBy: ['stars'] }, { type: 'post', orderBy: ['stars'] }, { type: 'post', equals: ['tags', '*'], orderBy: ['stars'] }],
}]
const layout = [ownLayout, ...tenantedLayout(plain)]

const ids = ['p1', 'p2', 'p3', 'p4', 'p5']
const keyOf = (id: string): Key => ({ partition: [`b${ids.indexOf(id) % 2}`], id })
const post = (id: string, whose: string, more: Body = {}): Extract<Write, { kind: 'put' }> => {
  const at = ids.indexOf(id)
  const [blog] = keyOf(id).partition
  const body = { id, blog: blog!, type: 'post', text: `${id} of ${whose}`, writer: whose === 'a' ? `w${at % 2}` : 'w0', stars: whose === 'a' ? at : 9 - at, tags: ['t1', `t${at}`], ...more }
  return { kind: 'put', container: 'posts', key: keyOf(id), body }
}
const all: Query = { container: 'posts', type: 'post', orderBy: { path: ['stars'], descending: true }, limit: 10 }

interface World {
  readonly base: Store
  /** The shared store, and a store with only the tenant's documents. */
  readonly view: TenantStore
  readonly twin: Store
  /** Of another tenant. */
  readonly other: TenantStore
}

/** One tenant's name begins with the other's. */
async function open(store: (layout: readonly ContainerLayout[]) => Promise<Store>): Promise<World> {
  const [base, twin] = await Promise.all([store(layout), store(plain)])
  const [view, other] = [new TenantStore(base, 'a'), new TenantStore(base, 'a-b')]
  for (const id of ids) {
    await view.write([post(id, 'a')])
    await twin.write([post(id, 'a')])
    // Fewer documents, so that counts differ.
    if (id !== 'p5') await other.write([post(id, 'somebody else')])
  }
  return { base, view, twin, other }
}

/** The result of each method on the view and on the twin, which must be equal. */
const probes: Readonly<Record<string, (world: World, seen: Store & Pick<TenantStore, 'stored'>) => Promise<readonly [unknown, unknown]>>> = {
  readMany: (world, seen) => both(world, seen, async (store) => bodies(await store.readMany('posts', [keyOf('p1'), keyOf('p5'), { partition: ['b9'], id: 'p1' }]))),
  lookIn: (world, seen) => both(world, seen, async (store) => [keyOf('p1'), keyOf('p5'), { partition: ['b9'], id: 'p1' }].map((key) => store.lookIn('posts')!(key)?.body)),
  query: (world, seen) => both(world, seen, async (store) => [
    bodies(await store.query(all)), bodies(await store.query({ ...all, partition: ['b0'] })), bodies(await store.query({ ...all, among: [['b0']], where: { op: 'eq', path: ['blog'], value: 'b0' } })),
    bodies(await store.query({ ...all, where: { op: 'eq', path: ['tags', '*'], value: 't1' } })), bodies(await store.query({ ...all, limit: 2, after: { value: 3, id: 'p4' } })),
  ]),
  queryEach: (world, seen) => both(world, seen, async (store) => [
    (await store.queryEach(all, ['writer'], ['w0', 'w1'])).map(bodies), (await store.queryEach(all, ['tags', '*'], ['t1', 't4'])).map(bodies),
  ]),
  count: (world, seen) => both(world, seen, async (store) => [await store.count(all), await store.count({ ...all, partition: ['b0'] })]),
  countEach: (world, seen) => both(world, seen, async (store) => [await store.countEach(all, ['writer'], ['w0', 'w1']), await store.countEach(all, ['tags', '*'], ['t1', 't4'])]),
  aggregate: (world, seen) => both(world, seen, async (store) => {
    const byWriter = { groupBy: [['writer']], measures: [{ path: ['id'], of: 'string' }], maxGroups: 10 } as const
    const answers = [await store.aggregate(all, byWriter, undefined), await store.aggregate(all, byWriter, { by: ['tags', '*'], values: ['t1', 't4'] })]
    return answers.flat().map((groups) => (groups as Group[]).toSorted((a, b) => (String(a.keys) < String(b.keys) ? -1 : 1)))
  }),
  write: (world, seen) => written(world, (store, writes) => store.write(writes), seen),
  atomically: (world, seen) => written(world, async (store, writes) => (store.supports.atomic === 'store' ? store.atomically(async () => writes) : store.write(writes)), seen),
  stored: async (_, seen) => [
    seen.stored([post('p1', 'a'), { kind: 'delete', container: 'posts', key: keyOf('p1'), last: { id: 'p1' } }]),
    [{ ...post('p1', 'a', { _tenant: 'a' }), key: { partition: ['a', 'b0'], id: 'p1' } }, { kind: 'delete', container: 'posts', key: { partition: ['a', 'b0'], id: 'p1' }, last: { id: 'p1', _tenant: 'a' } }],
  ],
  changes: (world, seen) => both(world, seen, async (store) => {
    const changes = (await Promise.all((await store.feedParts()).map(async (part) => (await store.changes(part, undefined, 100)).changes))).flat()
    return changes.map(({ container, key, deleted, body }) => ({ container, key, deleted, body })).toSorted((one, other) => (one.key.id < other.key.id ? -1 : 1))
  }),
  sizes: async ({ twin }, seen) => [
    await seen.sizes('posts', ids.map(keyOf)), (await twin.sizes('posts', ids.map(keyOf))).map((bytes) => bytes! + Buffer.byteLength(',"_tenant":"a"')),
  ],
}

/** Methods that do not depend on the tenant. `reach` differs only with several physical partitions: see below. */
const withoutTenant = new Set(['constructor', 'feedParts', 'feedEnd', 'pointsWithin', 'pointsOf', 'sweepFeed', 'position', 'moment', 'asOfMoment', 'now', 'cachedBytes', 'ping', 'close', 'reach'])

test('there is a probe for every method that depends on the tenant', () => {
  expect(Object.keys(probes).toSorted()).toEqual(Object.getOwnPropertyNames(TenantStore.prototype).filter((name) => !withoutTenant.has(name)).toSorted())
})

describe.for(stores.filter(({ name }) => name !== 'cosmos'))('a view on $name', ({ store }) => {
  for (const [method, probe] of Object.entries(probes)) {
    test(`sees and changes one tenant's documents: ${method}`, async ({ skip }) => {
      const world = await open(store)
      if (method === 'lookIn' && !world.base.lookIn('posts')) skip('Its documents are not in this process.')
      const [seen, expected] = await probe(world, world.view)
      expect(seen).toEqual(expected)
    })

    test(`fails the probe if it forgets its tenant, or uses another: ${method}`, async () => {
      for (const elsewhere of ['base', 'other'] as const) {
        const world = await open(store)
        const there = world[elsewhere]
        const lost = new Proxy(world.view, { get: (view, name) => bound(name === method ? (name in there ? there : { stored: (writes: unknown) => writes }) : view, name) })
        const [seen, expected] = await probe(world, lost).catch((error: unknown) => [error, undefined])
        expect(seen, elsewhere).not.toEqual(expected)
      }
    })
  }

  test('reports a conflict with the key that was given', async () => {
    const { view } = await open(store)
    const error = await view.write([{ ...post('p1', 'a'), only: 'if-absent' }]).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConflictError)
    expect(error).toMatchObject({ container: 'posts', key: keyOf('p1'), found: 'present' })
  })

  test('returns the same object while a document is unchanged, and another one to another tenant', async ({ skip }) => {
    const { view, other, base } = await open(store)
    if (!base.supports.sameObjects) skip('Every read makes other objects.')
    const first = await read(view)
    expect(await read(view)).toBe(first)
    expect(await read(new TenantStore(base, 'a'))).toBe(first)
    expect(await read(other)).not.toEqual(first)
    await view.write([post('p1', 'a', { text: 'new' })])
    expect(await read(view)).not.toBe(first)
  })

  test('keeps Quire\'s own documents of two tenants apart', async () => {
    const { view, other } = await open(store)
    await view.write([note('mine')])
    await other.write([note('his')])
    expect((await view.readMany('quire', [{ partition: ['n'], id: 'n' }]))[0]).toMatchObject({ key: { partition: ['n'], id: 'n' }, body: { text: 'mine' } })
    await expect(async () => view.query({ ...all, container: 'quire' })).rejects.toThrow('A tenant cannot query the container quire.')
  })
})

test('only the physical partitions of the tenant are asked', async () => {
  const { view, base, twin } = await open((containers) => openCosmosTestStore(containers, 4))
  expect([base.reach({ container: 'posts' }), twin.reach({ container: 'posts' }), view.reach({ container: 'posts' })]).toEqual([4, 4, 1])
  for (const probe of [probes['query']!, probes['queryEach']!, probes['count']!, probes['countEach']!, probes['aggregate']!, probes['readMany']!, probes['write']!]) {
    const [seen, expected] = await probe({ view, base, twin, other: new TenantStore(base, 'a-b') }, view)
    expect(seen).toEqual(expected)
  }
  await Promise.all([base.close(), twin.close()])
})

test('different tenants and keys never collide', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '[', ']', '\\', '/', ' ', '|', 'ä'), minLength: 1, maxLength: 3 })
  for (const { store } of stores.filter(({ name }) => name !== 'cosmos')) {
    await fc.assert(fc.asyncProperty(fc.uniqueArray(fc.tuple(text, text, text), { minLength: 2, maxLength: 6, selector: (one) => JSON.stringify(one) }), async (triples) => {
      const base = await store([ownLayout, ...tenantedLayout([{ name: 'posts', partitionKey: [['blog']], indexes: [] }])])
      for (const [tenant, blog, id] of triples) {
        await new TenantStore(base, tenant).write([{ kind: 'put', container: 'posts', key: { partition: [blog], id }, body: { id, blog, whose: JSON.stringify([tenant, blog, id]) }, only: 'if-absent' }])
      }
      for (const [tenant, blog, id] of triples) {
        const view = new TenantStore(base, tenant)
        expect((await view.readMany('posts', [{ partition: [blog], id }]))[0]?.body).toEqual({ id, blog, whose: JSON.stringify([tenant, blog, id]) })
        expect(await view.count({ container: 'posts' })).toBe(triples.filter(([whose]) => whose === tenant).length)
      }
      await base.close()
    }), { numRuns: runs(50) })
  }
})

async function read(by: Store) {
  return (await by.readMany('posts', [keyOf('p1')]))[0]
}

function note(text: string): Write {
  return { kind: 'put', container: 'quire', key: { partition: ['n'], id: 'n' }, body: { id: 'n', partition: 'n', text }, only: 'if-absent' }
}

function bound(target: object, name: string | symbol): unknown {
  const value = Reflect.get(target, name, target) as unknown
  return typeof value === 'function' ? value.bind(target) : value
}

async function both({ twin }: World, seen: Store, ask: (store: Store) => Promise<unknown>): Promise<readonly [unknown, unknown]> {
  return [await ask(seen), await ask(twin)]
}

/** All documents of the shared store, and the expected ones. */
async function written({ base, view, other, twin }: World, write: (store: Store, writes: readonly Write[]) => Promise<string[]>, seen: Store): Promise<readonly [unknown, unknown]> {
  const others = await other.query(all)
  const [before] = await view.readMany('posts', [keyOf('p2')])
  await write(seen, [post('p1', 'a', { text: 'changed' })])
  await write(seen, [{ kind: 'delete', container: 'posts', key: keyOf('p2'), only: { ifMatch: before!.etag } }])
  await twin.write([post('p1', 'a', { text: 'changed' })])
  await twin.write([{ kind: 'delete', container: 'posts', key: keyOf('p2') }])
  const mine = bodies(await twin.query(all))
  const everything = await base.query({ ...all, limit: 100 })
  return [
    [bodies(await view.query(all)), bodies(await other.query(all)), everything.length],
    [mine, bodies(others), mine.length + others.length],
  ]
}

function bodies(documents: readonly ({ readonly key: Key; readonly body: Body } | undefined)[]): readonly unknown[] {
  return documents.map((document) => document && { key: document.key, body: document.body })
}
