// The change feed in PostgreSQL: a table with one entry per document, which every write of the document moves to the end of its part.
// Entries are written in the transaction of the document, and their sequences while no other gateway writes (write/write-queue.ts), so the
// order of sequences is the order of commits: nothing is ever committed before a point that a follower has reached.
//
// Bodies stay in their containers; only the entry of a deletion holds one, the last. A document that was written before its container was
// followed enters the feed with its next write.

import type { PostgresContainer } from '../open/prepare-layout.ts'
import { identifier, join, literal, raw, sql, textArray, type Sql } from './sql-fragment.ts'

export const feedTable = 'quire feed'
const stateTable = 'quire state'
const writersTable = 'quire writers'

/** `quire state` has one row: how far writes have come. `quire writers` has one row for each store that writes: the mark of its last transaction. */
export function feedDefinitions(schema: Sql): Sql[] {
  const [feed, state, writers] = [feedTable, stateTable, writersTable].map((name) => sql`${schema}.${identifier(name)}`) as [Sql, Sql, Sql]
  return [
    sql`CREATE TABLE ${writers} (writer text PRIMARY KEY, mark bigint NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
    sql`CREATE TABLE ${state} (one boolean PRIMARY KEY DEFAULT TRUE CHECK (one), sequence bigint NOT NULL, at bigint NOT NULL)`,
    sql`INSERT INTO ${state} (sequence, at) VALUES (0, 0)`,
    sql`CREATE TABLE ${feed} (container text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, part text COLLATE "C" NOT NULL, sequence bigint NOT NULL,
      at bigint NOT NULL, deleted boolean NOT NULL, body text, settled boolean NOT NULL, PRIMARY KEY (container, key))`,
    sql`CREATE INDEX ${identifier('quire feed by sequence')} ON ${feed} (part, sequence)`,
    sql`CREATE INDEX ${identifier('quire feed of deletions')} ON ${feed} (part, sequence) WHERE deleted`,
  ]
}

export interface FeedStatements {
  /** Row: sequence, the time of the newest entry, and the time now, in milliseconds. */
  readonly state: Sql
  readonly advance: (sequence: number, at: number) => Sql
  readonly mark: (writer: string, mark: number) => Sql
  /** Row: mark. */
  readonly markOf: (writer: string) => Sql
  readonly forgetWriters: Sql
  /** Rows: sequence, container, key, at, deleted, settled, body. */
  readonly changes: (part: string, behind: number, limit: number) => Sql
  readonly sweep: (part: string, upTo: number, limit: number) => Sql
  readonly put: (entries: readonly NewEntry[], at: number) => Sql
  /** Deletes documents, and enters them with their last bodies if they are followed. */
  readonly remove: (container: PostgresContainer, entries: readonly NewEntry[], at: number) => Sql
}

export interface NewEntry {
  readonly container: string
  readonly key: string
  readonly part: string
  readonly sequence: number
  /** The position of a settled write, up to which all changes have been handled. */
  readonly settled: number | undefined
}

export function feedStatements(schema: Sql, containers: Iterable<PostgresContainer>): FeedStatements {
  const [feed, state, writers] = [feedTable, stateTable, writersTable].map((name) => sql`${schema}.${identifier(name)}`) as [Sql, Sql, Sql]
  const lookups = [...containers].filter(({ inFeed }) => inFeed).map(({ name, table }) => sql`WHEN ${literal(name)} THEN coalesce(f.body, (SELECT d.body FROM ${table} AS d WHERE d.key = f.key))`)
  const body = lookups.length === 0 ? raw('NULL::text') : sql`CASE f.container ${join(lookups, ' ')} END`
  const changes = raw('part, sequence, at, deleted, body, settled')
  const excluded = raw('excluded.part, excluded.sequence, excluded.at, excluded.deleted, excluded.body')
  return {
    state: sql`SELECT sequence::float8, at::float8, (extract(epoch FROM clock_timestamp()) * 1000)::float8 FROM ${state}`,
    advance: (sequence, at) => sql`UPDATE ${state} SET sequence = ${sequence}::bigint, at = ${at}::bigint`,
    mark: (writer, mark) => sql`INSERT INTO ${writers} AS w (writer, mark) VALUES (${writer}, ${mark}::bigint) ON CONFLICT (writer) DO UPDATE SET mark = excluded.mark, at = now()`,
    markOf: (writer) => sql`SELECT mark::float8 FROM ${writers} WHERE writer = ${writer}`,
    forgetWriters: sql`DELETE FROM ${writers} WHERE at < now() - interval '7 days'`,
    // An entry without a body belongs to a document that was deleted while its container was not followed.
    changes: (part, behind, limit) => sql`SELECT * FROM (SELECT f.sequence::float8, f.container, f.key, f.at::float8, f.deleted, f.settled, ${body} AS body
      FROM ${feed} AS f WHERE f.part = ${part} AND f.sequence > ${behind}::bigint ORDER BY f.sequence) AS e WHERE e.body IS NOT NULL LIMIT ${limit}::int`,
    sweep: (part, upTo, limit) => sql`DELETE FROM ${feed} WHERE (container, key) IN (SELECT container, key FROM ${feed}
      WHERE deleted AND part = ${part} AND sequence <= ${upTo}::bigint ORDER BY sequence LIMIT ${limit}::int) RETURNING 1`,
    // The entry moves, because subscribers wait for the document, but a follower of a settled write has nothing to do if the previous entry had been handled.
    put: (entries, at) => sql`INSERT INTO ${feed} AS f (container, key, ${changes})
      SELECT n.container, n.key, n.part, n.sequence, ${at}::bigint, FALSE, NULL, FALSE FROM ${entriesTable(entries)}
      ON CONFLICT (container, key) DO UPDATE SET (${changes}) = ROW(${excluded}, ${settledOf(entries)})`,
    remove: ({ name, table, followed }, entries, at) => {
      const gone = sql`DELETE FROM ${table} AS d WHERE d.key = ANY (${textArray(entries.map(({ key }) => key))}::text[])`
      if (!followed) return gone
      return sql`WITH gone AS (${gone} RETURNING d.key, d.body)
        INSERT INTO ${feed} (container, key, ${changes})
        SELECT ${name}, n.key, n.part, n.sequence, ${at}::bigint, TRUE, gone.body, FALSE FROM gone JOIN ${entriesTable(entries)} ON n.key = gone.key
        ON CONFLICT (container, key) DO UPDATE SET (${changes}) = ROW(${excluded}, FALSE)`
    },
  }
}

function entriesTable(entries: readonly NewEntry[]): Sql {
  return sql`unnest(${textArray(entries.map(({ container }) => container))}::text[], ${textArray(entries.map(({ key }) => key))}::text[],
    ${textArray(entries.map(({ part }) => part))}::text[], ${textArray(entries.map(({ sequence }) => sequence))}::bigint[]) AS n(container, key, part, sequence)`
}

/** Entries of one statement are all settled up to the same position, or not settled. */
function settledOf([entry]: readonly NewEntry[]): Sql {
  return entry?.settled === undefined ? raw('FALSE') : sql`(f.settled OR f.sequence <= ${entry.settled}::bigint)`
}
