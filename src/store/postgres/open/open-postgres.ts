// Opens a schema of a PostgreSQL database: checks the server, prepares the layout, and connects.

import { hash, randomUUID } from 'node:crypto'
import type { Clock } from '../../../clock.ts'
import { SetupError } from '../../store-errors.ts'
import type { ContainerLayout } from '../../store.ts'
import { Connections, openDatabase, type ConnectionOptions, type Run } from '../request/connection.ts'
import { setupError } from '../request/errors.ts'
import { feedStatements, type FeedStatements } from '../sql/feed-sql.ts'
import type { SqlContext } from '../sql/functions-sql.ts'
import { identifier, numbered, raw, sql } from '../sql/sql-fragment.ts'
import { WriteQueue } from '../write/write-queue.ts'
import { prepareLayout, type PostgresContainer } from './prepare-layout.ts'

/**
 * Which database and schema hold the documents, and how a gateway connects to them.
 *
 * @example
 * ```ts
 * const setting: PostgresSetting = { url: 'postgres://quire:secret@db.example.com/articles', schema: 'quire', pool: 10 }
 * ```
 */
export interface PostgresSetting {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the parameters of the driver, such as `?sslmode=verify-full`. */
  readonly url: string
  /** The schema that holds the tables; `quire` by default. It is created if it is missing. */
  readonly schema?: string
  /** The most connections for reads; 10 by default. One more writes. */
  readonly pool?: number
  /** False behind a pooler that gives each transaction another connection. */
  readonly prepare?: boolean
  /** False to open only a schema that Quire has created before. */
  readonly create?: boolean
  /** The time, timers and chance that the store goes by. @internal */
  readonly clock?: Clock
}

export interface OpenPostgres {
  readonly connections: Connections
  readonly containers: ReadonlyMap<string, PostgresContainer>
  readonly feed: FeedStatements
  readonly writes: WriteQueue
  /** The lock of plans within this process. */
  readonly lock: string
}

export const defaultSchema = 'quire'

export async function openPostgres({ url, schema = defaultSchema, pool = 10, prepare = true, create = true, clock }: PostgresSetting, layout: readonly ContainerLayout[]): Promise<OpenPostgres> {
  const options: ConnectionOptions = { url, pool, prepares: prepare, ...(clock ? { clock } : {}) }
  const containers = await prepareAlone(options, schema, layout, create)
  const connections = new Connections(options)
  const feed = feedStatements(identifier(schema), containers.values())
  const lock = `postgres ${connections.name} ${schema}`
  const parts = { feed, lockKey: writeLockKey(schema), writer: randomUUID() }
  return { connections, containers, feed, lock, writes: new WriteQueue(connections, parts, lock) }
}

/** Prepares the layout while no other gateway prepares the same schema, on a connection that may take its time. */
async function prepareAlone(options: ConnectionOptions, schema: string, layout: readonly ContainerLayout[], create: boolean): Promise<Map<string, PostgresContainer>> {
  const database = openDatabase({ ...options, prepares: false }, 1, { statement_timeout: 0 })
  const run: Run = (statement) => database.unsafe(numbered(statement), statement.values as never[]).values()
  try {
    checkAttribute(database.options.target_session_attrs)
    const context = await checkServer(run, schema)
    const key = lockKeyOf(`quire layout ${schema}`)
    // Asked again and again rather than waited for: building an index waits for all that wait.
    while ((await run(sql`SELECT pg_try_advisory_lock(${key}::bigint)`))[0]![0] !== true) await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 100))
    return await prepareLayout(run, { schema, layout, context, create })
  } catch (error) {
    throw setupError(error)
  } finally {
    // Ending the session releases the lock.
    await database.end({ timeout: 5 })
  }
}

/** The driver would look for such a server for ever, or find one that takes no writes. */
function checkAttribute(attribute: string | undefined): void {
  if (attribute && attribute !== 'read-write' && attribute !== 'primary') throw new SetupError(`The parameter target_session_attrs of the PostgreSQL store is "${attribute}", but Quire writes. Use read-write or primary.`)
}

/** PostgreSQL 15 and later; before 18, only with ICU. */
async function checkServer(run: Run, schema: string): Promise<SqlContext> {
  const [[encoding, version] = []] = await run(raw(`SELECT pg_encoding_to_char(encoding), current_setting('server_version_num')::int FROM pg_database WHERE datname = current_database()`))
  if (encoding !== 'UTF8') throw new SetupError(`The encoding of the PostgreSQL database is ${String(encoding)}. Use a database whose encoding is UTF8.`)
  if (Number(version) < 150_000) throw new SetupError(`The PostgreSQL server has version ${Math.floor(Number(version) / 10_000)}. Use version 15 or later.`)
  const collations = await run(raw(`SELECT collname::text FROM pg_collation WHERE collname IN ('pg_unicode_fast', 'und-x-icu') ORDER BY collname`))
  const [[collation] = []] = collations
  if (collation === undefined) throw new SetupError('The PostgreSQL server has no Unicode collation. Use version 18 or later, or a server that was built with ICU.')
  return { schema: identifier(schema), caseCollation: sql`pg_catalog.${identifier(String(collation))}` }
}

/** The lock that all writers of a schema share. */
export function writeLockKey(schema: string): string {
  return lockKeyOf(`quire writes ${schema}`)
}

/** Locks are named by numbers of 64 bits. */
function lockKeyOf(name: string): string {
  return hash('sha256', name, 'buffer').readBigInt64BE().toString()
}
