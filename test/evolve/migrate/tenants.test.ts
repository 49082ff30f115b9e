// Migrations of a store that tenants share, with and without gateways beside; on Cosmos, where waiting is real, beside gateways only in tenants.slow.test.ts.

import { describe, expect, test } from 'vitest'
import { MigrationRefusedError, applyMigration } from '../../../src/evolve/migrate/apply-migration.ts'
import { planMigration } from '../../../src/evolve/migrate/plan-migration.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { TenantStore } from '../../../src/store/tenants/tenant-store.ts'
import { writeAll } from '../../../src/store/write-all.ts'
import { fastClock } from '../../fast-clock.ts'
import { documentWrites, stores } from '../../harness.ts'
import { keptStore, noAnswers } from './migrating.ts'
import { gatewayOf, old, tenantsMigrate } from './tenants.ts'

describe.for(stores)('on $name', ({ name, store: open }) => {
  test('without gateways', async () => tenantsMigrate({ name, store: open }, false), 60_000)

  test('what does not fit in one tenant stops it for all', async () => {
    const store = await keptStore(open, [old], true)
    for (const [tenant, title] of [['acme', '7'], ['zenith', 'Seven']] as const) await writeAll(new TenantStore(store, tenant), documentWrites(readDeclaration(old).model, { Book: [{ id: 'b1', title, authors: [] }] }))
    await (await gatewayOf(store, fastClock(name), old)).close()
    const declaration = readDeclaration(old.replace('title: String!', 'title: Int!'), {}, true)
    await expect(applyMigration(declaration, store, await planMigration(declaration, store, noAnswers), noAnswers, { keep: () => {}, silenceMs: 0 })).rejects.toThrow(MigrationRefusedError)
    expect((await new TenantStore(store, 'acme').query({ container: 'books', orderBy: { path: ['id'], descending: false }, limit: 10 })).map(({ body }) => body['title'])).toEqual(['7'])
  })
})

test.each(stores.filter(({ name }) => name !== 'cosmos'))('on $name, beside a gateway', async (store) => tenantsMigrate(store, true), 60_000)
