// Translates the filter and order of a root field to a structured query. Property paths come from the model;
// what the client sends is only ever a value.

import { badInput, clientError } from '../graphql-errors.ts'
import type { Access } from '../auth/access.ts'
import { numericId } from '../model/keys/numeric-id.ts'
import { partitionFrom, partitionsFrom } from '../model/keys/partition.ts'
import { selectionOf } from '../read/selection.ts'
import { filterables, relationFilterables, type Filterable } from '../model/api/filters.ts'
import { containedFilterables } from '../model/contained-fields.ts'
import type { ContainedType, DocumentType, Field } from '../model/model.ts'
import { isPending } from '../model/pending-fields.ts'
import { filterOperators } from '../model/operators.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { Comparison, Condition, Order, Scalar, Selection } from '../store/query.ts'
import { containedCondition, containedFilters, quantifiedCondition, type ContainedFilter } from './contained-filter.ts'
import { createOrders, wholeType, type FilteredList, type OrderInput } from './order.ts'
import { relatedCondition, relationFilter, type RelatedCondition, type Relating, type RelationFilter } from './relation-filter.ts'

export interface FilterInput {
  readonly and?: readonly FilterInput[] | null
  readonly or?: readonly FilterInput[] | null
  readonly not?: FilterInput | null
  readonly [field: string]: unknown
}

/** Whether and why copies must not answer what a filter says of related documents. */
export type LookUpReasons = Pick<Relating, 'mustLookUp' | 'wouldLookUp'>

/** The documents that a filter selects, once its conditions on related documents are complete. */
export interface FilteredSelection {
  readonly selection: Selection
  readonly related: readonly RelatedCondition[]
}

/** Turns the arguments of `posts(filter:, orderBy:)` into what a store is asked for, or says that the viewer may not know what they ask by. */
export function createFilter(type: DocumentType, declaration: Pick<Declaration, 'model' | 'prepared'>, list: FilteredList = wholeType) {
  const pathOf = (field: Field, path: readonly string[]): readonly string[] => (list.ofCopies ? [field.name, ...path.slice(1)] : path)
  const filters = new Map(filterables(type).map((filter) => [filter.name, { ...filter, path: pathOf(filter.field, filter.path) }]))
  const relations = new Map(relationFilterables(type, declaration.model).map((filter) => [filter.field.name, relationFilter(filter, declaration)]))
  const contained = containedFilters(containedFilterables(type, declaration.model), ({ field, at }) => pathOf(field, [at]))
  const orderOf = createOrders(type, declaration.model, list, pathOf)
  const all = selectionOf(type)
  const locating = locatingFilters(type)
  const hasPending = [...type.fields.values()].some(isPending)
  const checkedBy = (access: Access | undefined, owner = type) => (field: Field | ContainedType): void => {
    if (!('coordinate' in field)) {
      if (access && access.reading(field) !== 'free') throw access.refusal(field.name)
      return
    }
    // The value of one document can be found out (execute/relay-connection.ts); a list that is not stored cannot be searched, nor can other documents.
    if ((owner !== type || (hasPending && !field.leaf)) && isPending(field)) throw clientError('CATCHING_UP', `${field.coordinate} is being computed for documents that were stored before it was declared. Until then it cannot be filtered by. Try again later.`)
    if (access && !access.canFilterBy(owner, field)) throw access.refusal(field.coordinate)
  }
  return {
    /** Whether a filter says something of related documents. */
    isRelated: (filter: FilterInput): boolean => relations.size > 0 && mentions(filter, relations),
    select: (filter: FilterInput | null | undefined, access?: Access, reasons: LookUpReasons = copiesAnswer): FilteredSelection => {
      if (!filter) return { selection: all, related: [] }
      const related: RelatedCondition[] = []
      const room: Room = { left: maxConditions, check: checkedBy(access), relations, contained, relating: { ...reasons, related, conditionOn } }
      function conditionOn(ofTarget: ReadonlyMap<string, Filterable>, input: FilterInput, target: DocumentType): Condition {
        const inner: Room = { left: room.left, check: checkedBy(access, target) }
        const condition = conditionOf(input, ofTarget, inner) ?? always
        room.left = inner.left
        return condition
      }
      const where = conditionOf(filter, filters, room)
      const known = knownIn(filter, locating)
      const selected = where ? { ...all, where } : all
      return { selection: known ? { ...selected, ...place(type, known) } : selected, related }
    },
    /** The same order is the same object. */
    order: (orders: readonly OrderInput[] | null | undefined, access?: Access): Order => orderOf(orders ?? [], checkedBy(access)),
    /** The fields that are asked by and that some documents do not have yet. */
    pending: (filter: FilterInput | null | undefined, orders: readonly OrderInput[] | null | undefined): readonly Field[] => {
      if (!hasPending) return none
      const asked = [...(filter ? fieldsIn(filter, filters) : []), ...(orders ? orderOf.fields(orders) : [])]
      return [...new Set(asked.filter((field) => field !== undefined && isPending(field)))] as Field[]
    },
  }
}

