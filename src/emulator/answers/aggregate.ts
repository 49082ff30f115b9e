// Counts and other aggregates, over everything that matches or by group. They come out in one page, whatever its limit.

import { compareInOrder } from '../sql/compare.ts'
import { compileCondition, compileExpression, compileJoin, compileRef, type Row } from '../sql/evaluate.ts'
import type { AggregateFunction, Column, Query } from '../sql/syntax.ts'
import type { StoredDocument } from '../storage/stored-document.ts'

export interface Aggregate {
  readonly rows: readonly string[]
  readonly matches: number
  readonly bytesLoaded: number
}

interface Group {
  /** The values of the columns so far; undefined where there is none. */
  readonly values: unknown[]
  /** The columns whose value is undefined, whatever else is added. */
  readonly spoilt: Set<number>
}

export function aggregate(query: Query, documents: Iterable<StoredDocument>, scanned: boolean): Aggregate {
  const columns = columnsOf(query)
  const isGrouped = columns.some(({ kind }) => kind === 'key')
  const scope = query.join === undefined ? [query.root] : [query.root, query.join.alias]
  const condition = query.where === undefined ? () => true : compileCondition(query.where, scope)
  const joined = query.join === undefined ? (row: Row) => [row] : rowsOf(compileJoin(query.join, [query.root]))
  const read = columns.map((column) => (column.kind === 'key' ? compileRef(column.ref, scope) : compileExpression(column.argument, scope)))
  const groups = new Map<string, Group>()
  if (!isGrouped) groups.set('[]', emptyGroup(columns))
  let matches = 0
  let bytesLoaded = 0
  for (const document of documents) {
    let matched = false
    for (const row of joined([document.value])) {
      if (condition(row) !== true) continue
      matched = true
      const values = read.map((each) => each(row))
      const keys = values.filter((_, at) => columns[at]!.kind === 'key')
      const name = JSON.stringify(keys.map((key) => (key === undefined ? [] : [key])))
      let group = groups.get(name)
      if (group === undefined) groups.set(name, (group = emptyGroup(columns)))
      add(group, columns, values)
    }
    if (matched) matches += 1
    // What is aggregated over everything is answered from the index; groups need the documents' values.
    if (scanned || (matched && isGrouped)) bytesLoaded += document.bytes
  }
  return { rows: [...groups.values()].map((group) => rowText(query, columns, group)), matches, bytesLoaded }
}

function columnsOf({ selection }: Query): readonly Column[] {
  if (selection.kind === 'columns') return selection.columns
  const count: Column = { kind: 'aggregate', of: 'COUNT', argument: { kind: 'value', value: 1 }, name: selection.kind === 'groups' ? selection.many : '' }
  return selection.kind === 'groups' ? [{ kind: 'key', ref: selection.by, name: selection.found }, count] : [count]
}

function emptyGroup(columns: readonly Column[]): Group {
  return { values: columns.map((column) => (column.kind === 'aggregate' && (column.of === 'COUNT' || column.of === 'SUM') ? 0 : undefined)), spoilt: new Set() }
}

/** Undefined values are left out. A sum of anything but numbers is undefined. */
function add({ values, spoilt }: Group, columns: readonly Column[], added: readonly unknown[]): void {
  for (const [at, column] of columns.entries()) {
    const value = added[at]
    if (column.kind === 'key') values[at] = value
    else if (value === undefined) continue
    else if (column.of === 'SUM' && typeof value !== 'number') spoilt.add(at)
    else values[at] = combine[column.of](values[at], value)
  }
}

const combine: Record<AggregateFunction, (before: unknown, value: unknown) => unknown> = {
  COUNT: (before) => (before as number) + 1,
  SUM: (before, value) => (before as number) + (value as number),
  MIN: (before, value) => (before === undefined || compareInOrder(value, before) < 0 ? value : before),
  MAX: (before, value) => (before === undefined || compareInOrder(value, before) > 0 ? value : before),
}

function rowsOf(join: (row: Row) => unknown[]): (row: Row) => Row[] {
  return (row) => join(row).map((value) => [...row, value])
}

function rowText({ selection }: Query, columns: readonly Column[], { values, spoilt }: Group): string {
  if (selection.kind === 'columns') return JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, spoilt.has(at) ? undefined : values[at]])))
  if (selection.kind !== 'groups') return JSON.stringify(selection.rewritten ? [{ item: values[0] }] : values[0])
  const { found, many, rewritten } = selection
  const [value, count] = values
  return JSON.stringify(rewritten ? { groupByItems: [{ item: value }], payload: { [found]: value, [many]: { item: count } } } : { [found]: value, [many]: count })
}
