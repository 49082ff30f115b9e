// Chooses how a query enters its table, because SQLite chooses without knowing how many documents an index leads to: it takes
// every type for a narrow one, and every order for a shortcut to the page. The choice also says how many documents the
// statement may have to look at, which decides on which thread it runs (reads.ts).
//
// A query may walk the order until the page is full, which is short if many documents match, or enter by a condition and
// sort what it finds, which is short if few do. The index of the condition is asked for a number of documents up to the
// length of an even walk. If it has fewer, it is entered. A count enters by its narrowest condition.

import { conjuncts } from '../conditions.ts'
import { furtherIn, hasFurther, isId, samePath, type Comparison, type Condition, type Order, type Query, type Selection } from '../query.ts'
import { hasIndex, hasOrder } from './indexes/index-for.ts'
import type { SqliteContainer } from './prepare-layout.ts'
import { beginsWithin, closestBounds } from './sql/closest-bounds.ts'
import { rowsWhere } from './sql/rows-sql.ts'
import { listEquality, rowsSql, type ChosenIndex } from './sql/read-sql.ts'
import type { Sql } from './sql/sql-fragment.ts'

export interface IndexChoice {
  /** Undefined to leave the choice to SQLite. */
  readonly chosen?: ChosenIndex | undefined
  /** How many documents it may have to look at; undefined if no more than it returns. */
  readonly rows?: number | 'all' | undefined
}

/** What the table is asked before the choice. */
export interface TableSizes {
  /** At least the number of all documents. */
  readonly rows: () => number
  /** The number of rows of each statement, counted up to a maximum. */
  readonly countUpTo: (statements: readonly Sql[], most: number) => readonly number[]
}

export function chooseForQuery(container: SqliteContainer, query: Query, sizes: TableSizes): IndexChoice {
  const { path: order } = query.orderBy
  const ways = waysInto(container, query)
  const inOrder = ways.find((way) => isInOrder(container, query, way, query.orderBy))
  const isWhole = query.partition === undefined || inOrder?.by === 'partition'
  const bounds: readonly Condition[] = inOrder?.by === 'list' ? [] : closestBounds(conjuncts(query.where), order)
  if (isWhole && beginsWithin(query) && conjuncts(query.where).every((each) => inOrder?.conditions.includes(each) || bounds.includes(each))) return inOrder ? { chosen: { by: inOrder.by, sorts: false } } : {}
  const others = ways.filter((way) => way !== inOrder && (way.by === 'partition' || !way.conditions.every((each) => bounds.includes(each))))
  const canWalk = inOrder !== undefined || hasOrder(container, query, query.orderBy)
  if (!inOrder && others.length === 0) return { rows: 'all', ...(canWalk ? { chosen: { by: order, sorts: false } } : {}) }
  const most = canWalk ? Math.ceil(Math.sqrt(query.limit * sizes.rows())) : manyRows
  const counted = countUpTo(sizes, inOrder ? [inOrder, ...others] : others, most)
  // Documents that are few and in order need no comparison with fewer ones that have to be sorted.
  const { way, count } = inOrder && counted[0]!.count < most ? counted[0]! : narrowest(counted)
  if (count < most || !canWalk) return { chosen: { ...entered(way), sorts: way !== inOrder }, rows: count < most ? count : 'all' }
  return { chosen: { by: inOrder?.by ?? order, sorts: false }, rows: 'all' }
}

/** How all documents of a selection are looked at, for what is measured of them. */
export function chooseForAll(container: SqliteContainer, selection: Selection, sizes: TableSizes): IndexChoice {
  const ways = waysInto(container, selection)
  if (ways.length === 0) return { rows: 'all' }
  const { way, count } = narrowest(countUpTo(sizes, ways, manyRows))
  return count >= manyRows ? { chosen: { ...entered(way), sorts: false }, rows: 'all' } : { chosen: { by: 'rows', rows: way.rows, sorts: false }, rows: count }
}

/** The count itself, where counting the documents of a condition up to a maximum has given it; otherwise how to count. */
export function chooseForCount(container: SqliteContainer, selection: Selection, sizes: TableSizes): number | IndexChoice {
  const ways = waysInto(container, selection)
  if (ways.length === 0) return { rows: 'all' }
  const { way, count } = narrowest(countUpTo(sizes, ways, manyRows))
  if (count >= manyRows) return { chosen: { ...entered(way), sorts: false }, rows: 'all' }
  const isWhole = way.by !== 'rows' && (selection.partition === undefined || way.by === 'partition') && conjuncts(selection.where).every((each) => way.conditions.includes(each))
  // By their rows, since SQLite would rather scan another index if that has all values that the count tests.
  return isWhole ? count : { chosen: { by: 'rows', rows: way.rows, sorts: false }, rows: count }
}

