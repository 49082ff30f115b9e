// An answer of several reads shows one moment of the store, although another process writes between them.

import { DatabaseSync, StatementSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { createGateway } from '../../../src/gateway.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import { post } from '../../over-http.ts'
import { newFile } from '../../store/sqlite/new-file.ts'

const typeDefs = `
  type Post @document(container: "posts") { id: ID! title: String! @indexed writer: Writer! @reference(at: "writerId") }
  type Writer @document(container: "writers") { id: ID! name: String! @indexed posts: PostConnection! @reverse(of: "Post.writer") }
`

const put = (container: string, body: { readonly id: string }): Write => ({ kind: 'put', container, key: { partition: [body.id], id: body.id }, body })
const seed = (): Write[] => [...['w1', 'w2', 'w3'].map((id) => put('writers', { id, name: '1' } as never)), ...['p1', 'p2', 'p3'].map((id, at) => put('posts', { id, title: '1', writerId: `w${at + 1}` } as never))]

afterEach(() => void vi.restoreAllMocks())

/** As another process would, between two statements of an answer: all titles and names become another number. */
function writeBefore(file: string, statements: readonly number[]) {
  const all = Reflect.get(StatementSync.prototype, 'all') as (this: StatementSync, ...values: unknown[]) => ReturnType<StatementSync['all']>
  let [count, writes] = [0, 0]
  vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...values: unknown[]) {
    if (statements.includes(++count)) {
      const database = new DatabaseSync(file)
      const set = (table: string, field: string) => `UPDATE ${table} SET etag = 'e${writes}' || id, body = json_set(body, '$.${field}', '${writes + 2}');`
      database.exec(`BEGIN IMMEDIATE; ${set('posts', 'title')} ${set('writers', 'name')} COMMIT`)
      database.close()
      writes++
    }
    return all.apply(this, values)
  })
  return { written: () => writes, statements: () => count }
}

test.each([
  ['documents that rows point at', '{ posts { nodes { title writer { name } } } }', [2]],
  ['lists of rows', '{ writers { nodes { name posts { nodes { title } } } } }', [2]],
  ['two fields of the root', '{ posts { nodes { title } } writers { nodes { name } } }', [2]],
  ['several times in a row', '{ posts { nodes { title writer { name } } } }', [2, 4]],
])('%s', async (_, query, statements) => {
  const file = newFile()
  const gateway = await createGateway({ typeDefs, seed, openReads: true, store: (layout) => openSqliteStore(file, layout) })
  const { written } = writeBefore(file, statements)
  const { data } = (await (await post(gateway, { query })).json()) as { data: object }
  expect(written()).toBeGreaterThan(0)
  expect(new Set([...JSON.stringify(data).matchAll(/"(?:title|name)":"(\d+)"/g)].map(([, number]) => number))).toEqual(new Set([String(written() + 1)]))
  vi.restoreAllMocks()
  await gateway.dispose()
})

test('an answer asks SQLite twice whether others have written, however many documents it reads', async () => {
  const gateway = await createGateway({ typeDefs, seed, openReads: true, store: (layout) => openSqliteStore(newFile(), layout) })
  const get = vi.spyOn(StatementSync.prototype, 'get')
  const asked = async (query: string): Promise<number> => {
    get.mockClear()
    await post(gateway, { query })
    return get.mock.contexts.filter((statement) => (statement as StatementSync).sourceSQL === 'PRAGMA data_version').length
  }
  for (const query of ['{ posts { nodes { title writer { name } } } }', '{ writers { nodes { posts { nodes { writer { name } } } } } posts { nodes { writer { name } } } }']) {
    // Read from SQLite, and from memory.
    for (const _ of [1, 2, 3]) expect(await asked(query)).toBe(2)
  }
  vi.restoreAllMocks()
  await gateway.dispose()
})

test('one read is made once, whatever is written meanwhile', async () => {
  const file = newFile()
  const gateway = await createGateway({ typeDefs, seed, openReads: true, store: (layout) => openSqliteStore(file, layout, { cacheBytes: 0 }) })
  const { statements } = writeBefore(file, [1])
  await post(gateway, { query: '{ posts(first: 2) { nodes { title } } }' })
  expect(statements()).toBe(1)
  vi.restoreAllMocks()
  await gateway.dispose()
})

test.each<[string, (store: Store) => Store, boolean | null]>([
  ['proved', (store) => store, true],
  ['known not to be so', (store) => ({ ...store, moment: () => Math.random() }), false],
  ['not known', (store) => ({ ...store, moment: () => undefined }), null],
])('the cost report says that it was one moment: %s', async (_, changed, oneMoment) => {
  const gateway = await createGateway({ typeDefs, seed, openReads: true, store: async (layout) => changed(await openMemoryStore(layout)) })
  const { extensions } = (await (await post(gateway, { query: '{ posts { nodes { title writer { name } } } }' }, { 'quire-trace': '1' })).json()) as { extensions: { quire: { oneMoment: unknown } } }
  expect(extensions.quire.oneMoment).toBe(oneMoment)
  await gateway.dispose()
})
