// The tables and indexes of the PostgreSQL store: what is created, what queries use, and what other programs may do beside it.

import postgres from 'postgres'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore, type PostgresSetting } from '../../../src/store/postgres/postgres-store.ts'
import { readSchema } from '../../../src/store/postgres/open/existing-schema.ts'
import { prepareLayout } from '../../../src/store/postgres/open/prepare-layout.ts'
import { Connections } from '../../../src/store/postgres/request/connection.ts'
import { countSql, queryEachSql, querySql } from '../../../src/store/postgres/sql/read-sql.ts'
import { identifier, numbered, raw, type Sql } from '../../../src/store/postgres/sql/sql-fragment.ts'
import { SetupError, TooLargeError } from '../../../src/store/store-errors.ts'
import type { ContainerLayout, Store } from '../../../src/store/store.ts'
import { book, books, idsOf, layout } from '../conformance/shelf.ts'
import { newSchema } from './local.ts'

describe('postgres', () => {
  let setting: PostgresSetting & { readonly schema: string }
  let sql: postgres.Sql
  const run = async (statement: Sql) => sql.unsafe(numbered(statement), statement.values as never[]).values()

  beforeEach(async () => {
    const made = await newSchema()
    setting = made.setting
    sql = postgres(setting.url, { max: 1, onnotice: () => undefined })
    return async () => {
      await sql.end()
      await made.drop()
    }
  })

  async function open(containers: readonly ContainerLayout[], more: Partial<PostgresSetting> = {}): Promise<Store> {
    const store = await openPostgresStore({ ...setting, ...more }, containers)
    onTestFinished(() => store.close())
    return store
  }

  test.each<[string, (containers: Awaited<ReturnType<typeof prepareLayout>>) => Sql]>([
    ['a page deep in an order', (all) => querySql(all.get('books')!, books({ orderBy: { path: ['name'], descending: false }, after: { value: 'm', id: 'b1' }, limit: 20 }))],
    ['a page backwards', (all) => querySql(all.get('books')!, books({ orderBy: { path: ['name'], descending: true }, after: { value: 'm', id: 'b1' }, limit: 20 }))],
    ['a page by id', (all) => querySql(all.get('books')!, books({ after: { value: 'b1', id: 'b1' }, limit: 20 }))],
    ['an equality, in an order', (all) => querySql(all.get('books')!, books({ where: { op: 'eq', path: ['pub-id'], value: 'p1' }, orderBy: { path: ['name'], descending: false }, limit: 20 }))],
    ['lists of several parents', (all) => queryEachSql(all.get('books')!, books({ orderBy: { path: ['name'], descending: false }, limit: 5 }), ['pub-id'], ['p1', 'p2'])],
  ])('%s is read from an index in its order, without sorting', async (_, statementFor) => {
    await open(layout)
    const containers = await prepareLayout(run, { schema: setting.schema, layout, context: { schema: identifier(setting.schema), caseCollation: raw('"C"') }, create: false })
    await sql`SET enable_seqscan = off`
    const statement = statementFor(containers)
    const plan = JSON.stringify(await sql.unsafe(`EXPLAIN (FORMAT JSON) ${numbered(statement)}`, statement.values as never[]))
    expect(plan).toContain('Index Scan')
    expect(plan).not.toContain('"Sort"')
    expect(plan).not.toContain('"Seq Scan"')
  })

  test('the values of lists are found in an index', async () => {
    await open(layout)
    const containers = await prepareLayout(run, { schema: setting.schema, layout, context: { schema: identifier(setting.schema), caseCollation: raw('"C"') }, create: false })
    await sql`SET enable_seqscan = off`
    const statement = countSql(containers.get('things')!, { container: 'things', where: { op: 'eq', path: ['items', '*', 'it-id'], value: 'x' } })
    expect(JSON.stringify(await sql.unsafe(`EXPLAIN (FORMAT JSON) ${numbered(statement)}`, statement.values as never[]))).toContain('Bitmap Index Scan')
  })

  test('opening a store again creates nothing, and a new index is built for the documents that are there', async () => {
    const [first] = layout as [ContainerLayout]
    const store = await open([{ ...first, indexes: [] }])
    await store.write([book('b1', { name: 'b' }), book('b2', { name: 'a' })])
    const before = await readSchema(run, setting.schema)
    await open([{ ...first, indexes: [] }])
    expect((await readSchema(run, setting.schema)).indexes).toEqual(before.indexes)
    const wider = await open([first])
    expect((await readSchema(run, setting.schema)).indexes.size).toBeGreaterThan(before.indexes.size)
    // The gateway that does not know of the index keeps it right.
    await store.write([book('b3', { name: 'aa' })])
    expect(idsOf(await wider.query(books({ orderBy: { path: ['name'], descending: false } })))).toEqual(['b2', 'b3', 'b1'])
  })

  test('others read and write while an index is built', async () => {
    const [first] = layout as [ContainerLayout]
    const store = await open([{ ...first, indexes: [] }])
    await store.write([book('b1', { name: 'b' })])
    // The build waits for those that could write before it began.
    const older = postgres(setting.url, { max: 1 })
    onTestFinished(() => older.end())
    await older.unsafe(`BEGIN; LOCK TABLE "${setting.schema}".books IN ROW EXCLUSIVE MODE`)
    const opening = open([first])
    await expect.poll(async () => (await sql`SELECT phase FROM pg_stat_progress_create_index WHERE relid = ${`"${setting.schema}".books`}::regclass`.values()).flat()).toEqual(['waiting for writers before build'])
    await store.write([book('b2', { name: 'a' }), book('b1', { name: 'c' })])
    expect(idsOf(await store.query(books({ orderBy: { path: ['name'], descending: false } })))).toEqual(['b2', 'b1'])
    await older.unsafe('COMMIT')
    const wider = await opening
    expect(idsOf(await wider.query(books({ orderBy: { path: ['name'], descending: false } })))).toEqual(['b2', 'b1'])
    expect([...(await readSchema(run, setting.schema)).indexes.values()]).not.toContain('invalid')
  })

  test('an index whose build was interrupted is built again', async () => {
    await open(layout)
    const name = [...(await readSchema(run, setting.schema)).indexes.keys()].find((each) => each.startsWith('books '))
    await sql`UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = ${`"${setting.schema}"."${name}"`}::regclass`
    await open(layout)
    expect((await readSchema(run, setting.schema)).indexes.get(name!)).toBe('valid')
  })

  test('a role without the right to create serves a schema that another has prepared', async () => {
    await open(layout)
    const role = `reader_${setting.schema.replaceAll('-', '_')}`
    await sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'; GRANT USAGE ON SCHEMA "${setting.schema}" TO ${role}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${setting.schema}" TO ${role}`)
    const url = new URL(setting.url)
    url.username = url.password = role
    const store = await open(layout, { url: String(url) })
    await store.write([book('b1')])
    expect(idsOf(await store.query(books()))).toEqual(['b1'])
    await expect(openPostgresStore({ ...setting, url: String(url) }, [...layout, { name: 'more', partitionKey: [['id']], indexes: [] }])).rejects.toBeInstanceOf(SetupError)
    await store.close()
    await sql.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  })

  test.each([[undefined, 'on'], ['primary', 'on'], ['read-write', 'off']])('a server that takes writes serves with target_session_attrs=%s, and is asked to refuse them from reads: %s', async (attribute, isAsked) => {
    const url = addressWith(attribute)
    const store = await open(layout, { url })
    await store.write([book('b1')])
    expect(idsOf(await store.query(books()))).toEqual(['b1'])
    const connections = new Connections({ url, pool: 1, prepares: true })
    onTestFinished(() => connections.close())
    expect(await connections.read(raw('SHOW transaction_read_only'))).toEqual([[isAsked]])
  })

  test.each(['read-only', 'standby', 'prefer-standby'])('servers that take no writes are refused: target_session_attrs=%s', (attribute) =>
    expect(open(layout, { url: addressWith(attribute) })).rejects.toThrow(`The parameter target_session_attrs of the PostgreSQL store is "${attribute}", but Quire writes. Use read-write or primary.`))

  function addressWith(attribute: string | undefined): string {
    const url = new URL(setting.url)
    if (attribute !== undefined) url.searchParams.set('target_session_attrs', attribute)
    return String(url)
  }

  test('a schema without a store is refused where nothing may be created', () =>
    expect(open(layout, { create: false })).rejects.toBeInstanceOf(SetupError))

  test('long texts are found, compared and paged, and a key that no index can hold is refused', async () => {
    const store = await open(layout)
    const long = 'x'.repeat(5000)
    await store.write([book('b1', { name: `${long}a` }), book('b2', { name: `${long}b` }), book('b3', { name: 'x' })])
    const found = async (op: 'eq' | 'lt' | 'gte' | 'startsWith', value: string) => idsOf(await store.query(books({ where: { op, path: ['name'], value } })))
    expect(await found('eq', `${long}b`)).toEqual(['b2'])
    expect(await found('lt', `${long}b`)).toEqual(['b1', 'b3'])
    expect(await found('gte', `${long}b`)).toEqual(['b2'])
    expect(await found('startsWith', `${long}a`)).toEqual(['b1'])
    expect(await found('startsWith', 'xx')).toEqual(['b1', 'b2'])
    const first = await store.query(books({ orderBy: { path: ['name'], descending: false }, limit: 2 }))
    const rest = await store.query(books({ orderBy: { path: ['name'], descending: false }, after: { value: first[1]!.body['name'] as string, id: first[1]!.key.id } }))
    expect(new Set(idsOf([...first, ...rest]))).toEqual(new Set(['b1', 'b2', 'b3']))
    await expect(store.write([book('y'.repeat(2000))])).rejects.toBeInstanceOf(TooLargeError)
  })

  test('texts that PostgreSQL cannot hold come back as they were', async () => {
    const store = await open(layout)
    const texts = ['\0', '\u0001', '\u0001\ufdd0', '\ud7ff', '\ud800', '\udfff!', String.raw`\u0000`, String.raw`\\u0001`, '\ud7ff\ufdd1\u4e00', 'a\0\u0001b']
    await store.write(texts.map((text, at) => book(`b${at}${text}`, { name: text, [text]: [text] })))
    const found = await store.query(books({ orderBy: { path: ['name'], descending: false } }))
    expect(found.map(({ body, key }) => [body['name'], key.id.slice(2), body[body['name'] as string]])).toEqual(found.map(({ body }) => [body['name'], body['name'], [body['name']]]))
    expect(new Set(found.map(({ body }) => body['name']))).toEqual(new Set(texts))
    for (const value of texts) expect((await store.query(books({ where: { op: 'eq', path: ['name'], value } }))).map(({ body }) => body['name'])).toEqual([value])
  })
})
