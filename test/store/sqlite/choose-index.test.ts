// Which index a statement enters, as SQLite itself explains it. SQLite's own choice would be the order for every query of
// a typed container, however few documents match.

import { DatabaseSync, StatementSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Condition, Query, Scalar } from '../../../src/store/query.ts'
import type { ContainerLayout, Store } from '../../../src/store/store.ts'
import { naiveQuery, naiveSelect } from '../conformance/naive.ts'
import { book, books, idsOf, layout, type Put } from '../conformance/shelf.ts'
import { newFile } from './new-file.ts'

const documents = 3000
const all: Put[] = Array.from({ length: documents }, (_, at) => book(`b${String(at).padStart(4, '0')}`, {
  name: `Book ${(at * 7919) % documents}`, authors: [{ id: `a${at % 100}` }], price: at, genre: `g${at % 2}`, 'pub-id': at % 3 === 0 ? 'large' : `p${at % 300}`,
}))
const withGenre: readonly ContainerLayout[] = layout.map((container) => (container.name === 'books' ? { ...container, indexes: [...container.indexes, { type: 'book', orderBy: ['genre'] }] } : container))

const file = newFile()
let store: Store
let database: DatabaseSync

beforeAll(async () => {
  store = await openSqliteStore(file, withGenre, { cacheBytes: 0, longRows: Infinity })
  await store.write(all)
  database = new DatabaseSync(file, { readOnly: true })
})

afterEach(() => vi.restoreAllMocks())

afterAll(async () => {
  database.close()
  await store.close()
})

const byPrice = { path: ['price'], descending: false }
const byName = { path: ['name'], descending: true }

test.each<[string, Partial<Query>, string, boolean]>([
  ['a narrow equality is entered, and its documents are sorted', { where: eq('pub-id', 'p7'), orderBy: byPrice, limit: 10 }, 'type, ["pub-id"], ', true],
  ['also from a position on', { where: eq('pub-id', 'p7'), orderBy: byPrice, limit: 10, after: { value: 2, id: 'b0002' } }, 'type, ["pub-id"], ', true],
  ['a wide equality is met soon by walking the order', { where: eq('pub-id', 'large'), orderBy: byPrice, limit: 10 }, 'type, ["price"], id', false],
  ['an equality whose index has the order needs no sorting', { where: eq('pub-id', 'large'), orderBy: byName, limit: 10 }, 'type, ["pub-id"], ["name"], id', false],
  ['so does every equality in the order of ids', { where: eq('genre', 'g1'), limit: 10 }, 'type, ["genre"], id', false],
  ['some values are like one', { where: inside('pub-id', ['p1', 'p2', 'none']), orderBy: byPrice, limit: 10 }, 'type, ["pub-id"], ', true],
  ['a value that no document has is looked up', { where: inside('pub-id', ['none', 'nowhere']), orderBy: byPrice, limit: 10 }, 'type, ["pub-id"], ', true],
  ['also in the order of ids', { where: inside('pub-id', ['none', 'nowhere']), limit: 10 }, 'type, ["pub-id"], ', true],
  ['a narrow range is entered', { where: cmp('gte', 'price', documents - 5), orderBy: byName, limit: 10 }, 'type, ["price"], id', true],
  ['a wide range is met soon by walking the order', { where: cmp('gte', 'price', 5), orderBy: byName, limit: 10 }, 'type, ["name"], id', false],
  ['two bounds make a range narrow', { where: and(cmp('gte', 'price', 1000), cmp('lt', 'price', 1010)), orderBy: byName, limit: 10 }, 'type, ["price"], id', true],
  ['a range of the order is where the walk begins', { where: cmp('gte', 'price', 5), orderBy: byPrice, limit: 10 }, 'type, ["price"], id', false],
  ['the narrowest of several conditions is entered', { where: and(eq('pub-id', 'large'), cmp('lt', 'price', 20)), orderBy: byName, limit: 10 }, 'type, ["price"], id', true],
  ['whatever their order', { where: and(cmp('gte', 'price', 5), eq('genre', 'g1'), eq('pub-id', 'p7')), orderBy: byName, limit: 10 }, 'type, ["pub-id"], ["name"], id', false],
  ['some ids are looked up', { where: inside('id', ['b0001', 'b0002']), orderBy: byPrice, limit: 10 }, 'type, id', true],
  ['some ids in the order of ids are looked up', { where: inside('id', ['b0001', 'b0002']), limit: 10 }, 'type, id (type=? AND id=?)', true],
  ['of two bounds of the order the closest is where the walk begins', { where: and(cmp('gte', 'price', 5), cmp('gte', 'price', documents - 3)), orderBy: byPrice, limit: 10 }, 'type, ["price"], id (type=? AND (rank of ["price"],value of ["price"])>(?,?)', false],
  ['a partition is entered', { partition: ['b0007'], orderBy: byPrice, limit: 10 }, 'partition, type, id', true],
  ['a condition in a partition is tested there', { partition: ['b0007'], where: eq('genre', 'g1'), orderBy: byPrice, limit: 10 }, 'partition, type, id', true],
])('%s', async (_, asked, index, sorts) => {
  const wanted = books(asked)
  const [page, plan] = await explained(async () => store.query(wanted))
  expect(idsOf(page)).toEqual(idsOf(naiveQuery(all, wanted)))
  expect(plan[0]).toContain(` books by ${index}`)
  expect(plan.some((line) => line.includes('TEMP B-TREE'))).toBe(sorts)
})

