// 64 clients increment one number 1,000 times each: 64,000, no more and no less. Fewer times where each is written to a disk or sent to a server; QUIRE_INCREMENTS=1000 makes it as many there.

import { expect, test } from 'vitest'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { openCosmosTestStore } from '../store/cosmos/local.ts'
import { openPostgresTestStore } from '../store/postgres/local.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { openStockRoom } from './stock-room.ts'

const clients = 64

test.each<[string, number, GatewayOptions['store']]>([
  ['memory', 1000, openMemoryStore],
  ['sqlite', Number(process.env['QUIRE_INCREMENTS'] ?? 300), (layout) => openSqliteStore(':memory:', layout)],
  ['postgres', Number(process.env['QUIRE_INCREMENTS'] ?? 100), openPostgresTestStore],
  ['cosmos', Number(process.env['QUIRE_INCREMENTS'] ?? 20), (layout) => openCosmosTestStore(layout, 1)],
])('on %s, %i for each client', { timeout: 3_600_000 }, async (_, times, store) => {
  const room = await openStockRoom(store, { settles: false, propagates: false })
  const failed: unknown[] = []
  await Promise.all(Array.from({ length: clients }, async () => {
    for (let time = 0; time < times; time++) {
      const { errors } = await room.ask('mutation { updateItem(input: { id: "i1", increment: { stock: 1 } }) { item { stock } } }', { headers: { 'quire-trace': '0' } })
      if (errors) failed.push(errors)
    }
  }))
  expect(failed).toEqual([])
  expect(await room.bodies('items')).toMatchObject({ i1: { 'in-stock': 10 + clients * times } })
  await room.ask.close()
})
