// Structured queries as Cosmos SQL. Property names come from the model and are written in brackets; every value is a
// parameter.
//
// In Cosmos SQL, a comparison with a property that is missing or has another type is undefined, and so is its negation;
// the port has only true and false. Without a NOT, undefined has the effect of false. Below a NOT it does not, so there
// each comparison is guarded by a type check that makes it false.

import type { SqlParameter, SqlQuerySpec } from '@azure/cosmos'
import type { ComparisonOperator, Operand } from '../../../model/operators.ts'
import { isId, operandOf, type Comparison, type Condition, type Path, type Query, type Scalar, type Selection } from '../../query.ts'
import { tenantPath } from '../../tenants/check-tenanted.ts'
import { tombstoneProperty } from '../documents.ts'

/** One of the two runs of a page, each in the page's order: `values` has documents with a value to order by, `nulls` those without. */
export function pageSql(query: Query, run: 'values' | 'nulls', followed: boolean): SqlQuerySpec {
  return statement((bind) => {
    const { orderBy, after, limit } = query
    const direction = orderBy.descending ? 'DESC' : 'ASC'
    const conditions = [...selected(query, bind, followed), ...inRun(query, run), ...(after ? [afterPosition(query, run, bind)] : [])]
    const order = run === 'nulls' || isId(orderBy.path) ? [idReference] : [referenceTo(orderBy.path), idReference]
    return `SELECT TOP ${bind(limit)} * FROM c${where(conditions)} ORDER BY ${order.map((each) => `${each} ${direction}`).join(', ')}`
  })
}

/**
 * The runs that a page is merged from. To the port, null, missing, lists and objects are one value, ordered by id; Cosmos
 * orders them differently. So they have a query of their own, unless the page begins after them or there are none.
 */
export function runsOf({ orderBy, after }: Query): readonly ('values' | 'nulls')[] {
  if (isId(orderBy.path)) return ['values']
  if (after?.value === null) return orderBy.descending ? ['nulls'] : ['nulls', 'values']
  if (orderBy.required) return ['values']
  if (after && !orderBy.descending) return ['values']
  return orderBy.descending ? ['values', 'nulls'] : ['nulls', 'values']
}

export function countSql(selection: Selection, followed: boolean): SqlQuerySpec {
  return statement((bind) => `SELECT VALUE COUNT(1) FROM c${where(selected(selection, bind, followed))}`)
}

/** Counts by the values at a path; a document that has a value twice counts once. Null must not be among the values. */
export function countEachSql(selection: Selection, by: Path, values: readonly Scalar[], followed: boolean): SqlQuerySpec {
  return statement((bind) => {
    const star = by.indexOf('*')
    const [value, join] = star < 0 ? [referenceTo(by), ''] : ['v', ` JOIN v IN (SELECT DISTINCT VALUE ${elementReference(by)})`]
    const conditions = [...selected(selection, bind, followed), `${value} IN (${values.map(bind).join(', ')})`]
    return `SELECT ${value} AS found, COUNT(1) AS many FROM c${join}${where(conditions)} GROUP BY ${value}`
  })
}

export type Bind = (value: Scalar) => string

export function statement(write: (bind: Bind) => string): SqlQuerySpec {
  const parameters: SqlParameter[] = []
  const query = write((value) => {
    const name = `@p${parameters.length}`
    parameters.push({ name, value })
    return name
  })
  return { query, parameters }
}

/** Only a followed container has tombstones to leave out. */
export function selected({ type, tenant, partition, where: condition }: Selection, bind: Bind, followed: boolean): string[] {
  return [
    ...(followed ? [`NOT IS_DEFINED(${referenceTo([tombstoneProperty])})`] : []),
    // A partition belongs to one tenant.
    ...(tenant === undefined || partition ? [] : [`${referenceTo(tenantPath)} = ${bind(tenant)}`]),
    ...(type === undefined ? [] : [`${referenceTo(['type'])} = ${bind(type)}`]),
    ...(condition === undefined ? [] : [conditionSql(condition, bind)]),
  ]
}

function inRun({ orderBy, after }: Query, run: 'values' | 'nulls'): string[] {
  if (run === 'nulls') return [countsAsNull(referenceTo(orderBy.path))]
  // After a value there are only values, and every document has an id.
  if (isId(orderBy.path) || (after && after.value !== null)) return []
  return [anyOf(valueTypes.map((type) => `${type}(${referenceTo(orderBy.path)})`))]
}

/** The types of values in the port's order, which is also that of Cosmos. */
const valueTypes = ['IS_BOOL', 'IS_NUMBER', 'IS_STRING'] as const

type TypeCheck = (typeof valueTypes)[number]

function afterPosition({ orderBy: { path, descending }, after }: Query, run: 'values' | 'nulls', bind: Bind): string {
  const { value, id } = after!
  const sign = descending ? '<' : '>'
  const afterId = (): string => `${idReference} ${sign} ${bind(id)}`
  if (isId(path) || (run === 'nulls' && value === null)) return afterId()
  // All of this run comes after the position, which is in the other run.
  if (run === 'nulls' || value === null) return 'true'
  const reference = referenceTo(path)
  const type = valueTypes.indexOf(typeCheck(value))
  const furtherTypes = descending ? valueTypes.slice(0, type) : valueTypes.slice(type + 1)
  // A range that an index can begin at, and within it what comes after. The two alternatives by themselves would be no range.
  const [from, later] = [bind(value), bind(value)]
  return anyOf([
    `(${reference} ${sign}= ${from} AND (${reference} ${sign} ${later} OR ${afterId()}))`,
    ...furtherTypes.map((check) => `${check}(${reference})`),
  ])
}

