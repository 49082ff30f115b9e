// Effects through the change feed stay within the tenant whose document has changed: snapshots, counts, notes of
// removed references, and dead letters.

import { beforeEach, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import type { UndoEntry } from '../../src/evolve/check/repair/undo-log.ts'
import { checkAllTenants } from '../../src/evolve/check/check-tenants.ts'
import { listDeadLetters } from '../../src/feed/dead-letters.ts'
import { Propagator } from '../../src/feed/propagator.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { allTenants } from '../../src/store/tenants/all-tenants.ts'
import { TenantStore } from '../../src/store/tenants/tenant-store.ts'
import { Writer } from '../../src/write/writer.ts'
import { sdl } from '../feed/world.ts'

const declaration = readDeclaration(sdl, {}, true)
const tenants = ['a', 'b'] as const

let store: Store
beforeEach(async () => {
  store = await openMemoryStore(declaration.layout)
  for (const tenant of tenants) {
    await by(tenant).write(async (change) => ({ author: await change.create('Author', { id: 'x', name: `${tenant}'s` }) }))
    await by(tenant).write(async (change) => ({ book: await change.create('Book', { id: 'x', title: 't', authorIds: ['x'] }) }))
  }
  await drain()
})

test('a change reaches the snapshots of its own tenant only', async () => {
  await by('a').write(async (change) => ({ author: await change.update('Author', { id: 'x', name: 'renamed' }) }))
  await drain()
  expect([await copied('a'), await copied('b')]).toEqual(['renamed', 'b\'s'])
  expect(await Array.fromAsync(checkAllTenants(declaration, store))).toEqual([])
})

test('references to a deleted document are removed for its own tenant only, though the other deletes the same id', async () => {
  await by('a').write(async (change) => ({ book: await change.delete('Book', { id: 'x' }) }))
  await drain()
  const counts = await Promise.all(tenants.map(async (tenant) => (await read(tenant, 'authors'))?.['countOfBooks']))
  expect(counts).toEqual([0, 1])
  // Both tenants at once.
  await by('a').write(async (change) => ({ book: await change.create('Book', { id: 'x', title: 't', authorIds: ['x'] }) }))
  for (const tenant of tenants) await by(tenant).write(async (change) => ({ book: await change.delete('Book', { id: 'x' }) }))
  await drain()
  expect(await Promise.all(tenants.map(async (tenant) => (await read(tenant, 'authors'))?.['countOfBooks']))).toEqual([0, 0])
  expect(await Array.fromAsync(checkAllTenants(declaration, store))).toEqual([])
})

test('a dead letter of one tenant does not delay another, and keeps its tenant when it is retried', async () => {
  for (const tenant of tenants) await by(tenant).write(async (change) => ({ author: await change.update('Author', { id: 'x', name: `${tenant}'s new` }) }))
  const failing: Store = { ...store, query: async (query, meter) => {
    if (query.tenant === 'a') throw new Error('The books are being moved.')
    return store.query(query, meter)
  } }
  await new Propagator(declaration, failing, { owner: 'one' }).round()
  expect([await copied('a'), await copied('b')]).toEqual(['a\'s', 'b\'s new'])
  expect((await listDeadLetters(store)).map(({ body }) => body['key'])).toEqual([{ partition: ['a', 'x'], id: 'x' }])
  expect(await new Propagator(declaration, store, { owner: 'one' }).retryDeadLetters()).toBe(0)
  expect([await copied('a'), await copied('b')]).toEqual(['a\'s new', 'b\'s new'])
})

test('a document without a tenant is skipped', async () => {
  await store.write([{ kind: 'put', container: 'authors', key: { partition: [null, 'x'], id: 'x' }, body: { id: 'x', name: 'stray' } }])
  await drain()
  expect([await copied('a'), await copied('b')]).toEqual(['a\'s', 'b\'s'])
  expect(await listDeadLetters(store)).toEqual([])
  expect(await allTenants(store, declaration.layout)).toEqual(['a', 'b'])
})

test('a check covers every tenant, names the tenant of a finding, and accepts no reference across tenants', async () => {
  await by('a').write(async (change) => ({ author: await change.create('Author', { id: 'only a\'s', name: 'n' }) }))
  await drain()
  const [book] = await new TenantStore(store, 'b').readMany('books', [{ partition: ['x'], id: 'x' }])
  await new TenantStore(store, 'b').write([{ kind: 'put', container: 'books', key: book!.key, body: { ...book!.body, authors: [{ id: 'only a\'s', name: 'n' }] } }])
  const found = await Array.fromAsync(checkAllTenants(declaration, store))
  expect(found.every(({ tenant }) => tenant === 'b')).toBe(true)
  expect(found).toContainEqual(expect.objectContaining({ tenant: 'b', kind: 'dangling', id: 'x' }))
  // One tenant's reference to nothing stops the repair of all of them.
  await expect(Array.fromAsync(checkAllTenants(declaration, store, { repair: true }))).rejects.toThrow(/1 of 1 .*Book\.authors/)
  const taken: UndoEntry[] = []
  const repaired = await Array.fromAsync(checkAllTenants(declaration, store, { repair: true, acceptLoss: ['Book.authors'], keep: (each) => void taken.push(...each) }))
  expect(taken).toContainEqual(expect.objectContaining({ tenant: 'b', container: 'books', id: 'x' }))
  expect(repaired.map(({ repair }) => repair)).toContain('done')
  expect(await copied('a')).toBe('a\'s')
})

function by(tenant: string): Writer {
  return new Writer(declaration, new TenantStore(store, tenant), 'feed')
}

async function drain(): Promise<void> {
  const propagator = new Propagator(declaration, store, { owner: 'one' })
  while ((await propagator.round()) > 0);
}

async function read(tenant: string, container: string) {
  const [document] = await new TenantStore(store, tenant).readMany(container, [{ partition: ['x'], id: 'x' }])
  return document?.body
}

/** The author's name in the book's snapshot. */
async function copied(tenant: string): Promise<unknown> {
  const [author] = ((await read(tenant, 'books'))?.['authors'] ?? []) as readonly { name: string }[]
  return author?.name
}
