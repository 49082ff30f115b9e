// Creates the missing schema, functions, tables and indexes of a layout. Indexes of tables that exist already are built while others read
// and write. If nothing is missing, nothing is created, so the role of a gateway needs no right to create.

import { hash } from 'node:crypto'
import { isId, type Path } from '../../query.ts'
import { SetupError } from '../../store-errors.ts'
import type { ContainerLayout, IndexLayout } from '../../store.ts'
import { checkTenanted, tenantPath } from '../../tenants/check-tenanted.ts'
import { sortKeyAt } from '../sql/conditions-sql.ts'
import { feedDefinitions, feedTable } from '../sql/feed-sql.ts'
import { functionDefinitions, keysAt, type SqlContext } from '../sql/functions-sql.ts'
import { identifier, join, literal, raw, sql, type Sql } from '../sql/sql-fragment.ts'
import type { Run } from '../request/connection.ts'
import { readSchema, type ExistingSchema } from './existing-schema.ts'

export interface PostgresContainer {
  readonly name: string
  readonly table: Sql
  readonly context: SqlContext
  /** Whether writes of its documents enter the feed. */
  readonly followed: boolean
  /** Whether the feed may have entries of it: it is followed, or was by a gateway in another effects mode. */
  readonly inFeed: boolean
}

export interface LayoutPlan {
  readonly schema: string
  readonly layout: readonly ContainerLayout[]
  readonly context: SqlContext
  /** Whether a schema may be made into a store. */
  readonly create: boolean
}

/** Call it while no other gateway prepares the same schema. */
export async function prepareLayout(run: Run, { schema, layout, context, create }: LayoutPlan): Promise<Map<string, PostgresContainer>> {
  const found = await readSchema(run, schema)
  if (!create && !found.tables.has(feedTable)) throw new SetupError(`The PostgreSQL database has no store in the schema "${schema}". Name the one you mean with --store or QUIRE_STORE, or make this one with "quire start".`)
  const containers = layout.map((each) => prepared(each, found, context))
  const created = [
    ...(found.exists ? [] : [sql`CREATE SCHEMA ${context.schema}`]),
    ...functionDefinitions(context.schema).filter(({ name }) => !found.functions.has(name)).map(({ definition }) => definition),
    ...(found.tables.has(feedTable) ? [] : feedDefinitions(context.schema)),
    ...containers.flatMap(({ created: some }) => some),
  ]
  // Sent together, they are one transaction: either all of them are there afterwards, or none.
  if (created.length > 0) await run(join(created, ';\n'))
  for (const { built } of containers) for (const statement of built) await run(statement)
  return new Map(containers.map(({ container }) => [container.name, container]))
}

interface Prepared {
  readonly container: PostgresContainer
  /** What creates the table with its indexes, if it is missing. */
  readonly created: readonly Sql[]
  /** What builds the missing indexes of a table that exists. Each waits for all older transactions, and is a transaction of its own. */
  readonly built: readonly Sql[]
}

function prepared(layout: ContainerLayout, found: ExistingSchema, context: SqlContext): Prepared {
  const { name, followed = false, tenanted = false } = layout
  const tableName = shortName(name)
  const table = sql`${context.schema}.${identifier(tableName)}`
  const container = { name, table, context, followed: followed === true, inFeed: followed !== false }
  const indexes = indexesOf(tableName, layout, context)
  const comment = found.tables.get(tableName)
  if (comment === undefined) return { container, created: [...tableDefinitions(table, tenanted), ...indexes.map((index) => sql`CREATE INDEX ${identifier(index.name)} ON ${table} ${index.on}`)], built: [] }
  checkTenanted(name, comment === tenantedComment, tenanted)
  const missing = indexes.filter((index) => found.indexes.get(index.name) !== 'valid')
  const built = missing.flatMap((index) => [
    // A build that was interrupted leaves an index that is written and never read.
    ...(found.indexes.has(index.name) ? [sql`DROP INDEX CONCURRENTLY ${context.schema}.${identifier(index.name)}`] : []),
    sql`CREATE INDEX CONCURRENTLY ${identifier(index.name)} ON ${table} ${index.on}`,
  ])
  // The planner knows nothing of the values of an expression until it has looked at them.
  return { container, created: [], built: built.length > 0 ? [...built, sql`ANALYZE ${table}`] : [] }
}

const tenantedComment = 'Documents of Quire, of several tenants'

/** `body` is the document, text for text; `json` is what indexes and conditions read. Ids and texts are in the order of their bytes. */
function tableDefinitions(table: Sql, tenanted: boolean): Sql[] {
  return [
    sql`CREATE TABLE ${table} (key text COLLATE "C" PRIMARY KEY, partition text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, type text COLLATE "C",
      etag text NOT NULL, bytes integer NOT NULL, body text NOT NULL, json jsonb GENERATED ALWAYS AS (body::jsonb) STORED)`,
    sql`COMMENT ON TABLE ${table} IS ${literal(tenanted ? tenantedComment : 'Documents of Quire')}`,
  ]
}

interface Index {
  readonly name: string
  /** What follows the name of the table. */
  readonly on: Sql
}

function indexesOf(table: string, { indexes, untyped = false, tenanted = false }: ContainerLayout, context: SqlContext): Index[] {
  const tenant = tenanted ? [indexedKey(context, tenantPath)] : []
  const index = (columns: readonly Sql[]): Index => named(table, sql`(${join(columns, ', ')})`)
  const [id, type, partition] = [raw('id'), raw('type'), raw('partition')]
  const own = [
    index([...tenant, id]),
    // A partition belongs to one tenant, so its index need not begin with the tenant.
    index([partition, id]),
    ...(untyped ? [] : [index([...tenant, type, id]), index([partition, type, id])]),
  ]
  const ofValues = indexes.map(({ type: ofType, equals, orderBy, thenBy = [] }: IndexLayout): Index => {
    if (equals?.includes('*')) return named(table, sql`USING gin ((${inIndex(keysAt(context, raw('d.json'), equals))}))`)
    const paths = [equals, orderBy].filter((path) => path !== undefined).filter((path) => !isId(path))
    const further = thenBy.map(({ path, isOpposite }) => sql`${isId(path) ? id : indexedKey(context, path)}${raw(isOpposite ? ' DESC' : '')}`)
    return index([...tenant, ...(ofType === undefined ? [] : [type]), ...paths.map((path) => indexedKey(context, path)), ...further, id])
  })
  return [...new Map([...own, ...ofValues].map((each) => [each.name, each])).values()]
}

function indexedKey(context: SqlContext, path: Path): Sql {
  return inIndex(sortKeyAt(context, path))
}

/** An index has one table, which needs no name. */
function inIndex({ text }: Sql): Sql {
  return raw(text.replace('(d.json', '(json'))
}

/** The name tells what the index is of, so a layout finds its own. */
function named(table: string, on: Sql): Index {
  return { name: `${clipped(table, 40)} ${hash('sha256', on.text).slice(0, 16)}`, on }
}

/** PostgreSQL would cut off the end of a long name without a word. */
export function shortName(name: string): string {
  return Buffer.byteLength(name) <= 63 ? name : `${clipped(name, 46)} ${hash('sha256', name).slice(0, 16)}`
}

function clipped(name: string, bytes: number): string {
  let clip = name.slice(0, bytes)
  while (Buffer.byteLength(clip) > bytes || !clip.isWellFormed()) clip = clip.slice(0, -1)
  return clip
}
