// Tests of point requests: reading, creating, upserting, replacing and deleting one document.

import { expect, test } from 'vitest'
import { openAccount, refusal } from './open-account.ts'

test('a document is created, read, replaced and deleted', async () => {
  const { container } = await openAccount()
  const books = await container()
  const created = await books.items.create({ id: 'b1', pk: 'a', title: 'Käse & Wein' })
  expect(created.statusCode).toBe(201)
  expect(created.resource).toMatchObject({ id: 'b1', pk: 'a', title: 'Käse & Wein', _attachments: 'attachments/' })
  expect(created.resource?.['_rid']).toHaveLength(24)
  expect(created.headers['x-ms-session-token']).toMatch(/^\d:0#1$/)
  expect(created.etag).toBe(created.resource?._etag)
  const { resource } = await books.item('b1', 'a').read()
  expect(resource).toEqual(created.resource)
  const replaced = await books.item('b1', 'a').replace({ ...resource, title: 'Wein' })
  expect(replaced.statusCode).toBe(200)
  expect(replaced.resource).toMatchObject({ title: 'Wein', _rid: created.resource?.['_rid'] as string })
  expect(replaced.etag).not.toBe(created.etag)
  expect((await books.item('b1', 'a').delete()).statusCode).toBe(204)
  expect(await books.item('b1', 'a').read()).toMatchObject({ statusCode: 404, substatus: 0, resource: undefined })
})

test('an id is taken within its partition key only', async () => {
  const { container } = await openAccount()
  const books = await container()
  await books.items.create({ id: 'b1', pk: 'a' })
  expect(await refusal(books.items.create({ id: 'b1', pk: 'a' }))).toMatchObject({ code: 409 })
  expect((await books.items.create({ id: 'b1', pk: 'b' })).statusCode).toBe(201)
  expect((await books.items.upsert({ id: 'b1', pk: 'a' })).statusCode).toBe(200)
  expect((await books.items.upsert({ id: 'b2', pk: 'a' })).statusCode).toBe(201)
})

test('keys of every type are kept apart, the missing one too', async () => {
  const { container } = await openAccount()
  const books = await container()
  const keys = ['1', 1, true, null, undefined] as const
  for (const pk of keys) await books.items.create({ id: 'b', pk, is: String(pk) + typeof pk })
  for (const pk of keys) expect((await books.item('b', pk).read<{ is: string }>()).resource?.is).toBe(String(pk) + typeof pk)
})

test('etags guard replacing, upserting and deleting, and spare reading', async () => {
  const { container } = await openAccount()
  const books = await container()
  const { etag } = await books.items.create({ id: 'b1', pk: 'a' })
  const stale = { accessCondition: { type: 'IfMatch', condition: '"stale"' } }
  const fresh = { accessCondition: { type: 'IfMatch', condition: etag } }
  const item = books.item('b1', 'a')
  expect(await refusal(item.replace({ id: 'b1', pk: 'a' }, stale))).toMatchObject({ code: 412 })
  expect(await refusal(books.items.upsert({ id: 'b1', pk: 'a' }, stale))).toMatchObject({ code: 412 })
  expect(await refusal(item.delete(stale))).toMatchObject({ code: 412 })
  expect((await item.read({ accessCondition: { type: 'IfNoneMatch', condition: etag } })).statusCode).toBe(304)
  expect((await item.replace({ id: 'b1', pk: 'a', n: 1 }, fresh)).statusCode).toBe(200)
  expect((await item.read({ accessCondition: { type: 'IfNoneMatch', condition: etag } })).statusCode).toBe(200)
  expect(await refusal(item.delete(fresh))).toMatchObject({ code: 412 })
  expect((await books.items.upsert({ id: 'new', pk: 'a' }, stale)).statusCode).toBe(201)
})

test('what is not there cannot be replaced or deleted', async () => {
  const { container } = await openAccount()
  const books = await container()
  expect(await refusal(books.item('b1', 'a').replace({ id: 'b1', pk: 'a' }))).toMatchObject({ code: 404, substatus: 0 })
  expect(await refusal(books.item('b1', 'a').delete())).toMatchObject({ code: 404 })
})

test('the document has to agree with the partition key and the id of the request', async () => {
  const { container } = await openAccount()
  const books = await container()
  await books.items.create({ id: 'b1', pk: 'a' })
  expect(await refusal(books.item('b1', 'a').replace({ id: 'b1', pk: 'other' }))).toMatchObject({ code: 400, substatus: 1001 })
  expect(await refusal(books.item('b1', 'a').replace({ id: 'b2', pk: 'a' }))).toMatchObject({ code: 400 })
})

test.each([['missing', undefined], ['empty', ''], ['longer than 1,023 bytes', 'ü'.repeat(512)]])('an id that is %s is refused', async (_, id) => {
  const { container } = await openAccount()
  const books = await container()
  expect(await refusal(books.items.create({ ...(id !== undefined && { id }), pk: 'a' }, { disableAutomaticIdGeneration: true }))).toMatchObject({ code: 400 })
})

test('a document above 2 MB is refused, one of 2 MB is not', async () => {
  const { container } = await openAccount()
  const books = await container()
  const around = JSON.stringify({ id: 'b1', pk: 'a', text: '' }).length
  const text = 'x'.repeat(2 * 1024 * 1024 - around)
  expect((await books.items.create({ id: 'b1', pk: 'a', text })).statusCode).toBe(201)
  expect(await refusal(books.items.create({ id: 'b2', pk: 'a', text: `${text}x` }))).toMatchObject({ code: 413 })
})

test('documents vanish when their time to live is over', async () => {
  let now = 1_000_000
  const { server, container } = await openAccount({ now: () => now })
  const books = await container({ defaultTtl: -1 })
  await books.items.create({ id: 'short', pk: 'a', ttl: 10 })
  await books.items.create({ id: 'long', pk: 'a', ttl: 100 })
  await books.items.create({ id: 'for ever', pk: 'a' })
  const ids = async (): Promise<string[]> => (await books.items.query<{ id: string }>('SELECT * FROM c', { partitionKey: 'a' }).fetchAll()).resources.map(({ id }) => id)
  now += 9_999
  expect(await ids()).toEqual(['short', 'long', 'for ever'])
  now += 1
  expect(await ids()).toEqual(['long', 'for ever'])
  expect((await books.item('short', 'a').read()).statusCode).toBe(404)
  expect((await books.items.create({ id: 'short', pk: 'a' })).statusCode).toBe(201)
  now += 1_000_000
  expect(await ids()).toEqual(['for ever', 'short'])
  expect(server.partitions('library', 'books').reduce((sum, { writes }) => sum + writes, 0)).toBe(4)
})

test('a container without a default heeds no ttl', async () => {
  let now = 1_000_000
  const { container } = await openAccount({ now: () => now })
  const books = await container()
  const { resource } = await books.items.create({ id: 'b1', pk: 'a', ttl: 1 })
  expect(resource?._ts).toBe(1000)
  now += 5_000
  expect((await books.item('b1', 'a').read()).statusCode).toBe(200)
})
