// Structured queries as Cosmos SQL. Property names come from the model and stand in brackets; every
// value is a parameter.
//
// Cosmos has a third truth value: a comparison with a property that is missing, or of another type,
// is undefined, and so is its negation. The port knows only true and false. Where a condition decides
// by itself, undefined is as good as false; below a NOT it is not, so there each comparison is guarded
// by a type check that makes it plainly false.

import type { SqlParameter, SqlQuerySpec } from '@azure/cosmos'
import type { ComparisonOperator, Operand } from '../../../model/operators.ts'
import { operandOf, type Comparison, type Condition, type Path, type Query, type Scalar, type Selection } from '../../query.ts'
import { tenantPath } from '../../tenants/check-tenanted.ts'

/** What marks a document that has been deleted, and stays for the change feed to tell (documents.ts). */
export const goneMark = '_gone'

/** One page. `values` and `nulls` are the two runs that it is merged from, each in the order of the list. */
export function pageSql(query: Query, run: 'values' | 'nulls', followed: boolean): SqlQuerySpec {
  return statement((bind) => {
    const { orderBy, after, limit } = query
    const direction = orderBy.descending ? 'DESC' : 'ASC'
    const conditions = [...selected(query, bind, followed), ...inRun(query, run), ...(after ? [behind(query, run, bind)] : [])]
    const order = run === 'nulls' || isId(orderBy.path) ? [idReference] : [referenceTo(orderBy.path), idReference]
    return `SELECT TOP ${bind(limit)} * FROM c${where(conditions)} ORDER BY ${order.map((each) => `${each} ${direction}`).join(', ')}`
  })
}

/**
 * Which runs a page is made of. Null, missing and anything that is no scalar are one value to the
 * port, ordered by id; Cosmos has an order of its own for them. So they are asked for by themselves,
 * beside the others, unless the page begins behind them or there are none.
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

/** Counts by the values at a path; documents that have one twice count once. Null is not among the values. */
export function countEachSql(selection: Selection, by: Path, values: readonly Scalar[], followed: boolean): SqlQuerySpec {
  return statement((bind) => {
    const star = by.indexOf('*')
    const [value, join] = star < 0 ? [referenceTo(by), ''] : ['v', ` JOIN v IN (SELECT DISTINCT VALUE ${elementReference(by)})`]
    const conditions = [...selected(selection, bind, followed), `${value} IN (${values.map(bind).join(', ')})`]
    return `SELECT ${value} AS found, COUNT(1) AS many FROM c${join}${where(conditions)} GROUP BY ${value}`
  })
}

type Bind = (value: Scalar) => string

function statement(write: (bind: Bind) => string): SqlQuerySpec {
  const parameters: SqlParameter[] = []
  const query = write((value) => {
    const name = `@p${parameters.length}`
    parameters.push({ name, value })
    return name
  })
  return { query, parameters }
}

/** Deleted documents leave something behind only where somebody follows what changes. */
function selected({ type, tenant, partition, where: condition }: Selection, bind: Bind, followed: boolean): string[] {
  return [
    ...(followed ? [`NOT IS_DEFINED(${referenceTo([goneMark])})`] : []),
    // A partition is one tenant's anyway.
    ...(tenant === undefined || partition ? [] : [`${referenceTo(tenantPath)} = ${bind(tenant)}`]),
    ...(type === undefined ? [] : [`${referenceTo(['type'])} = ${bind(type)}`]),
    ...(condition === undefined ? [] : [conditionSql(condition, bind)]),
  ]
}

function inRun({ orderBy, after }: Query, run: 'values' | 'nulls'): string[] {
  if (run === 'nulls') return [isNothing(referenceTo(orderBy.path))]
  // Behind a value there are values only, and an id is always one.
  if (isId(orderBy.path) || (after && after.value !== null)) return []
  return [anyOf(valueTypes.map((type) => `${type}(${referenceTo(orderBy.path)})`))]
}

/** The types of values in the port's order, which is Cosmos's too. */
const valueTypes = ['IS_BOOL', 'IS_NUMBER', 'IS_STRING'] as const

type TypeCheck = (typeof valueTypes)[number]

function behind({ orderBy: { path, descending }, after }: Query, run: 'values' | 'nulls', bind: Bind): string {
  const { value, id } = after!
  const sign = descending ? '<' : '>'
  const behindId = (): string => `${idReference} ${sign} ${bind(id)}`
  if (isId(path) || (run === 'nulls' && value === null)) return behindId()
  // One run is all behind the other.
  if (run === 'nulls' || value === null) return 'true'
  const reference = referenceTo(path)
  const type = valueTypes.indexOf(typeCheck(value))
  const furtherTypes = descending ? valueTypes.slice(0, type) : valueTypes.slice(type + 1)
  return anyOf([
    `${reference} ${sign} ${bind(value)}`,
    `(${reference} = ${bind(value)} AND ${behindId()})`,
    ...furtherTypes.map((check) => `${check}(${reference})`),
  ])
}