/** What one of two authors has written is in a table of its own. */
const anyAuthor: Condition = { op: 'in', path: ['authors', '*', 'id'], values: ['a7', 'nobody'] }
const oneAuthor: Condition = { op: 'eq', path: ['authors', '*', 'id'], value: 'a7' }
const either: Condition = { op: 'or', conditions: [eq('pub-id', 'p7'), and(cmp('gte', 'price', 5), eq('genre', 'none'))] }

test.each<[string, Partial<Query>]>([
  ['some values of a list', { where: anyAuthor, orderBy: byPrice, limit: 10 }],
  ['some values of a list, beside a wide condition', { where: and(cmp('gte', 'price', 5), anyAuthor), limit: 10 }],
  ['two values of a list', { where: and(oneAuthor, anyAuthor), orderBy: byName, limit: 10 }],
  ['alternatives that are few together', { where: either, orderBy: byPrice, limit: 10 }],
  ['alternatives beside a wide condition', { where: and(cmp('gte', 'price', 5), either), orderBy: byName, limit: 10 }],
])('few documents are looked up by their rows: %s', async (_, asked) => {
  const wanted = books(asked)
  const [page, plan] = await explained(async () => store.query(wanted))
  expect(idsOf(page)).toEqual(idsOf(naiveQuery(all, wanted)))
  expect(page.length).toBeGreaterThan(0)
  expect(plan.filter((line) => /^(SCAN|SEARCH) d\b/.test(line) && !line.includes('rowid=?')).every((line) => line.includes('=? AND'))).toBe(true)
  expect(plan.some((line) => line.includes('rowid=?'))).toBe(true)
})

test.each<[string, Condition, string]>([
  ['one condition is counted in its index alone', eq('genre', 'g1'), 'COVERING INDEX books by type, ["genre"], id'],
  ['a narrow equality is entered', and(cmp('gte', 'price', 5), eq('pub-id', 'p7')), 'INDEX books by type, ["pub-id"], '],
  ['a narrow range is entered', and(eq('genre', 'g1'), cmp('lt', 'price', 20)), 'INDEX books by type, ["price"], id'],
  ['of two wide conditions the narrower one is entered', and(eq('genre', 'g1'), cmp('lt', 'price', 1200)), 'INDEX books by type, ["price"], id'],
])('counts: %s', async (_, where, index) => {
  const [count, plan] = await explained(async () => store.count(books({ where })))
  expect(count).toBe(naiveSelect(all, books({ where })).length)
  expect(plan.find((line) => line.includes(' INDEX '))).toContain(index)
})

test('queries that differ in their values alone are one statement', async () => {
  const texts = new Set<string>()
  for (const value of ['p1', 'p2', 'p7']) {
    const statements = watchStatements()
    await store.query(books({ where: eq('pub-id', value), orderBy: byPrice, limit: 10 }))
    texts.add(statements.join('\n'))
    vi.restoreAllMocks()
  }
  expect(texts.size).toBe(1)
})

test('a tenant enters the indexes that begin with the tenant', async () => {
  const shared = newFile()
  const tenants = await openSqliteStore(shared, [{ name: 'books', partitionKey: [['_tenant'], ['id']], indexes: [{ type: 'book', orderBy: ['price'] }, { type: 'book', orderBy: ['genre'] }], tenanted: true }], { cacheBytes: 0 })
  await tenants.write(all.slice(0, 400).map((put, at) => ({ ...put, key: { partition: [`t${at % 2}`, put.key.id], id: put.key.id }, body: { ...put.body, _tenant: `t${at % 2}`, genre: `g${at % 100}` } })))
  const [page, plan] = await explained(async () => tenants.query(books({ tenant: 't1', where: eq('genre', 'g7'), orderBy: byPrice, limit: 10 })), new DatabaseSync(shared, { readOnly: true }))
  expect(idsOf(page)).toEqual(['b0007', 'b0107', 'b0207', 'b0307'])
  expect(plan[0]).toContain('books by type, ["_tenant"], ["genre"], id')
  await tenants.close()
})

/** The answer, and how SQLite explains the last statement that was run for it. */
async function explained<Answer>(work: () => Promise<Answer>, on = database): Promise<[Answer, string[]]> {
  const statements = watchStatements()
  const answer = await work()
  vi.restoreAllMocks()
  return [answer, on.prepare(`EXPLAIN QUERY PLAN ${statements.at(-1)!}`).all().map(({ detail }) => String(detail))]
}

function watchStatements(): string[] {
  const statements: string[] = []
  const run = Reflect.get(StatementSync.prototype, 'all') as (this: StatementSync, ...values: unknown[]) => ReturnType<StatementSync['all']>
  vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...values: unknown[]) {
    statements.push(this.sourceSQL)
    return run.apply(this, values)
  })
  return statements
}

function eq(property: string, value: Scalar): Condition {
  return { op: 'eq', path: [property], value }
}

function inside(property: string, values: readonly Scalar[]): Condition {
  return { op: 'in', path: [property], values }
}

function cmp(op: 'lt' | 'gte', property: string, value: Scalar): Condition {
  return { op, path: [property], value }
}

function and(...conditions: Condition[]): Condition {
  return { op: 'and', conditions }
}