const none: readonly Field[] = []

function fieldsIn(input: FilterInput, filters: ReadonlyMap<string, Filterable>): (Field | undefined)[] {
  const inner = [...(input.and ?? []), ...(input.or ?? []), ...(input.not ? [input.not] : [])]
  return [...Object.keys(input).map((name) => (input[name] ? filters.get(name)?.field : undefined)), ...inner.flatMap((each) => fieldsIn(each, filters))]
}

/** The partition, where it is known, or all possible ones, where only a suffix is unknown. */
function place(type: DocumentType, properties: Record<string, unknown>): Pick<Selection, 'partition' | 'among'> {
  const partition = partitionFrom(type, properties)
  if (partition) return { partition }
  const among = partitionsFrom(type, properties)
  return among ? { among } : {}
}

/** The filters that can fix a property of the partition key. */
function locatingFilters(type: DocumentType): readonly Filterable[] {
  const key = type.partitionKey
  const hashed = key.form === 'synthetic' && key.suffix?.form === 'hashed' ? [key.suffix.hashOf] : []
  const properties = new Set(key.form === 'synthetic' ? [...key.concat, ...hashed] : ['id', ...key.paths.map(([first]) => first!)])
  return filterables(type).filter(({ path }) => path.length === 1 && properties.has(path[0]!))
}

/** The properties that the filter fixes to one value, by which the partition may be known; undefined if it fixes none. */
function knownIn(input: FilterInput, locating: readonly Filterable[]): Record<string, unknown> | undefined {
  let known: Record<string, unknown> | undefined
  for (const { name, path, numeric } of locating) {
    const value = (input[name] as { eq?: unknown } | null | undefined)?.eq
    if (value !== undefined && value !== null) (known ??= {})[path[0]!] = numeric ? numericId(value as string) : value
  }
  return known
}

/** More than people write, and few enough that every store understands them: SQLite's expressions are 1000 deep at most, and Cosmos DB's statements have a length. */
const maxConditions = 250

/** The limits of a filter: how many more conditions it may have (and, or and not count as one each), and which fields it may use. */
interface Room {
  left: number
  readonly check: (field: Field | ContainedType) => void
  /** The objects inside of documents whose values it may compare. */
  readonly contained?: ReadonlyMap<string, ContainedFilter>
  /** The relations that it may reach into, and how; absent within one. */
  readonly relations?: ReadonlyMap<string, RelationFilter>
  readonly relating?: Relating
}

const copiesAnswer: LookUpReasons = { mustLookUp: undefined, wouldLookUp: undefined }

