// The plan by which the SDK runs a query over several physical partitions: what to send to each of them,
// and how to merge what comes back.

import { wholeSpace } from '../storage/key-space.ts'
import { Refusal } from '../http-messages.ts'
import type { Query, Shape } from '../sql/syntax.ts'

/** The SDK puts a condition here when it resumes an ordered query, and `true` otherwise. */
const filterPlaceholder = '{documentdb-formattableorderbyquery-filter}'

export function planOf(query: Query): object {
  const { selection, orderBy, top, slice } = query
  if (selection.kind === 'columns') throw new Refusal(400, 'This server has no plan for these columns. Ask one partition at a time.')
  return {
    partitionedQueryExecutionInfoVersion: 2,
    queryInfo: {
      distinctType: selection.kind !== 'documents' || !selection.distinct ? 'None' : orderBy.length > 0 ? 'Ordered' : 'Unordered',
      top: top ?? null,
      offset: slice?.offset ?? null,
      limit: slice?.limit ?? null,
      orderBy: orderBy.map(({ descending }) => (descending ? 'Descending' : 'Ascending')),
      orderByExpressions: orderBy.map(({ ref }) => ref.text),
      groupByExpressions: selection.kind === 'groups' ? [selection.by.text] : [],
      groupByAliases: selection.kind === 'groups' ? [selection.found, selection.many] : [],
      groupByAliasToAggregateType: selection.kind === 'groups' ? { [selection.found]: null, [selection.many]: 'Count' } : {},
      aggregates: selection.kind === 'count' ? ['Count'] : [],
      hasSelectValue: selection.kind === 'count' || /^(?:DISTINCT\s+)?VALUE\b/i.test(query.text.select),
      hasNonStreamingOrderBy: false,
      rewrittenQuery: rewritten(query),
    },
    queryRanges: [{ ...wholeSpace, isMinInclusive: true, isMaxInclusive: false }],
  }
}

/** Empty if every partition gets the query as it is. */
function rewritten({ selection, orderBy, top, slice, root, text }: Query): string {
  if (selection.kind === 'count') return `SELECT VALUE [{"item": COUNT(1)}] FROM ${text.from} WHERE ${text.where}`
  if (selection.kind === 'groups') {
    const by = selection.by.text
    const payload = `{${JSON.stringify(selection.found)}: ${by}, ${JSON.stringify(selection.many)}: {"item": COUNT(1)}}`
    return `SELECT [{"item": ${by}}] AS groupByItems, ${payload} AS payload FROM ${text.from} WHERE ${text.where} GROUP BY ${by}`
  }
  // What OFFSET leaves out is left out by the SDK, once rows are merged.
  const most = top ?? (slice && slice.offset + slice.limit)
  const start = most === undefined ? 'SELECT' : `SELECT TOP ${most}`
  if (selection.kind === 'columns' || orderBy.length === 0) return slice ? `${start} ${text.select} FROM ${text.from} WHERE ${text.where}` : ''
  const items = orderBy.map(({ ref }) => `{"item": ${ref.text}}`).join(', ')
  const order = orderBy.map(({ ref, descending }) => `${ref.text} ${descending ? 'DESC' : 'ASC'}`).join(', ')
  return `${start} ${root}._rid, [${items}] AS orderByItems, ${selection.shape ? shapeText(selection.shape) : root} AS payload ` +
    `FROM ${text.from} WHERE (${text.where}) AND (${filterPlaceholder}) ORDER BY ${order}`
}

function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case 'ref': return shape.ref.text
    case 'value': return JSON.stringify(shape.value)
    case 'array': return `[${shape.items.map(shapeText).join(', ')}]`
    case 'object': return `{${shape.entries.map(([name, each]) => `${JSON.stringify(name)}: ${shapeText(each)}`).join(', ')}}`
  }
}
