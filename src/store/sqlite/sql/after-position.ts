// The rows after a position, in an order of one value or of several.

import type { Position } from '../../query.ts'
import { columns, sortKeyOf } from '../indexes/sort-key.ts'
import { join, raw, sql, type Sql } from './sql-fragment.ts'

/** The columns of one part of an order: the rank and value of a sort key, or the id. */
export interface OrderColumns {
  readonly columns: readonly Sql[]
  readonly descending: boolean
}

/** The last part of the order is the id. */
export function afterPosition(order: readonly OrderColumns[], after: Position): Sql[] {
  const values = [after.value, ...(after.further ?? [])].map((value) => columns(sortKeyOf(value)))
  const parts = order.map((part, at) => ({ ...part, position: at === order.length - 1 ? sql`${after.id}` : (values[at] ?? columns(sortKeyOf(null))) }))
  const [first] = parts as [Part]
  // One comparison of row values, where all go the same way.
  if (parts.every(({ descending }) => descending === first.descending)) return [compared(parts, sign(first))]
  // Only the first part is a bound of the index.
  return [compared([first], raw(first.descending ? '<=' : '>=')), sql`(${behind(parts)})`]
}

interface Part extends OrderColumns {
  readonly position: Sql
}

/** After the position in the first part, or at the same place and after it in the others. */
function behind([first, ...rest]: readonly Part[]): Sql {
  const after = compared([first!], sign(first!))
  return rest.length === 0 ? after : sql`${after} OR (${compared([first!], raw('='))} AND (${behind(rest)}))`
}

function sign({ descending }: OrderColumns): Sql {
  return raw(descending ? '<' : '>')
}

function compared(parts: readonly Part[], comparison: Sql): Sql {
  return sql`(${join(parts.flatMap((part) => part.columns), ', ')}) ${comparison} (${join(parts.map(({ position }) => position), ', ')})`
}