/** True, false or undefined; with `exact`, true or false. */
function conditionSql(condition: Condition, bind: Bind, exact = false, of = 'c'): string {
  if (condition.op === 'not') return `NOT ${conditionSql(condition.condition, bind, true, of)}`
  // EXISTS is always true or false.
  if (condition.op === 'some') return `EXISTS(SELECT VALUE 1 FROM e IN ${referenceTo(condition.list)} WHERE ${conditionSql(condition.condition, bind, false, 'e')})`
  if ('conditions' in condition) {
    const parts = condition.conditions.map((each) => conditionSql(each, bind, exact, of))
    if (parts.length === 0) return condition.op === 'and' ? 'true' : 'false'
    return `(${parts.join(condition.op === 'and' ? ' AND ' : ' OR ')})`
  }
  const star = condition.path.indexOf('*')
  if (star < 0) return compare(condition, referenceTo(condition.path, of), bind, exact)
  const { from, value } = elements(condition.path)
  return `EXISTS(SELECT VALUE 1 FROM ${from} WHERE ${compare(condition, value, bind, false)})`
}

/** The value to compare, and how the comparison is written. */
interface Compared {
  readonly reference: string
  readonly bind: Bind
  /** Adds a type check to the comparison if it has to be exactly true or false. */
  readonly guarded: (check: TypeCheck, comparison: string) => string
  readonly exact: boolean
}

const comparisonSql: { readonly [Op in ComparisonOperator]: (compared: Compared, operand: Operand<Op>) => string } = {
  eq: (compared, value) => (value === null ? countsAsNull(compared.reference) : signed(compared, '=', value)),
  // Nothing is less or greater than null; null is equal to null only.
  lt: (compared, value) => (value === null ? 'false' : signed(compared, '<', value)),
  lte: (compared, value) => (value === null ? countsAsNull(compared.reference) : signed(compared, '<=', value)),
  gt: (compared, value) => (value === null ? 'false' : signed(compared, '>', value)),
  gte: (compared, value) => (value === null ? countsAsNull(compared.reference) : signed(compared, '>=', value)),
  in: oneOf,
  startsWith: (compared, start) => called(compared, 'STARTSWITH', start),
  endsWith: (compared, end) => called(compared, 'ENDSWITH', end),
  contains: (compared, part) => called(compared, 'CONTAINS', part),
  ieq: (compared, value) => called(compared, 'STRINGEQUALS', value, ignoringCase),
  istartsWith: (compared, start) => called(compared, 'STARTSWITH', start, ignoringCase),
  iendsWith: (compared, end) => called(compared, 'ENDSWITH', end, ignoringCase),
  icontains: (compared, part) => called(compared, 'CONTAINS', part, ignoringCase),
}

function compare(comparison: Comparison, reference: string, bind: Bind, exact: boolean): string {
  const guarded: Compared['guarded'] = (check, text) => (exact ? `(${check}(${reference}) AND ${text})` : text)
  return comparisonSql[comparison.op]({ reference, bind, guarded, exact }, operandOf(comparison))
}

function signed({ reference, bind, guarded }: Compared, sign: string, value: Exclude<Scalar, null>): string {
  return guarded(typeCheck(value), `${reference} ${sign} ${bind(value)}`)
}

/** The third argument of the string functions of Cosmos SQL. */
const ignoringCase = ', true'

/** A string function of Cosmos SQL. */
function called({ reference, bind, guarded }: Compared, name: string, text: string, mode: '' | typeof ignoringCase = ''): string {
  return guarded('IS_STRING', `${name}(${reference}, ${bind(text)}${mode})`)
}

function oneOf({ reference, bind, guarded, exact }: Compared, values: readonly Scalar[]): string {
  const some = values.filter((value) => value !== null)
  const isIn = (list: readonly Scalar[]): string => `${reference} IN (${list.map(bind).join(', ')})`
  return anyOf([
    ...(some.length < values.length ? [countsAsNull(reference)] : []),
    ...(exact ? [...Map.groupBy(some, typeCheck)].map(([check, list]) => guarded(check, isIn(list))) : some.length > 0 ? [isIn(some)] : []),
  ])
}

/** What counts as null: absent, null itself, a list or an object. */
function countsAsNull(reference: string): string {
  return `(NOT IS_DEFINED(${reference}) OR IS_NULL(${reference}) OR IS_ARRAY(${reference}) OR IS_OBJECT(${reference}))`
}

function typeCheck(value: Exclude<Scalar, null>): TypeCheck {
  return typeof value === 'boolean' ? 'IS_BOOL' : typeof value === 'number' ? 'IS_NUMBER' : 'IS_STRING'
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'false' : conditions.length === 1 ? conditions[0]! : `(${conditions.join(' OR ')})`
}

export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
}

/** `['tags', '*', 'id']` → `e0 IN c["tags"]`, and the value is `e0["id"]`. */
function elements(path: Path): { from: string; value: string } {
  const steps: string[] = []
  let reference = 'c'
  for (const name of path) {
    if (name === '*') {
      const element = `e${steps.length}`
      steps.push(`${element} IN ${reference}`)
      reference = element
    } else {
      reference += bracketed(name)
    }
  }
  return { from: steps.join(' JOIN '), value: reference }
}

export function elementReference(path: Path): string {
  const { from, value } = elements(path)
  return `${value} FROM ${from}`
}

const idReference = referenceTo(['id'])

export function referenceTo(path: Path, of = 'c'): string {
  return `${of}${path.map(bracketed).join('')}`
}

function bracketed(name: string): string {
  return `[${JSON.stringify(name)}]`
}
