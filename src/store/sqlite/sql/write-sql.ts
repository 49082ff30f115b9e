// The statements that write one document, made once for each container. An index is rewritten whenever
// one of its columns is mentioned, and pages of indexes are most of what a commit writes: so a document
// that changes has only those columns set that differ.

import { join, raw, sql, type Sql } from './sql-fragment.ts'
import type { SqliteContainer } from '../layout.ts'
import type { ListIndex } from '../indexes/list-index.ts'
import { placeNames } from '../indexes/sort-key-columns.ts'
import { columns, placeAt } from '../indexes/sort-key.ts'

export interface WriteStatements {
  /** Values: rank and value of each place, key. Row: row, etag, bytes, type, and for each place whether it is the same. */
  readonly find: string
  /** Values: row. */
  readonly body: string
  /** Values: key, partition, id, type, etag, bytes, body, rank and value of each place. */
  readonly insert: string
  /** The same without the places, which SQLite works out. */
  readonly insertJson: string
  /** Values: etag, bytes, body, then the type if it is another one, rank and value of each of these places; key, and the etag and type that it has. */
  readonly update: (retyped: boolean, places: readonly number[]) => string
  /** Values: row. */
  readonly remove: string
  readonly lists: readonly ListStatements[]
}

export interface ListStatements {
  readonly list: ListIndex
  /** Values of both: the tenant where there are any, rank, value, rank and value of the order, id, row. */
  readonly add: string
  readonly drop: string
}

export function writeStatements({ table, places, lists }: SqliteContainer): WriteStatements {
  const ofPlaces = (part: (path: SqliteContainer['places'][number]) => Sql): Sql => join(places.map((path) => sql`, ${part(path)}`), '')
  const updates = new Map<string, string>()
  return {
    find: sql`SELECT row, etag, bytes, type${ofPlaces((path) => sql`(${placeNames(path)}) IS (${raw('?, ?')})`)} FROM ${table} WHERE key = ${raw('?')}`.text,
    body: sql`SELECT body FROM ${table} WHERE row = ${raw('?')}`.text,
    insert: sql`INSERT INTO ${table} (key, partition, id, type, etag, bytes, body${ofPlaces(placeNames)})
      VALUES (${raw('?, ?, ?, ?, ?, ?, ?')}${ofPlaces(() => raw('?, ?'))})`.text,
    insertJson: sql`INSERT INTO ${table} (key, partition, id, type, etag, bytes, body${ofPlaces(placeNames)})
      SELECT ${raw('?, ?, ?, ?, ?, ?')}, n.body${ofPlaces((path) => columns(placeAt(raw('n.body'), path)))} FROM (SELECT ${raw('?')} AS body) AS n`.text,
    update(retyped, changed) {
      const name = `${retyped} ${changed.join(' ')}`
      let text = updates.get(name)
      if (text === undefined) updates.set(name, (text = updateSql(table, retyped, changed.map((at) => placeNames(places[at]!))).text))
      return text
    },
    remove: sql`DELETE FROM ${table} WHERE row = ${raw('?')}`.text,
    lists: lists.map(listStatements),
  }
}

function updateSql(table: Sql, retyped: boolean, places: readonly Sql[]): Sql {
  const set = [...(retyped ? [raw('type = ?')] : []), ...places.map((names) => sql`(${names}) = (${raw('?, ?')})`)]
  return sql`UPDATE ${table} SET ${join([raw('etag = ?, bytes = ?, body = ?'), ...set], ', ')} WHERE key = ${raw('?')} AND etag = ${raw('?')} AND type IS ${raw('?')}`
}

/** What is there already, or gone already, is left so: a trigger may have been faster. */
function listStatements(list: ListIndex): ListStatements {
  const names = [...(list.tenant ? ['tenant'] : []), 'rank', 'value', 'order_rank', 'order_value', 'id', 'row']
  const [row, values] = [raw(names.join(', ')), raw(names.map(() => '?').join(', '))]
  return {
    list,
    add: sql`INSERT OR IGNORE INTO ${list.table} (${row}) VALUES (${values})`.text,
    drop: sql`DELETE FROM ${list.table} WHERE (${row}) = (${values})`.text,
  }
}
