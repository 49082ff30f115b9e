// The statements that write one document, made once for each container. SQLite rewrites an index whenever a statement
// sets one of its columns, and index pages are most of what a commit writes, so an UPDATE sets only columns that change.

import type { Path } from '../../query.ts'
import { join, raw, sql, type Sql } from './sql-fragment.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import type { ListIndex } from '../indexes/list-index.ts'
import { sortKeyNames } from '../indexes/sort-key-columns.ts'
import { columns, sortKeyAt } from '../indexes/sort-key.ts'

export interface WriteStatements {
  /** Values: rank and value of each sort key, key. Row: row, etag, bytes, type, and for each sort key whether it is the same. */
  readonly find: string
  /** Values: row. */
  readonly body: string
  /** Values: key, partition, id, type, etag, bytes, body, rank and value of each sort key. */
  readonly insert: string
  /** The same without the sort keys, which SQLite computes. */
  readonly insertJson: string
  /** Values: etag, bytes, body, the type if it changes, rank and value of each changed sort key; then the key and the current etag and type. */
  readonly update: (retyped: boolean, changedSortKeys: readonly number[]) => string
  /** Values: row. */
  readonly remove: string
  readonly lists: readonly ListStatements[]
}

export interface ListStatements {
  readonly list: ListIndex
  /** Values of both: the tenant (in a tenanted container), rank, value, rank and value of the order, id, row. */
  readonly add: string
  readonly drop: string
}

export function writeStatements({ table, sortKeyPaths, lists }: SqliteContainer): WriteStatements {
  const forEachSortKey = (part: (path: Path) => Sql): Sql => join(sortKeyPaths.map((path) => sql`, ${part(path)}`), '')
  const updates = new Map<string, string>()
  return {
    find: sql`SELECT row, etag, bytes, type${forEachSortKey((path) => sql`(${sortKeyNames(path)}) IS (${raw('?, ?')})`)} FROM ${table} WHERE key = ${raw('?')}`.text,
    body: sql`SELECT body FROM ${table} WHERE row = ${raw('?')}`.text,
    insert: sql`INSERT INTO ${table} (key, partition, id, type, etag, bytes, body${forEachSortKey(sortKeyNames)})
      VALUES (${raw('?, ?, ?, ?, ?, ?, ?')}${forEachSortKey(() => raw('?, ?'))})`.text,
    insertJson: sql`INSERT INTO ${table} (key, partition, id, type, etag, bytes, body${forEachSortKey(sortKeyNames)})
      SELECT ${raw('?, ?, ?, ?, ?, ?')}, n.body${forEachSortKey((path) => columns(sortKeyAt(raw('n.body'), path)))} FROM (SELECT ${raw('?')} AS body) AS n`.text,
    update(retyped, changed) {
      const name = `${retyped} ${changed.join(' ')}`
      let text = updates.get(name)
      if (text === undefined) updates.set(name, (text = updateSql(table, retyped, changed.map((at) => sortKeyNames(sortKeyPaths[at]!))).text))
      return text
    },
    remove: sql`DELETE FROM ${table} WHERE row = ${raw('?')}`.text,
    lists: lists.map(listStatements),
  }
}

function updateSql(table: Sql, retyped: boolean, sortKeys: readonly Sql[]): Sql {
  const set = [...(retyped ? [raw('type = ?')] : []), ...sortKeys.map((names) => sql`(${names}) = (${raw('?, ?')})`)]
  return sql`UPDATE ${table} SET ${join([raw('etag = ?, bytes = ?, body = ?'), ...set], ', ')} WHERE key = ${raw('?')} AND etag = ${raw('?')} AND type IS ${raw('?')}`
}

/** Neither fails if a trigger has done the same before. */
function listStatements(list: ListIndex): ListStatements {
  const names = [...(list.tenant ? ['tenant'] : []), 'rank', 'value', 'order_rank', 'order_value', 'id', 'row']
  const [row, values] = [raw(names.join(', ')), raw(names.map(() => '?').join(', '))]
  return {
    list,
    add: sql`INSERT OR IGNORE INTO ${list.table} (${row}) VALUES (${values})`.text,
    drop: sql`DELETE FROM ${list.table} WHERE (${row}) = (${values})`.text,
  }
}
