// A PostgreSQL server for tests: one for all files of a run, which the first test that needs it starts and test/setup.ts ends; or, if
// POSTGRES_URL is set, one that runs already, with the rights of a superuser. Every store that is opened has its own schema, which is
// dropped when the store is closed, unless the server itself ends with the tests.

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts'
import type { PostgresSetting } from '../../../src/store/postgres/postgres-store.ts'
import type { ContainerLayout, Store } from '../../../src/store/store.ts'
import { startPostgresServer } from './server.ts'

/** Where the server of this run is; vitest.config.ts names it. */
const folder = process.env['POSTGRES_FOLDER']

let url: Promise<string> | undefined

/** The database of all tests. */
export function postgresUrl(): Promise<string> {
  url ??= process.env['POSTGRES_URL'] ? Promise.resolve(process.env['POSTGRES_URL']) : sharedServer(folder!)
  return url
}

/** The first to make the folder starts the server, and the others wait for its address. */
async function sharedServer(within: string): Promise<string> {
  const address = join(within, 'url')
  try {
    mkdirSync(within)
  } catch {
    while (!existsSync(address)) await pause(50)
    return readFileSync(address, 'utf8')
  }
  const server = await startPostgresServer({ folder: join(within, 'server') })
  server.process.unref()
  server.process.stderr!.destroy()
  writeFileSync(join(within, 'writing'), server.url)
  renameSync(join(within, 'writing'), address)
  return server.url
}

/** A setting for a schema that no other test uses, and what drops it. */
export async function newSchema(): Promise<{ readonly setting: PostgresSetting & { readonly schema: string }; readonly drop: () => Promise<void> }> {
  const setting = { url: await postgresUrl(), schema: `test-${randomUUID()}`, pool: 2 }
  return {
    setting,
    drop: async () => {
      // The server of this run ends with it.
      if (!process.env['POSTGRES_URL']) return
      const database = postgres(setting.url, { max: 1, onnotice: () => undefined })
      await database.unsafe(`DROP SCHEMA IF EXISTS "${setting.schema}" CASCADE`)
      await database.end()
    },
  }
}

/** An empty store that no other test uses. */
export async function openPostgresTestStore(layout: readonly ContainerLayout[]): Promise<Store> {
  const { setting, drop } = await newSchema()
  const store = await openPostgresStore(setting, layout)
  const close = store.close.bind(store)
  let closed = false
  store.close = async () => {
    await close()
    if (closed) return
    closed = true
    await drop()
  }
  return store
}