/** To count so many entries of an index takes some tenths of a millisecond. */
const manyRows = 2000

/** How many conditions are compared, and how many values one of them may have: each is looked up. Clients may send hundreds, and thousands. */
const [maxWays, maxValues] = [8, 1000]

/** Into a table by a condition, or by several on the same value, that has an index of its own. */
interface Way {
  readonly by: ChosenIndex['by']
  /** The rows that it leads to. */
  readonly rows: Sql
  /** The conditions that they meet. */
  readonly conditions: readonly Condition[]
  /** Whether it leads to the documents with one value or some values. */
  readonly isSelective: boolean
  readonly isEquality: boolean
  /** How many values are looked up. */
  readonly values: number
}

interface CountedWay {
  readonly way: Way
  readonly count: number
}

/** Ways with too many values are not counted, and taken for wide. */
function countUpTo(sizes: TableSizes, ways: readonly Way[], most: number): CountedWay[] {
  const countable = ways.filter(({ values }) => values <= maxValues)
  const counts = countable.length === 0 ? [] : sizes.countUpTo(countable.map(({ rows }) => rows), most)
  return ways.map((way) => ({ way, count: counts[countable.indexOf(way)] ?? most }))
}

/** The first way to the fewest documents. */
function narrowest(ways: readonly CountedWay[]): CountedWay {
  return ways.reduce((least, way) => (way.count < least.count ? way : least))
}

function entered({ by, rows }: Way): Pick<ChosenIndex, 'by' | 'rows'> {
  return by === 'rows' ? { by, rows } : { by }
}

/** Selective ones first: of ways to many documents the first is taken. */
function waysInto(container: SqliteContainer, selection: Selection): Way[] {
  const { type, partition, tenant, where } = selection
  const whole: Selection = { container: selection.container, ...(type === undefined ? {} : { type }) }
  const ways: Way[] = partition === undefined ? [] : [{ by: 'partition', rows: rowsSql(container, { ...whole, partition }), conditions: [], isSelective: true, isEquality: true, values: 1 }]
  // The other indexes of a tenanted container begin with the tenant, and a statement that names a partition does not name the tenant.
  if (container.tenanted && (partition !== undefined || tenant === undefined)) return ways
  const ofTenant: Selection = { ...whole, ...(tenant === undefined ? {} : { tenant }) }
  const conditions = conjuncts(where)
  const joined = listEquality(container, selection)?.condition
  const comparisons = conditions.filter((each): each is Comparison => 'path' in each && hasIndex(container, selection, each.path))
  for (const [, [{ path }]] of Map.groupBy(comparisons, (each) => JSON.stringify(each.path)) as Map<string, [Comparison]>) ways.push(wayBy(container, ofTenant, closestBounds(comparisons, path, true), path))
  for (const condition of conditions) {
    if (comparisons.includes(condition as Comparison)) continue
    if (condition === joined) ways.push(wayBy(container, ofTenant, [condition], 'list'))
    else if (rowsWhere(container, ofTenant, condition)) ways.push(wayBy(container, ofTenant, [condition], 'rows'))
  }
  return ways.toSorted((a, b) => Number(b.isSelective) - Number(a.isSelective)).slice(0, maxWays)
}

function wayBy(container: SqliteContainer, selection: Selection, conditions: readonly Condition[], by: Way['by']): Way {
  const isEquality = conditions.some(({ op }) => op === 'eq')
  const rows = by === 'rows' || by === 'list' ? rowsWhere(container, selection, conditions[0]!)! : rowsSql(container, { ...selection, where: { op: 'and', conditions } })
  return { by, rows, conditions, isEquality, isSelective: isEquality || conditions.some(({ op }) => op === 'in' || op === 'or'), values: conditions.reduce((sum, each) => sum + valuesIn(each), 0) }
}

function valuesIn(condition: Condition): number {
  if ('conditions' in condition) return condition.conditions.reduce((sum, each) => sum + valuesIn(each), 0)
  return condition.op === 'in' ? condition.values.length : 1
}

/** Whether the documents that a way leads to are in the wanted order. */
function isInOrder(container: SqliteContainer, selection: Selection, { by, isEquality, conditions: [condition] }: Way, orderBy: Order): boolean {
  const { path: order } = orderBy
  const further = furtherIn(orderBy)
  if (by === 'partition') return isId(order)
  if (by === 'rows' || !isEquality) return false
  if (by === 'list') return !further && container.lists.some(({ type, equals, orderBy: inList }) => samePath(equals, (condition as Comparison).path) && samePath(inList, order) && (type === undefined || type === selection.type))
  return container.indexes.some((index) => {
    const [first, second = ['id']] = [index.equals, index.orderBy].filter((path) => path !== undefined)
    return samePath(first!, by) && samePath(second, order) && hasFurther(index, further) && (index.type === undefined || selection.type !== undefined)
  })
}
