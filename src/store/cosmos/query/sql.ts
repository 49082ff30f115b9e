// Structured queries as Cosmos SQL. Property names come from the model and are written in brackets; every value is a
// parameter.
//
// In Cosmos SQL, a comparison with a property that is missing or has another type is undefined, and so is its negation;
// the port has only true and false. Without a NOT, undefined has the effect of false. Below a NOT it does not, so there
// each comparison is guarded by a type check that makes it false.

import type { SqlParameter, SqlQuerySpec } from '@azure/cosmos'
import type { ComparisonOperator, Operand } from '../../../model/operators.ts'
import { operandOf, type Comparison, type Condition, type Path, type Query, type Scalar, type Selection } from '../../query.ts'
import { tenantPath } from '../../tenants/check-tenanted.ts'
import { tombstoneProperty } from '../documents.ts'
import { anyOf, bracketed, countsAsNull, referenceTo, typeCheck, type Bind, type TypeCheck } from './expressions.ts'
import { afterPosition, conditionsOfPattern, orderOfPattern, type NullPattern } from './null-ordering.ts'

/** One of the runs of a page, in the page's order. */
export function pageSql(query: Query, run: NullPattern, followed: boolean): SqlQuerySpec {
  return statement((bind) => {
    const conditions = [...selected(query, bind, followed), ...conditionsOfPattern(query, run), ...(query.after ? [afterPosition(query, run, bind)] : [])]
    return `SELECT TOP ${bind(query.limit)} * FROM c${where(conditions)} ORDER BY ${orderOfPattern(query, run)}`
  })
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