/** True or not true; with `exact`, true or false. */
function conditionSql(condition: Condition, bind: Bind, exact = false): string {
  if (condition.op === 'not') return `NOT ${conditionSql(condition.condition, bind, true)}`
  if ('conditions' in condition) {
    const parts = condition.conditions.map((each) => conditionSql(each, bind, exact))
    if (parts.length === 0) return condition.op === 'and' ? 'true' : 'false'
    return `(${parts.join(condition.op === 'and' ? ' AND ' : ' OR ')})`
  }
  const star = condition.path.indexOf('*')
  if (star < 0) return compare(condition, referenceTo(condition.path), bind, exact)
  // Whether there is such an element is true or false by itself.
  const { from, value } = elements(condition.path)
  return `EXISTS(SELECT VALUE 1 FROM ${from} WHERE ${compare(condition, value, bind, false)})`
}

/** Where the compared value is, and how the comparison is written. */
interface Compared {
  readonly reference: string
  readonly bind: Bind
  /** The comparison behind a type check, where it has to be exactly true or false. */
  readonly guarded: (check: TypeCheck, comparison: string) => string
  readonly exact: boolean
}

const comparisonSql: { readonly [Op in ComparisonOperator]: (compared: Compared, operand: Operand<Op>) => string } = {
  eq: (compared, value) => (value === null ? isNothing(compared.reference) : signed(compared, '=', value)),
  // Nothing is less or greater than null; null is equal to null only.
  lt: (compared, value) => (value === null ? 'false' : signed(compared, '<', value)),
  lte: (compared, value) => (value === null ? isNothing(compared.reference) : signed(compared, '<=', value)),
  gt: (compared, value) => (value === null ? 'false' : signed(compared, '>', value)),
  gte: (compared, value) => (value === null ? isNothing(compared.reference) : signed(compared, '>=', value)),
  in: oneOf,
  startsWith: (compared, start) => called(compared, 'STARTSWITH', start),
}

function compare(comparison: Comparison, reference: string, bind: Bind, exact: boolean): string {
  const guarded: Compared['guarded'] = (check, text) => (exact ? `(${check}(${reference}) AND ${text})` : text)
  return comparisonSql[comparison.op]({ reference, bind, guarded, exact }, operandOf(comparison))
}

function signed({ reference, bind, guarded }: Compared, sign: string, value: Exclude<Scalar, null>): string {
  return guarded(typeCheck(value), `${reference} ${sign} ${bind(value)}`)
}

/** A string function of Cosmos SQL. */
function called({ reference, bind, guarded }: Compared, name: string, text: string): string {
  return guarded('IS_STRING', `${name}(${reference}, ${bind(text)})`)
}

function oneOf({ reference, bind, guarded, exact }: Compared, values: readonly Scalar[]): string {
  const some = values.filter((value) => value !== null)
  const isIn = (list: readonly Scalar[]): string => `${reference} IN (${list.map(bind).join(', ')})`
  return anyOf([
    ...(some.length < values.length ? [isNothing(reference)] : []),
    ...(exact ? [...Map.groupBy(some, typeCheck)].map(([check, list]) => guarded(check, isIn(list))) : some.length > 0 ? [isIn(some)] : []),
  ])
}

/** What counts as null: absent, null itself, a list or an object. */
function isNothing(reference: string): string {
  return `(NOT IS_DEFINED(${reference}) OR IS_NULL(${reference}) OR IS_ARRAY(${reference}) OR IS_OBJECT(${reference}))`
}

function typeCheck(value: Exclude<Scalar, null>): TypeCheck {
  return typeof value === 'boolean' ? 'IS_BOOL' : typeof value === 'number' ? 'IS_NUMBER' : 'IS_STRING'
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'false' : conditions.length === 1 ? conditions[0]! : `(${conditions.join(' OR ')})`
}

function where(conditions: readonly string[]): string {
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

function elementReference(path: Path): string {
  const { from, value } = elements(path)
  return `${value} FROM ${from}`
}

const idReference = referenceTo(['id'])

function referenceTo(path: Path): string {
  return `c${path.map(bracketed).join('')}`
}

function bracketed(name: string): string {
  return `[${JSON.stringify(name)}]`
}

function isId(path: Path): boolean {
  return path.length === 1 && path[0] === 'id'
}