/** Undefined when nothing is asked for. Runs for every request with a filter, so it makes no lists that it does not return. */
function conditionOf(input: FilterInput, filters: ReadonlyMap<string, Filterable>, room: Room): Condition | undefined {
  const before = room.left
  const conditions: Condition[] = []
  for (const name in input) {
    const comparison = input[name] as Readonly<Record<string, unknown>> | null | undefined
    if (!comparison || connectives.has(name)) continue
    for (const operator in comparison) spend(room, comparison[operator])
    const filter = filters.get(name)
    const relation = filter ? undefined : room.relations?.get(name)
    const contained = filter || relation ? undefined : room.contained?.get(name)
    if (filter) {
      room.check(filter.field)
      addComparisons(conditions, filter, comparison)
      if (filter.many) addQuantified(conditions, filter, comparison as Readonly<Record<string, FilterInput | null>>, room)
    } else if (contained) {
      room.check(contained.member ?? contained.field)
      conditions.push(containedCondition(contained, comparison as Readonly<Record<string, FilterInput>>, (inner) => within(inner, contained, room)))
    } else if (relation) {
      room.check(relation.field)
      conditions.push(relatedCondition(relation, comparison as Readonly<Record<string, FilterInput>>, room.relating!))
    }
  }
  if (room.left === before) spend(room)
  const { and, or, not } = input
  if (and) for (const each of and) conditions.push(conditionOf(each, filters, room) ?? always)
  if (or) conditions.push({ op: 'or', conditions: or.map((each) => conditionOf(each, filters, room) ?? always) })
  if (not) conditions.push({ op: 'not', condition: conditionOf(not, filters, room) ?? always })
  return conditions.length <= 1 ? conditions[0] : { op: 'and', conditions }
}

/** The condition on one object of those inside of documents. */
function within(input: FilterInput, { filters, inner }: ContainedFilter, room: Room): Condition {
  const inside: Room = { left: room.left, check: room.check, contained: inner }
  const condition = conditionOf(input, filters, inside) ?? always
  room.left = inside.left
  return condition
}

/** What `some`, `none` and `every` say of a list of scalars: a path of no names is the element itself. */
function addQuantified(conditions: Condition[], filter: Filterable, given: Readonly<Record<string, FilterInput | null>>, room: Room): void {
  if (!given['some'] && !given['none'] && !given['every']) return
  conditions.push(quantifiedCondition(filter.path.slice(0, -1), given, (input) => {
    const compared: Condition[] = []
    for (const operator in input) spend(room, input[operator])
    addComparisons(compared, { ...filter, many: false, path: [] }, input)
    return compared.length === 1 ? compared[0]! : { op: 'and', conditions: compared }
  }))
}

/** The most values of one list, such as that of "in". */
const maxValues = 1000

function spend(room: Room, operand?: unknown): void {
  if (Array.isArray(operand) && operand.length > maxValues) throw badInput(`A list in the filter has ${operand.length} values, and the max is ${maxValues}. Ask for the others in another request.`)
  if (--room.left < 0) throw badInput(`The filter has more than ${maxConditions} conditions. Ask for several values of a field with "in", or in several requests.`)
}

function mentions(filter: FilterInput, relations: ReadonlyMap<string, RelationFilter>): boolean {
  for (const name of Object.keys(filter)) if (relations.has(name) && filter[name]) return true
  const { and, or, not } = filter
  return (and?.some((each) => mentions(each, relations)) ?? false) || (or?.some((each) => mentions(each, relations)) ?? false) || (not ? mentions(not, relations) : false)
}

const connectives: ReadonlySet<string> = new Set(['and', 'or', 'not'])

const always: Condition = { op: 'and', conditions: [] }

function addComparisons(conditions: Condition[], { path, numeric, many }: Filterable, given: Readonly<Record<string, unknown>>): void {
  const stored = (value: unknown): Scalar => (numeric && typeof value === 'string' ? numericId(value) : (value as Scalar))
  const operators = filterOperators(many)
  for (const name in given) {
    const operator = operators[name]
    const argument = given[name]
    if (!operator || argument === undefined || (argument === null && !operator.takesNull)) continue
    const { op, operand, negated } = operator.means(argument)
    const condition = (Array.isArray(operand) ? { op, path, values: operand.map(stored) } : { op, path, value: stored(operand) }) as Comparison
    conditions.push(negated ? { op: 'not', condition } : condition)
  }
}
