// The answers of aggregates: groups of a store as the fields of `PostAggregate`. What a field asks for is in plan/aggregates.ts.

import { badInput } from '../../graphql-errors.ts'
import type { Groupable, Measurable } from '../../model/api/aggregates.ts'
import { compareScalars } from '../../model/keys/compare-scalars.ts'
import { significant } from '../../model/decimal-sums.ts'
import { isCount, maxGroups, type AggregateArguments, type AggregateField, type AskedAggregate } from '../../plan/aggregates.ts'
import type { PlanNode } from '../../plan/plan.ts'
import type { Asker } from '../../read/read-log.ts'
import type { Belonging, Reads } from '../../read/reads.ts'
import { merged, type Aggregated, type Group } from '../../store/aggregate/aggregation.ts'
import { whenRead, type MaybePending } from '../../store/maybe-promise.ts'
import { relatedOnce, type Related } from '../related-documents.ts'

/** Everything that was measured, under each function. */
interface Amounts {
  readonly count: number
  readonly sum: Readonly<Record<string, unknown>>
  readonly avg: Readonly<Record<string, unknown>>
  readonly min: Readonly<Record<string, unknown>>
  readonly max: Readonly<Record<string, unknown>>
}

interface AggregateAnswer extends Amounts {
  readonly groups: readonly (Amounts & { readonly keys: Readonly<Record<string, unknown>> })[]
}

/** The arguments of a field are the same for all rows of a request. */
export function readAggregate(field: AggregateField, args: AggregateArguments, node: PlanNode, reads: Reads, asker: Asker, whose: Belonging | undefined): MaybePending<AggregateAnswer> {
  const { asked, related } = askedOnce(field, args, node, reads, asker)
  const { selection, aggregation } = asked
  const afterRelated = related ? related.after(asker) : asker
  const read = (): MaybePending<Aggregated> =>
    isCount(aggregation) ? whenRead(reads.count(selection, whose, afterRelated), (count) => [{ keys: [], count, measured: [] }]) : reads.aggregate(selection, aggregation, whose, afterRelated)
  const found = related ? whenRead(related.found(), read) : read()
  return whenRead(found, (groups) => answerOf(asked, groups, node))
}

/** What an aggregate asks for in one request, and the related documents that its filter needs. */
interface AskedOnce {
  readonly asked: AskedAggregate
  readonly related: Related | undefined
}

function askedOnce(field: AggregateField, args: AggregateArguments, node: PlanNode, reads: Reads, first: Asker): AskedOnce {
  return reads.once(node, () => {
    const asked = field.asked(args, node, reads.access)
    return { asked, related: relatedOnce(asked.related, reads, first) }
  })
}

function answerOf({ aggregation, measured, keys }: AskedAggregate, groups: Aggregated, { coordinate }: PlanNode): AggregateAnswer {
  if (groups === 'too many') throw badInput(`${coordinate}: there are more than ${maxGroups} groups. Group by fields with fewer values, or filter.`)
  const whole = keys.length === 0 ? groups[0]! : merged(groups, aggregation)
  const inOrder = keys.length === 0 ? [] : groups.toSorted(byKeys)
  return { ...amountsOf(whole, measured), groups: inOrder.map((group) => ({ keys: keysOf(group, keys), ...amountsOf(group, measured) })) }
}

function amountsOf({ count, measured }: Group, fields: readonly Measurable[]): Amounts {
  const of = (amount: (values: Group['measured'][number]) => unknown) => Object.fromEntries(fields.map(({ field }, at) => [field.name, amount(measured[at]!)]))
  return {
    count,
    sum: of(({ sum }) => significant(sum)),
    avg: of(({ sum, count: values }) => (values === 0 ? null : significant(sum / values))),
    min: of(({ min }) => min),
    max: of(({ max }) => max),
  }
}

function keysOf(group: Group, keys: readonly Groupable[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keys.map(({ name, numeric }, at) => [name, numeric && group.keys[at] !== null ? String(group.keys[at]) : group.keys[at]]))
}

function byKeys(a: Group, b: Group): number {
  for (let at = 0; at < a.keys.length; at++) {
    const order = compareScalars(a.keys[at]!, b.keys[at]!)
    if (order !== 0) return order
  }
  return 0
}
