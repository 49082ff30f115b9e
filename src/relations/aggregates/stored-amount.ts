// What a document stores of aggregated values: the amount, and for an average also the sum and the number that it is computed from, under
// `_sums`. An amount is kept by difference where that is exact; everywhere else it is recomputed from all values.

import type { Body, Json } from '../../model/json/json.ts'
import { compareScalars } from '../../model/keys/compare-scalars.ts'
import type { Field } from '../../model/model.ts'
import { shifted, significant } from '../../model/decimal-sums.ts'
import type { Storages } from '../../model/storages.ts'
import type { Measured } from '../../store/aggregate/aggregation.ts'

export type AggregateFunction = Storages['aggregated']['function']

type Amount = Pick<Storages['aggregated'], 'at' | 'function'>
type Value = number | string | undefined

/** The property that has sums and numbers by the name of the average's property. */
export const sumsAt = '_sums'

/** The amount of nothing. */
export function amountOfNothing({ function: of }: Pick<Amount, 'function'>): 0 | null {
  return of === 'SUM' ? 0 : null
}

/** The amount that measured values have. */
export function amountOf({ function: of }: Pick<Amount, 'function'>, { count, sum, min, max }: Measured): number | string | null {
  if (of === 'SUM') return significant(sum)
  if (of === 'AVG') return count === 0 ? null : significant(significant(sum) / count)
  return of === 'MIN' ? min : max
}

/** The document with the amount of these values. */
export function withAmount(field: Amount, body: Body, measured: Measured): Body {
  const amount = amountOf(field, measured)
  if (field.function !== 'AVG') return { ...body, [field.at]: amount }
  return { ...body, [field.at]: amount, [sumsAt]: { ...sumsIn(body), [field.at]: { sum: significant(measured.sum), count: measured.count } } }
}

/** The document after one value became another; undefined where that takes all values. */
export function withChange(field: Amount, body: Body, before: Value, after: Value): Body | undefined {
  if (before === after) return body
  const stored = body[field.at]
  if (field.function === 'SUM') {
    const sum = typeof stored === 'number' ? shifted(stored, numeric(after), numeric(before)) : undefined
    return sum === undefined ? undefined : { ...body, [field.at]: sum }
  }
  if (field.function === 'AVG') return withAverage(field, body, before, after)
  const sign = field.function === 'MIN' ? 1 : -1
  if (stored === undefined || (typeof stored !== 'number' && typeof stored !== 'string' && stored !== null)) return undefined
  const isBetter = (one: number | string, other: number | string | null): boolean => other === null || sign * compareScalars(one, other) <= 0
  if (after !== undefined && isBetter(after, stored)) return { ...body, [field.at]: after }
  // Without the best value, the next best is not known.
  return before !== undefined && isBetter(before, stored) ? undefined : body
}

/** The sum and the number are believed only if the average is theirs: a repair may have written the average alone. */
function withAverage(field: Amount, body: Body, before: Value, after: Value): Body | undefined {
  const stored = body[field.at]
  const known = sumsIn(body)[field.at] as { readonly sum: number; readonly count: number } | undefined
  const basis = known ?? (stored === null ? { sum: 0, count: 0 } : undefined)
  if (!basis || stored !== amountOf(field, { ...basis, min: null, max: null })) return undefined
  const sum = shifted(basis.sum, numeric(after), numeric(before))
  const count = basis.count + Number(after !== undefined) - Number(before !== undefined)
  // A negative one shows that what was stored was wrong.
  return sum === undefined || count < 0 ? undefined : withAmount(field, body, { count, sum, min: null, max: null })
}

function sumsIn(body: Body): Readonly<Record<string, Json>> {
  return (body[sumsAt] ?? {}) as Readonly<Record<string, Json>>
}

function numeric(value: Value): number {
  return typeof value === 'number' ? value : 0
}

/** Whether a field holds such an amount. */
export function holdsAmount({ storage }: Pick<Field, 'storage'>): boolean {
  return storage.kind === 'aggregated'
}

/** The amount in a new document, with its property; none for a field that holds no amount. */
export function initialAmount({ storage }: Pick<Field, 'storage'>): [string, Json][] {
  return storage.kind === 'aggregated' ? [[storage.at, amountOfNothing(storage)]] : []
}

/** Whether two amounts differ by no more than the order of additions can explain. */
export function isSameAmount(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return (one ?? null) === (other ?? null)
  return Math.abs(one - other) <= 1e-13 * Math.max(Math.abs(one), Math.abs(other))
}
