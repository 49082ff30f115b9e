// Which parts of which indexes contain the documents of a query.

import { compareScalars, compareText } from '../../model/keys/compare-scalars.ts'
import type { Interval } from '../../model/keys/intervals.ts'
import { partitionText } from '../../model/keys/key.ts'
import { intervalsOf } from '../../model/operators.ts'
import { conjuncts } from '../conditions.ts'
import { furtherIn, isId, operandOf, samePath, type Comparison, type Condition, type Order, type Path, type Position, type Scalar, type Selection } from '../query.ts'
import type { FurtherOrder } from '../store.ts'
import type { MemoryContainer } from './memory-container.ts'
import { compareSeveral } from './memory-index.ts'
import { SortedRows, type CompareValues, type IsBefore, type SortValue } from './sorted-rows.ts'

/** A part of a sorted list, from a rank to before another, and the conditions that its documents have yet to meet. */
export interface Part {
  readonly rows: SortedRows
  readonly from: number
  readonly to: number
  readonly rest: readonly Condition[]
}

/** Parts of one index that together contain every match. */
export interface Entry {
  readonly parts: readonly Part[]
  readonly size: number
  /** Whether a document may be in several parts, as it may be under several elements of a list. */
  readonly repeats: boolean
}

/** The part that has all matches in an order, behind a position. */
export function partInOrder(container: MemoryContainer, selection: Selection, order: Order, after?: Position): Part {
  const { path } = order
  const further = furtherIn(order)
  const { tenant, partition } = selection
  const conditions = conjuncts(selection.where)
  if (partition !== undefined) {
    if (tenant !== undefined && partition[0] !== tenant) return { rows: new SortedRows(), from: 0, to: 0, rest: [] }
    return afterPosition(narrowed(container.index(selection, 'partition', path, further).rows(tenant, partitionText(partition)), path, conditions, further), order, after)
  }
  const declared = conditions.find((each) => each.op === 'eq' && container.hasDeclared(each.path, path, further))
  if (declared?.op === 'eq') {
    const rows = container.index(selection, declared.path, path, further).rows(tenant, declared.value)
    return afterPosition(narrowed(rows, path, conditions.filter((each) => each !== declared), further), order, after)
  }
  // Documents with the same value are in the order of ids.
  const equality = isId(path) && !further ? conditions.find((each) => each.op === 'eq' && !each.path.includes('*')) : undefined
  if (equality?.op === 'eq') {
    const rows = container.index(selection, undefined, equality.path).rows(tenant)
    return afterPosition(narrowed(rows, equality.path, conditions), order, after && { value: equality.value, id: after.id })
  }
  return afterPosition(narrowed(container.index(selection, undefined, path, further).rows(tenant), path, conditions, further), order, after)
}

/** The condition whose own index leaves the fewest documents; undefined if no condition has one. */
export function narrowestEntry(container: MemoryContainer, selection: Selection, conditions: readonly Condition[]): Entry | undefined {
  let narrowest: Entry | undefined
  for (const [at, condition] of conditions.entries()) {
    if (!('path' in condition) || isRangeBefore(conditions, at, condition)) continue
    const entry = entryBy(container, selection, condition, conditions)
    if (entry && entry.size < (narrowest?.size ?? Infinity)) narrowest = entry
  }
  return narrowest
}

/** Narrows a list that is sorted by the value at a path, and perhaps by further ones, to the documents that meet the comparisons of that value. */
export function narrowed(rows: SortedRows, path: Path, conditions: readonly Condition[], further?: readonly FurtherOrder[]): Part {
  let [from, to] = [0, rows.size]
  const rest: Condition[] = []
  for (const condition of conditions) {
    const intervals = 'path' in condition && samePath(condition.path, path) ? intervalsOf(condition.op, operandOf(condition)) : undefined
    if (intervals?.length !== 1) {
      rest.push(condition)
      continue
    }
    const [{ start, end }] = intervals as [Interval]
    from = Math.max(from, further ? rows.rankOf(byFirst(start)) : rows.rankOf(start))
    to = Math.min(to, further ? rows.rankOf(byFirst(end)) : rows.rankOf(end))
  }
  return { rows, from, to, rest }
}

function byFirst(isBefore: Interval['start']): IsBefore<readonly Scalar[]> {
  return ([first]) => isBefore(first!)
}

export function afterPosition(part: Part, order: Order, after: Position | undefined): Part {
  if (after === undefined) return part
  const { descending } = order
  const further = furtherIn(order)
  const compare = further ? compareSeveral(further) : (compareScalars as CompareValues)
  const position: SortValue = further ? [after.value, ...further.map((_, at) => after.further?.[at] ?? null)] : after.value
  const rank = part.rows.rankOf((value: SortValue, { id }) => {
    const found = compare(value, position) || compareText(id, after.id)
    return descending ? found < 0 : found <= 0
  })
  return descending ? { ...part, to: Math.min(part.to, rank) } : { ...part, from: Math.max(part.from, rank) }
}

/** Whether an earlier condition has the same entry: the bounds of a range are taken together. */
function isRangeBefore(conditions: readonly Condition[], before: number, { op, path }: Comparison): boolean {
  if (!bounds.has(op) || path.includes('*')) return false
  for (let at = 0; at < before; at++) {
    const each = conditions[at]!
    if ('path' in each && bounds.has(each.op) && samePath(each.path, path)) return true
  }
  return false
}

const bounds: ReadonlySet<Comparison['op']> = new Set(['eq', 'lt', 'lte', 'gt', 'gte'])

function entryBy(container: MemoryContainer, selection: Selection, condition: Comparison, conditions: readonly Condition[]): Entry | undefined {
  const { path, op } = condition
  const others = conditions.filter((each) => each !== condition)
  if (path.includes('*')) {
    if (op !== 'eq' && op !== 'in') return undefined
    const index = container.index(selection, path, ['id'])
    const values = op === 'eq' ? [condition.value] : [...new Set(condition.values)]
    return entryOf(values.map((value) => whole(index.rows(selection.tenant, value), others)), values.length > 1)
  }
  const rows = container.index(selection, undefined, path).rows(selection.tenant)
  if (op !== 'in') return intervalsOf(condition.op, operandOf(condition)) && entryOf([narrowed(rows, path, conditions)], false)
  return entryOf([...new Set(condition.values)].map((value) => ({ ...narrowed(rows, path, [{ op: 'eq', path, value }]), rest: others })), false)
}

function entryOf(parts: readonly Part[], repeats: boolean): Entry {
  return { parts, size: parts.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0), repeats }
}

function whole(rows: SortedRows, rest: readonly Condition[]): Part {
  return { rows, from: 0, to: rows.size, rest }
}
