// The fields that aggregate documents, by their coordinates: what each aggregates, and what an operation asks of it. Resolvers,
// explain, the budget and rules read this table.

import type { Access } from '../auth/access.ts'
import { badInput, clientError } from '../graphql-errors.ts'
import { aggregatedLists, aggregateName, groupables, hasAggregate, measurables, type Groupable, type Measurable } from '../model/api/aggregates.ts'
import type { Body } from '../model/json/json.ts'
import type { DocumentType, Field } from '../model/model.ts'
import { isPending } from '../model/pending-fields.ts'
import { plannedAggregate, plannedCount, type PlannedRead } from '../read/planned-reads.ts'
import type { Belonging } from '../read/reads.ts'
import { selectionOf } from '../read/selection.ts'
import { documentsIn } from '../relations/aggregates/aggregated-values.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { Aggregation } from '../store/aggregate/aggregation.ts'
import { createFilter, type FilteredSelection, type FilterInput, type LookUpReasons } from './filter.ts'
import type { PlanNode } from './plan.ts'

export interface AggregateArguments {
  readonly filter?: FilterInput | null
  readonly groupBy?: readonly string[] | null
}

/** What an operation asks of an aggregate: the documents, their groups, and what is measured. */
export interface AskedAggregate extends FilteredSelection {
  readonly aggregation: Aggregation
  /** In the order of the measures, and of the keys of groups. */
  readonly measured: readonly Measurable[]
  readonly keys: readonly Groupable[]
}

export interface AggregateField {
  /** The type whose documents are aggregated. */
  readonly type: DocumentType
  /** Beside a list: which documents are those of a holder. At the root, all are. */
  readonly belonging?: { readonly path: Belonging['path']; readonly to: (holder: Body) => Belonging }
  /** Throws if the arguments cannot be used, or the viewer may not know what they ask by. */
  readonly asked: (args: AggregateArguments, node: PlanNode, access?: Access) => AskedAggregate
  readonly isRelated: (filter: FilterInput) => boolean
  readonly select: (filter: FilterInput, reasons: LookUpReasons | undefined) => FilteredSelection
}

/** More groups are refused: an answer lists all of them at once. */
export const maxGroups = 1000

/** More fields are never useful, and each multiplies the number of groups. */
const maxKeys = 4

/** By `Type.field`. */
export function aggregateFields(declaration: Pick<Declaration, 'model' | 'prepared'>): ReadonlyMap<string, AggregateField> {
  let fields = known.get(declaration.model)
  if (!fields) known.set(declaration.model, (fields = fieldsOf(declaration)))
  return fields
}

const known = new WeakMap<object, ReadonlyMap<string, AggregateField>>()

function fieldsOf(declaration: Pick<Declaration, 'model' | 'prepared'>): ReadonlyMap<string, AggregateField> {
  const { model } = declaration
  const ofType = new Map([...model.documents.values()].filter(hasAggregate).map((type) => [type.name, aggregateOf(type, declaration)]))
  const nested = aggregatedLists(model).map((field): [string, AggregateField] => {
    const { path, value } = documentsIn(field, model)!
    return [`${field.owner}.${aggregateName(field.name)}`, { ...ofType.get(field.target)!, belonging: { path, to: (holder) => ({ path, value: value(holder['id'] as string) }) } }]
  })
  return new Map([...[...ofType.values()].map((each): [string, AggregateField] => [`Query.${aggregateName(each.type.plural)}`, each]), ...nested])
}

function aggregateOf(type: DocumentType, declaration: Pick<Declaration, 'model' | 'prepared'>): AggregateField {
  const { select, pending, isRelated } = createFilter(type, declaration)
  const measures = measurables(type)
  const groups = new Map(groupables(type).map((each) => [each.constant, each]))
  return {
    type,
    isRelated,
    select: (filter, reasons) => select(filter, undefined, reasons),
    asked({ filter, groupBy }, node, access) {
      const names = new Set(measuredIn(node))
      const measured = measures.filter(({ field }) => names.has(field.name))
      const keys = asksForGroups(node) ? [...new Set(groupBy)].map((constant) => groups.get(constant)!) : []
      if (keys.length > maxKeys) throw badInput(`${node.coordinate}: groupBy has ${keys.length} fields. Group by ${maxKeys} at most.`)
      for (const { field } of [...measured, ...keys]) check(type, field, access)
      for (const field of pending(filter, undefined)) check(type, field, access)
      const { selection, related } = select(filter, access, node.filtering)
      return { selection, related, measured, keys, aggregation: { groupBy: keys.map(({ path }) => path), measures: measured.map(({ path, of }) => ({ path, of })), maxGroups: keys.length === 0 ? 1 : maxGroups } }
    },
  }
}

function check(type: DocumentType, field: Field, access: Access | undefined): void {
  if (isPending(field)) throw clientError('CATCHING_UP', `${field.coordinate} is being computed for documents that were stored before it was declared. Until then it cannot be aggregated. Try again later.`)
  if (access && !access.canFilterBy(type, field)) throw access.refusal(field.coordinate)
}

/** The names of the fields below `sum`, `avg`, `min` and `max`, of everything and of groups. */
function measuredIn(node: PlanNode): string[] {
  return [...node.children.values()].flatMap((child) => {
    const name = nameOf(child)
    if (name === 'groups') return measuredIn(child)
    return ['sum', 'avg', 'min', 'max'].includes(name) ? [...child.children.values()].map(nameOf) : []
  })
}

function asksForGroups(node: PlanNode): boolean {
  return [...node.children.values()].some((child) => nameOf(child) === 'groups')
}

function nameOf({ coordinate }: PlanNode): string {
  return coordinate.slice(coordinate.indexOf('.') + 1)
}

/** The read of an aggregate; what needs no groups and measures nothing is a count. */
export function plannedFor({ type, belonging }: AggregateField, { selection, aggregation }: Pick<AskedAggregate, 'selection' | 'aggregation'>): PlannedRead {
  return isCount(aggregation) ? plannedCount(type, selection, belonging?.path) : plannedAggregate(type, selection, aggregation, belonging?.path)
}

export function isCount({ groupBy, measures }: Aggregation): boolean {
  return groupBy.length === 0 && measures.length === 0
}

/** The most that a node can ask for, whatever its arguments are. */
export function largestOf({ type }: AggregateField, node: PlanNode): Pick<AskedAggregate, 'selection' | 'aggregation'> {
  const isGrouped = asksForGroups(node) && (node.written[0]!.arguments?.some(({ name }) => name.value === 'groupBy') ?? false)
  const measures = measuredIn(node).map((name) => ({ path: [name], of: 'number' }) as const)
  return { selection: selectionOf(type), aggregation: { groupBy: isGrouped ? [['id']] : [], measures, maxGroups: isGrouped ? maxGroups : 1 } }
}
