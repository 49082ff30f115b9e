// Two tenants that share a store, and its migration to another schema: each tenant's documents become the new ones of that tenant.

import { expect } from 'vitest'
import { checkAllTenants } from '../../../src/evolve/check/check-tenants.ts'
import { applyMigration, finishMigration } from '../../../src/evolve/migrate/apply-migration.ts'
import { planMigration } from '../../../src/evolve/migrate/plan-migration.ts'
import { readRecord } from '../../../src/evolve/migrate/run/migration-record.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { readLocations } from '../../../src/store/migration/container-locations.ts'
import type { Store } from '../../../src/store/store.ts'
import { TenantStore } from '../../../src/store/tenants/tenant-store.ts'
import { writeAll } from '../../../src/store/write-all.ts'
import { fastClock } from '../../fast-clock.ts'
import { documentWrites, openGateway, type Ask, type stores } from '../../harness.ts'
import { byHeader, of } from '../../tenants/viewer-by-header.ts'
import { keptStore, noAnswers } from './migrating.ts'

export const old = `type Book @document(container: "books") { id: ID! title: String! year: Int authors: [Author!]! @snapshot(at: "authors", fields: ["name"]) }
  type Author @document(container: "authors") { id: ID! name: String! books: BookConnection! @reverse(of: "Book.authors") }`
const edited = `type Book @document(container: "books") { id: ID! title: String! year: String authors: AuthorConnection! @reverse(of: "Author.books") }
  type Author @document(container: "writers") { id: ID! name: String! books: [Book!]! @reference(at: "bookIds") }`

const documentsOf = (tenant: string, count: number) => ({
  Book: Array.from({ length: count }, (_, index) => ({ id: `b${index}`, title: `${tenant} ${index}`, year: 2000 + index, authors: [{ id: 'a0', name: tenant }] })),
  Author: [{ id: 'a0', name: tenant }],
})

const book = (tenant: string, index: number, title = `${tenant} ${index}`): unknown => ({ id: `b${index}`, title, year: String(2000 + index), authors: { nodes: [{ name: tenant }] } })

/** With a gateway that serves and writes meanwhile, if `online`. */
export async function tenantsMigrate({ name, store: open }: (typeof stores)[number], online: boolean): Promise<void> {
  const [store, clock] = [await keptStore(open, [old, edited], true), fastClock(name)]
  for (const [tenant, count] of [['acme', 3], ['zenith', 1]] as const) await writeAll(new TenantStore(store, tenant), documentWrites(readDeclaration(old).model, documentsOf(tenant, count)))
  const before = await gatewayOf(store, clock, old)
  if (!online) await before.close()
  let meanwhile: Promise<unknown> | undefined
  const declaration = readDeclaration(edited, {}, true)
  await applyMigration(declaration, store, await planMigration(declaration, store, noAnswers), noAnswers, {
    keep: () => {}, silenceMs: 0, clock, online,
    // Also a tenant that was not there when it began.
    onProgress: () => void (meanwhile ??= online ? Promise.all([
      before('mutation { updateBook(input: { id: "b0", title: "Changed" }) { book { id } } }', { headers: of('acme') }),
      before('mutation { createAuthor(input: { id: "a9", name: "New" }) { author { id } } }', { headers: of('novum') }),
    ]) : Promise.resolve()),
  })
  const changed = (await meanwhile) as { errors?: unknown }[] | undefined
  if (online) await before.close()
  const after = await gatewayOf(store, clock, edited)
  const shown = async (tenant: string): Promise<unknown> => (await after('{ books { nodes { id title year authors { nodes { name } } } } authors { nodes { id books { id } } } }', { headers: of(tenant) })).data
  expect(await shown('acme')).toEqual({ books: { nodes: [book('acme', 0, changed && !changed[0]!.errors ? 'Changed' : 'acme 0'), book('acme', 1), book('acme', 2)] }, authors: { nodes: [{ id: 'a0', books: [{ id: 'b0' }, { id: 'b1' }, { id: 'b2' }] }] } })
  expect(await shown('zenith')).toEqual({ books: { nodes: [book('zenith', 0)] }, authors: { nodes: [{ id: 'a0', books: [{ id: 'b0' }] }] } })
  expect(await shown('novum')).toEqual({ books: { nodes: [] }, authors: { nodes: changed && !changed[1]!.errors ? [{ id: 'a9', books: [] }] : [] } })
  await after.close()
  const placed = declaration.at(await readLocations(store))
  expect(await Array.fromAsync(checkAllTenants(placed, store))).toEqual([])
  await finishMigration(placed, store, { keep: () => {}, silenceMs: 0, clock })
  expect(await readRecord(store)).toBeUndefined()
  expect(await store.count({ container: 'authors' })).toBe(0)
}

export function gatewayOf(store: Store, clock: ReturnType<typeof fastClock>, typeDefs: string): Promise<Ask> {
  return openGateway({ typeDefs, store: () => Promise.resolve(store), tenants: true, identity: byHeader, clock })
}
