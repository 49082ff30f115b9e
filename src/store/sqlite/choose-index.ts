// Chooses the index by which a query enters its table, because SQLite chooses without knowing how many documents an index
// leads to: it takes every type for a narrow one, and every order for a short way to the page.
//
// A query may walk the order until the page is full, which is short if many documents match, or enter by a condition and
// sort what it finds, which is short if few do. The index of the condition is asked for a number of documents up to the
// length of an even walk. If it has fewer, it is entered. A count enters by its narrowest condition.

import { conjuncts } from '../conditions.ts'
import { isId, samePath, type Comparison, type Path, type Query, type Selection } from '../query.ts'
import type { SqliteContainer } from './prepare-layout.ts'
import { listEquality, type ChosenIndex } from './sql/read-sql.ts'

export interface IndexChoice {
  /** Undefined to leave the choice to SQLite. */
  readonly chosen?: ChosenIndex
  /** How many documents it may have to look at; undefined if they are few. */
  readonly rows?: number | 'all'
}

/** What the table is asked before the choice. */
export interface TableSizes {
  /** At least the number of all documents. */
  readonly rows: () => number
  /** The number of documents of each selection, counted up to a maximum. */
  readonly countUpTo: (selections: readonly Selection[], most: number) => readonly number[]
}

export function chooseForQuery(container: SqliteContainer, query: Query, sizes: TableSizes): IndexChoice {
  if (listEquality(container, query)) return {}
  const { path: order } = query.orderBy
  const ways = waysInto(container, query)
  const inOrder = ways.find((way) => isInOrder(container, query.type, way, order))
  const others = ways.filter((way) => way !== inOrder && !(way.by !== 'partition' && samePath(way.by, order)))
  if (others.length === 0) {
    if (inOrder) return { chosen: { by: inOrder.by, sorts: false } }
    const isShort = query.partition !== undefined || conjuncts(query.where).every((each) => 'path' in each && samePath(each.path, order))
    return isShort ? {} : { rows: 'all' }
  }
  const canWalk = inOrder !== undefined || hasIndex(container, query, order)
  const most = canWalk ? Math.ceil(Math.sqrt(query.limit * sizes.rows())) : manyRows
  const counted = countUpTo(sizes, inOrder ? [inOrder, ...others] : others, most)
  // Documents that are few and in order need no comparison with fewer ones that have to be sorted.
  const { by, count } = inOrder && counted[0]!.count < most ? counted[0]! : narrowest(counted)
  if (count < most || !canWalk) return { chosen: { by, sorts: by !== inOrder?.by }, rows: count < most ? count : 'all' }
  return { chosen: { by: inOrder?.by ?? order, sorts: false }, rows: 'all' }
}

export function chooseForCount(container: SqliteContainer, selection: Selection, sizes: TableSizes): IndexChoice {
  if (listEquality(container, selection)) return {}
  const ways = waysInto(container, selection)
  if (ways.length <= 1) return selection.partition !== undefined || ways[0]?.isSelective ? {} : { rows: 'all' }
  // Of ways to many documents the first is taken.
  const selectiveFirst = ways.toSorted((a, b) => Number(b.isSelective) - Number(a.isSelective))
  const { by, count } = narrowest(countUpTo(sizes, selectiveFirst, manyRows))
  return { chosen: { by, sorts: false }, rows: count < manyRows ? count : 'all' }
}

/** To count so many entries of an index takes some tenths of a millisecond. */
const manyRows = 2000

/** A condition, or several on the same value, with an index of its own. */
interface Way {
  readonly by: Path | 'partition'
  /** The documents that it leads to. */
  readonly selection: Selection
  /** Whether it leads to the documents with one value or some values. */
  readonly isSelective: boolean
  readonly isEquality: boolean
}

type CountedWay = Pick<Way, 'by'> & { readonly count: number }

function countUpTo(sizes: TableSizes, ways: readonly Way[], most: number): CountedWay[] {
  const counts = sizes.countUpTo(ways.map(({ selection }) => selection), most)
  return ways.map(({ by }, at) => ({ by, count: counts[at]! }))
}

/** The first way to the fewest documents. */
function narrowest(ways: readonly CountedWay[]): CountedWay {
  return ways.reduce((least, way) => (way.count < least.count ? way : least))
}

function waysInto(container: SqliteContainer, selection: Selection): Way[] {
  const { type, partition, tenant, where } = selection
  const whole: Selection = { container: selection.container, ...(type === undefined ? {} : { type }) }
  const ways: Way[] = partition === undefined ? [] : [{ by: 'partition', selection: { ...whole, partition }, isSelective: true, isEquality: true }]
  // The other indexes of a tenanted container begin with the tenant, and a statement that names a partition does not name the tenant.
  if (container.tenanted && (partition !== undefined || tenant === undefined)) return ways
  const comparisons = conjuncts(where).filter((each): each is Comparison => 'path' in each && hasIndex(container, selection, each.path))
  for (const [, conditions] of Map.groupBy(comparisons, ({ path }) => JSON.stringify(path))) {
    const isEquality = conditions.some(({ op }) => op === 'eq')
    ways.push({
      by: conditions[0]!.path,
      selection: { ...whole, ...(tenant === undefined ? {} : { tenant }), where: { op: 'and', conditions } },
      isSelective: isEquality || conditions.some(({ op }) => op === 'in'),
      isEquality,
    })
  }
  return ways
}

/** Whether the documents of a selection are in the order of the values at a path somewhere. */
function hasIndex({ indexes }: SqliteContainer, { type }: Selection, path: Path): boolean {
  return isId(path) || indexes.some((index) => samePath((index.equals ?? index.orderBy)!, path) && (index.type === undefined || type !== undefined))
}

/** Whether the documents that a way leads to are in the wanted order. */
function isInOrder({ indexes }: SqliteContainer, type: string | undefined, { by, isEquality }: Way, order: Path): boolean {
  if (by === 'partition') return isId(order)
  return isEquality && indexes.some(({ type: ofType, equals, orderBy }) => {
    const [first, second = ['id']] = [equals, orderBy].filter((path) => path !== undefined)
    return samePath(first!, by) && samePath(second, order) && (ofType === undefined || type !== undefined)
  })
}
