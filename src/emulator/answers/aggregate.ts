// Counts, over everything that matches or by group. They come out in one page, whatever its limit.

import { compileCondition, compileJoin, compileRef, type Row } from '../sql/evaluate.ts'
import type { Query } from '../sql/syntax.ts'
import type { StoredDocument } from '../storage/stored-document.ts'

export interface Aggregate {
  readonly rows: readonly string[]
  readonly matches: number
  readonly bytesLoaded: number
}

export function aggregate(query: Query, documents: Iterable<StoredDocument>, scanned: boolean): Aggregate {
  const { selection } = query
  const groups = new Map<string, { value: unknown; many: number }>()
  const scope = query.join === undefined ? [query.root] : [query.root, query.join.alias]
  const condition = query.where === undefined ? () => true : compileCondition(query.where, scope)
  const joined = query.join === undefined ? (row: Row) => [row] : rowsOf(compileJoin(query.join, [query.root]))
  const by = selection.kind === 'groups' ? compileRef(selection.by, scope) : () => undefined
  let matches = 0
  let bytesLoaded = 0
  for (const document of documents) {
    let matched = false
    for (const row of joined([document.value])) {
      if (condition(row) !== true) continue
      matched = true
      const value = by(row)
      const name = JSON.stringify(value) ?? ''
      const group = groups.get(name)
      if (group === undefined) groups.set(name, { value, many: 1 })
      else group.many += 1
    }
    if (matched) matches += 1
    // A count is answered from the index; groups need the documents' values.
    if (scanned || (matched && selection.kind === 'groups')) bytesLoaded += document.bytes
  }
  return { rows: rowTexts(query, [...groups.values()]), matches, bytesLoaded }
}

function rowsOf(join: (row: Row) => unknown[]): (row: Row) => Row[] {
  return (row) => join(row).map((value) => [...row, value])
}

function rowTexts({ selection }: Query, groups: readonly { value: unknown; many: number }[]): string[] {
  if (selection.kind !== 'groups') {
    const many = groups[0]?.many ?? 0
    return [JSON.stringify(selection.rewritten ? [{ item: many }] : many)]
  }
  const { found, many, rewritten } = selection
  return groups.map((group) => JSON.stringify(rewritten
    ? { groupByItems: [{ item: group.value }], payload: { [found]: group.value, [many]: { item: group.many } } }
    : { [found]: group.value, [many]: group.many }))
}
