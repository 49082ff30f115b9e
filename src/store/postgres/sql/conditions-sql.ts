// Conditions as PostgreSQL expressions, with exactly the meaning of conditions.ts. Documents are always called `d` here; the statements
// around the expressions are in read-sql.ts.

import { foldCase, type ComparisonOperator, type Operand } from '../../../model/operators.ts'
import { isId, operandOf, type Comparison, type Condition, type Path, type Scalar } from '../../query.ts'
import { keyOfValue, keysAt, valueAt, valuesAt, type SqlContext } from './functions-sql.ts'
import { portable } from './portable-text.ts'
import { endOf, endOfPrefix, isExact, sortKeyOf, startOf } from './sort-key.ts'
import { and, bytesArray, or, raw, sql, textArray, type Sql } from './sql-fragment.ts'

/** True or false for every document, never NULL. */
export function conditionSql(context: SqlContext, condition: Condition, json: Sql = raw('d.json')): Sql {
  if (condition.op === 'not') return sql`NOT (${conditionSql(context, condition.condition, json)})`
  if (condition.op === 'some') return sql`EXISTS (SELECT 1 FROM ${valuesAt(context, json, [...condition.list, '*'])} AS e WHERE ${conditionSql(context, condition.condition, raw('e'))})`
  if ('conditions' in condition) {
    const terms = condition.conditions.map((each) => conditionSql(context, each, json))
    return sql`(${condition.op === 'and' ? and(terms) : or(terms)})`
  }
  if (isId(condition.path) && json.text === 'd.json') return idSql(context, condition)
  if (condition.path.includes('*')) return anyValue(context, condition, json)
  return comparisonSql(context, valueAt(json, condition.path), condition)
}

/** Of the values in a list, equality is looked up in the index of all of them. */
function anyValue(context: SqlContext, comparison: Comparison, json: Sql): Sql {
  const { path, op } = comparison
  if (op === 'eq') return sql`${keysAt(context, json, path)} @> ${bytesArray([sortKeyOf(comparison.value)])}::bytea[]`
  if (op === 'in') return sql`${keysAt(context, json, path)} && ${bytesArray(comparison.values.map(sortKeyOf))}::bytea[]`
  return sql`EXISTS (SELECT 1 FROM ${valuesAt(context, json, path)} AS e WHERE ${comparisonSql(context, raw('e'), comparison)})`
}

function comparisonSql(context: SqlContext, value: Sql, comparison: Comparison): Sql {
  const compare: (key: Sql, value: Sql, operand: never, context: SqlContext) => Sql = keyComparisons[comparison.op]
  return compare(keyOfValue(context, value), value, operandOf(comparison), context)
}

/** Comparisons by order hold only among values of the same type. */
const keyComparisons: { readonly [Op in ComparisonOperator]: (key: Sql, value: Sql, operand: Operand<Op>, context: SqlContext) => Sql } = {
  eq: (key, _, operand) => sql`${key} = ${sortKeyOf(operand)}::bytea`,
  in: (key, _, operands) => sql`${key} = ANY (${bytesArray(operands.map(sortKeyOf))}::bytea[])`,
  lt: (key, value, operand) => ordered('<', key, value, operand),
  lte: (key, value, operand) => ordered('<=', key, value, operand),
  gt: (key, value, operand) => ordered('>', key, value, operand),
  gte: (key, value, operand) => ordered('>=', key, value, operand),
  startsWith: (key, value, prefix) => (isExact(prefix) ? sql`(${key} >= ${sortKeyOf(prefix)}::bytea AND ${key} < ${endOfPrefix(prefix)}::bytea)` : ofText(value, (text) => sql`starts_with(${text}, ${portable(prefix)})`)),
  endsWith: (_, value, end) => ofText(value, (text) => endsWith(text, portable(end))),
  contains: (_, value, part) => ofText(value, (text) => sql`strpos(${text}, ${portable(part)}) > 0`),
  ieq: (_, value, operand, context) => ofText(value, (text) => sql`${folded(text, context)} = ${portable(foldCase(operand))}`),
  istartsWith: (_, value, prefix, context) => ofText(value, (text) => sql`starts_with(${folded(text, context)}, ${portable(foldCase(prefix))})`),
  iendsWith: (_, value, end, context) => ofText(value, (text) => endsWith(folded(text, context), portable(foldCase(end)))),
  icontains: (_, value, part, context) => ofText(value, (text) => sql`strpos(${folded(text, context)}, ${portable(foldCase(part))}) > 0`),
}

type OrderOperator = '<' | '<=' | '>' | '>='

function ordered(operator: OrderOperator, key: Sql, value: Sql, operand: Scalar): Sql {
  // A key of a long text ends with a hash, which has no order.
  if (!isExact(operand)) return ofText(value, (text) => sql`${text} COLLATE "C" ${raw(operator)} ${portable(operand as string)}`)
  const within = operator.startsWith('<') ? sql`${key} >= ${startOf(operand)}::bytea` : sql`${key} < ${endOf(operand)}::bytea`
  return sql`(${key} ${raw(operator)} ${sortKeyOf(operand)}::bytea AND ${within})`
}

/** A test of the value, where it is a text. */
function ofText(value: Sql, test: (text: Sql) => Sql): Sql {
  return sql`CASE WHEN jsonb_typeof(${value}) = 'string' THEN ${test(sql`(${value} #>> '{}')`)} ELSE FALSE END`
}

function endsWith(text: Sql, end: string): Sql {
  return end === '' ? raw('TRUE') : sql`right(${text}, ${raw(String(Array.from(end).length))}) = ${end}`
}

/** As `foldCase` does it. */
function folded(text: Sql, { caseCollation }: SqlContext): Sql {
  return sql`replace(lower(${text} COLLATE ${caseCollation}) COLLATE "C", 'ς', 'σ')`
}

/** The id has a column of its own, which is a text always. */
function idSql(context: SqlContext, comparison: Comparison): Sql {
  const { op } = comparison
  if (op === 'in') return sql`d.id = ANY (${textArray(comparison.values.filter((value) => typeof value === 'string').map(portable))}::text[])`
  const { value } = comparison
  if (typeof value !== 'string') return raw('FALSE')
  if (op in orderOperators) return sql`d.id ${raw(orderOperators[op as keyof typeof orderOperators])} ${portable(value)}`
  if (op === 'startsWith') return sql`starts_with(d.id, ${portable(value)})`
  return comparisonSql(context, sql`to_jsonb(d.id)`, comparison)
}

const orderOperators = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

/** The sort key of the value at a path without `'*'`, in the document `d`. */
export function sortKeyAt(context: Pick<SqlContext, 'schema'>, path: Path): Sql {
  return keyOfValue(context, valueAt(raw('d.json'), path))
}

/** Whether the document `d` has this value, whose sort key (or text, for the id) is in a column, at a path. */
export function hasValue(context: SqlContext, path: Path, column: Sql): Sql {
  if (isId(path)) return sql`d.id = ${column}`
  return path.includes('*') ? sql`${keysAt(context, raw('d.json'), path)} @> ARRAY[${column}]` : sql`${sortKeyAt(context, path)} = ${column}`
}
