// The server for tests is one from npm, or the one that is installed.

import { expect, test } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts'
import { book, books, idsOf, layout } from '../conformance/shelf.ts'
import { installedPrograms, packagedPrograms, startPostgresServer, type Programs } from './server.ts'

test.for<[string, Programs | undefined]>([['from npm', packagedPrograms()], ['installed', installedPrograms()]])('a PostgreSQL server %s serves a store', async ([, programs], { skip }) => {
  skip(programs === undefined, 'Few machines have both.')
  const server = await startPostgresServer({ programs })
  const store = await openPostgresStore({ url: server.url, pool: 1 }, layout)
  await store.write([book('b1')])
  expect(idsOf(await store.query(books()))).toEqual(['b1'])
  await store.close()
  await server.close()
})
