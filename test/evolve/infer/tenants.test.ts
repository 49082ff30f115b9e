// A store that tenants share: the tenant is no field and no part of the declared key, and the schema fits the documents of each.

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkAllTenants } from '../../../src/evolve/check/check-tenants.ts'
import { inferSchema } from '../../../src/evolve/infer/infer-schema.ts'
import { profileDatabase } from '../../../src/evolve/profile/profile-database.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { openExistingSqlite } from '../../../src/store/sqlite/existing/existing-sqlite.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { TenantStore } from '../../../src/store/tenants/tenant-store.ts'
import { documentWrites } from '../../harness.ts'
import { temporaryFolder } from './folders.ts'

const sdl = `
  type Guest @document(container: "guests") { id: ID! name: String! rooms: RoomConnection! @reverse(of: "Room.guest") }
  type Room @document(container: "rooms", partitionKey: "/roomId") { id: ID! guest: Guest! @reference(at: "guestId") }`

test('the tenant is no part of the guessed schema', async () => {
  const file = join(temporaryFolder(), 'shared.db')
  const declaration = readDeclaration(sdl, {}, true)
  const store = await openSqliteStore(file, declaration.layout)
  for (const tenant of ['north', 'south']) {
    const documents = { Guest: [{ id: `g-${tenant}`, name: tenant }], Room: [{ id: `r-${tenant}`, guestId: `g-${tenant}` }] }
    await new TenantStore(store, tenant).write(documentWrites(declaration.model, documents))
  }
  await store.close()
  const found = openExistingSqlite(file)
  onTestFinished(() => found.close())
  const guessed = inferSchema(await profileDatabase(found), []).sdl
  expect(guessed).not.toContain('tenant')
  expect(guessed).toContain('type Room @document(container: "rooms", partitionKey: "/roomId")')
  expect(guessed).toContain('guest: Guest! @reference(at: "guestId")')
  const again = readDeclaration(guessed, {}, true)
  const opened = await openSqliteStore(file, again.layout)
  onTestFinished(() => opened.close())
  const findings = []
  for await (const finding of checkAllTenants(again, opened, {})) findings.push(finding)
  expect(findings).toEqual([])
})
