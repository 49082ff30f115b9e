// Tenancy in stores: queries use indexes that begin with the tenant, and a container is opened only the way it
// was created.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { openCosmosStore } from '../../src/store/cosmos/cosmos-store.ts'
import { indexingPolicy } from '../../src/store/cosmos/open/prepare-container.ts'
import { Memory, openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Path, Query } from '../../src/store/query.ts'
import { prepareLayout } from '../../src/store/sqlite/prepare-layout.ts'
import { countSql, queryEachSql, querySql } from '../../src/store/sqlite/sql/read-sql.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { SetupError } from '../../src/store/store-errors.ts'
import { tenantedLayout } from '../../src/store/tenants/tenant-layout.ts'
import { localServer } from '../store/cosmos/local.ts'
import { problemsOf } from '../model/problems-of.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-tenants-'))
afterAll(() => rmSync(folder, { recursive: true }))

const typeDefs = 'type Post @document(container: "posts") { id: ID!  name: String! @indexed }'

describe('SQLite finds the documents of a tenant', () => {
  const layout = tenantedLayout([{
    name: 'posts', partitionKey: [['id']], indexes: [
      { type: 'post', orderBy: ['name'] }, { type: 'post', equals: ['by'], orderBy: ['name'] }, { type: 'post', equals: ['tags', '*'], orderBy: ['name'] },
    ],
  }])
  const database = new DatabaseSync(':memory:')
  const container = prepareLayout(database, layout).get('posts')!
  const plan = ({ text, values }: ReturnType<typeof querySql>): string => database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values).map(({ detail }) => String(detail)).join('\n')
  const whose = 'rank of ["_tenant"]=? AND value of ["_tenant"]=?'

  test.each<[string, ReturnType<typeof querySql>, string]>([
    ['by id', querySql(container, page(['id'])), `(${whose} AND type=? AND id>?)`],
    ['in an order', querySql(container, page(['name'])), `(type=? AND ${whose} AND (rank of ["name"],value of ["name"],id)>(?,?,?))`],
    ['by a property', queryEachSql(container, page(['name']), ['by'], ['w1', 'w2']), `(type=? AND ${whose} AND rank of ["by"]=? AND value of ["by"]=? AND (rank of ["name"],value of ["name"],id)>(?,?,?))`],
    ['by a value in a list', queryEachSql(container, page(['name']), ['tags', '*'], ['t1', 't2']), 'SEARCH s USING PRIMARY KEY (tenant=? AND rank=? AND value=? AND (order_rank,order_value,id)>(?,?,?))'],
    ['to count it', countSql(container, { container: 'posts', type: 'post', tenant: 'a' }), `(type=? AND ${whose})`],
  ])('%s, without looking at those of others', (_, asked, index) => {
    const found = plan(asked)
    expect(found).toContain(index)
    expect(found).not.toContain('SCAN d')
    expect(found).not.toContain('TEMP B-TREE')
  })

  test('in the order of tenants, for all of them', () => {
    const found = plan(querySql(container, { container: 'posts', where: { op: 'gt', path: ['_tenant'], value: 'a' }, orderBy: { path: ['_tenant'], descending: false, required: true }, limit: 1 }))
    expect(found).toContain('SEARCH d USING INDEX posts by id')
    expect(found).not.toContain('TEMP B-TREE')
  })
})

test('Cosmos DB is told to index the order of tenants', () => {
  const [container] = tenantedLayout([{ name: 'posts', partitionKey: [['id']], indexes: [] }])
  const { includedPaths, compositeIndexes } = indexingPolicy(container!)
  expect(includedPaths).toContainEqual({ path: '/_tenant/?' })
  expect(compositeIndexes).toEqual([[{ path: '/_tenant', order: 'ascending' }, { path: '/id', order: 'ascending' }]])
})

describe('a store that was created the other way is refused', () => {
  const places: readonly [string, () => GatewayOptions['store']][] = [
    ['memory', () => {
      const kept = new Memory()
      return (layout) => openMemoryStore(layout, kept)
    }],
    ['sqlite', () => {
      const file = join(folder, `${Math.random()}.db`)
      return (layout) => openSqliteStore(file, layout)
    }],
    ['cosmos', () => {
      const database = `quire-test-${Math.random()}`
      return async (layout) => openCosmosStore({ database, create: true, ...(await localServer(1)) }, layout)
    }],
  ]
  const messages = {
    on: 'The container "posts" was created without tenants, and tenancy is on. Use a new store and import each tenant\'s documents into it, or turn tenancy off (omit QUIRE_TENANTS).',
    off: 'The container "posts" was created for tenants, and tenancy is off. Turn it on (QUIRE_TENANTS), or use another store.',
  }

  test.each(places)('on %s', async (_, place) => {
    for (const tenants of [true, false]) {
      const store = place()
      const first = await createGateway({ typeDefs, store, tenants: !tenants })
      await first.dispose()
      await expect(createGateway({ typeDefs, store, tenants })).rejects.toThrow(new SetupError(tenants ? messages.on : messages.off))
      // The refused opening has changed nothing: the store is served as before.
      const again = await createGateway({ typeDefs, store, tenants: !tenants })
      await again.dispose()
    }
  })
})

describe('a schema that does not allow tenants is refused', () => {
  test('if a partition key has too many levels', () => {
    expect(problems('type Post @document(container: "posts", partitionKey: ["/a", "/b", "/id"]) { id: ID!  a: String!  b: String! }')).toEqual([
      'Post: the partition key has 3 paths (/a, /b, /id). Tenancy adds one, and the maximum is 3. Use at most 2, or turn tenancy off.',
    ])
  })

  test('if a type has a property of that name', () => {
    expect(problems('type Post @document(container: "posts") { id: ID!  whose: String! @stored(at: "_tenant") }')).toEqual([
      'Post: the property _tenant is reserved for the tenant, since tenancy is on. Use another property.',
    ])
  })

  test('and is served without tenants', () => {
    expect(() => readDeclaration('type Post @document(container: "posts", partitionKey: ["/a", "/b", "/id"]) { id: ID!  a: String!  b: String! }')).not.toThrow()
  })
})

function page(orderBy: Path): Query {
  return { container: 'posts', type: 'post', tenant: 'a', orderBy: { path: orderBy, descending: false }, after: { value: 'm', id: 'p1' }, limit: 10 }
}

function problems(sdl: string): readonly string[] {
  return problemsOf(sdl, {}, undefined, true)
}
