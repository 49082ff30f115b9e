// The aggregates of a list of documents: `postsAggregate(filter:, groupBy:)` at the root, and the same beside every list that a
// reference leads to. Only indexed fields are measured and grouped by, so no query of the API has to read whole documents for it.

import { comesFrom, storedPath, type DocumentType, type Field, type Model } from '../model.ts'
import { hasNumericIds, isPointer } from '../pointers.ts'
import { scalarCalled, sumOf } from '../scalars.ts'
import { constantCase, idArgument } from './filters.ts'

/** An entry of `PostAggregateNumbers` or `PostAggregateValues`: `length: Int`. */
export interface Measurable {
  readonly field: Field
  readonly path: readonly string[]
  /** How its values are stored: numbers are summed, both are compared. */
  readonly of: 'number' | 'string'
}

/** An entry of `PostAggregateField`: `WRITER_ID`. */
export interface Groupable {
  /** As the keys of groups call it: `writerId`. */
  readonly name: string
  readonly constant: string
  readonly field: Field
  readonly scalar: string
  readonly path: readonly string[]
  /** Whether the values are stored as numbers, although clients see ids. */
  readonly numeric: boolean
}

export function measurables(type: DocumentType): Measurable[] {
  return plainIndexed(type).flatMap((field) => {
    const of = scalarCalled(field.target)?.measured
    return of ? [{ field, path: storedPath(field)!, of }] : []
  })
}

export function groupables(type: DocumentType): Groupable[] {
  const pointers = [...type.fields.values()].filter((field) => isPointer(field) && field.shape === 'one')
  return [...plainIndexed(type), ...pointers].map((field) => {
    const name = isPointer(field) ? idArgument(field) : field.name
    return { name, constant: constantCase(name), field, scalar: isPointer(field) ? 'ID' : field.target, path: storedPath(field)!, numeric: hasNumericIds(field) }
  })
}

/** The name of the field that aggregates what another field lists. */
export function aggregateName(list: string): string {
  return `${list}Aggregate`
}

/** `Post` of `PostAggregate`. */
export function nodeOfAggregate(typeName: string): string | undefined {
  return typeName.endsWith('Aggregate') ? typeName.slice(0, -'Aggregate'.length) : undefined
}

/** Whether there is anything to aggregate besides the number of documents, which lists have as `totalCount`. */
export function hasAggregate(type: DocumentType): boolean {
  return measurables(type).length > 0 || groupables(type).length > 0
}

/** The `Type.field` by which documents point at those that list them; undefined for a list that is found in another way. */
export function pointerBehind(field: Field): string | undefined {
  return comesFrom(field, 'pointers') ? field.storage.of : 'inverseOf' in field.storage ? field.storage.inverseOf ?? undefined : undefined
}

/** The lists whose documents are aggregated for each document that has the list. */
export function aggregatedLists(model: Model): Field[] {
  return [...model.documents.values()].flatMap(({ fields }) => [...fields.values()].filter((field) => pointerBehind(field) !== undefined && hasAggregate(model.documents.get(field.target)!)))
}

export function aggregatesSdl(model: Model): string {
  const types = [...model.documents.values()].filter(hasAggregate)
  return [
    ...types.map(aggregateSdl),
    ...types.map((type) => `extend type Query { "Counts and measures ${type.plural}, all of them or by group." ${fieldSdl(type.plural, type)} }`),
    ...aggregatedLists(model).map(({ owner, name, target }) => `extend type ${owner} { "Counts and measures ${name}, all of them or by group." ${fieldSdl(name, model.documents.get(target)!)} }`),
  ].join('\n')
}

function fieldSdl(list: string, type: DocumentType): string {
  const groupBy = groupables(type).length === 0 ? '' : `"The fields whose values make the groups." groupBy: [${type.name}AggregateField!]`
  return `${aggregateName(list)}("Only documents that match." filter: ${type.name}Filter ${groupBy}): ${type.name}Aggregate!`
}

function aggregateSdl(type: DocumentType): string {
  const { name, plural } = type
  const measured = measurables(type)
  const numbers = measured.filter(({ of }) => of === 'number')
  const keys = groupables(type)
  const columns = [
    `"How many ${plural} there are." count: Int!`,
    ...(numbers.length === 0 ? [] : [`"The sums of their numbers." sum: ${name}AggregateNumbers!`, `"The averages of their numbers." avg: ${name}AggregateNumbers!`]),
    ...(measured.length === 0 ? [] : [`"Their smallest values." min: ${name}AggregateValues!`, `"Their largest values." max: ${name}AggregateValues!`]),
  ].join(' ')
  return [
    `"What ${plural} amount to." type ${name}Aggregate { ${columns} ${keys.length === 0 ? '' : `"The same by group, in the order of the keys. Empty without groupBy." groups: [${name}AggregateGroup!]!`} }`,
    ...(numbers.length === 0 ? [] : [`"A number for each indexed number of ${plural}." type ${name}AggregateNumbers { ${numbers.map(({ field }) => `"Of ${field.name}; an average is null if there are no values." ${field.name}: ${sumOf(field.target)}`).join(' ')} }`]),
    ...(measured.length === 0 ? [] : [`"A value for each indexed field of ${plural} that has an order." type ${name}AggregateValues { ${measured.map(({ field }) => `"Of ${field.name}; null if there are no values." ${field.name}: ${field.target}`).join(' ')} }`]),
    ...(keys.length === 0 ? [] : [
      `"What ${plural} with the same keys amount to." type ${name}AggregateGroup { "The values that they share." keys: ${name}AggregateKeys! ${columns} }`,
      `"The values that make a group of ${plural}. Fields that are not grouped by are null." type ${name}AggregateKeys { ${keys.map((key) => `"Of ${key.name}." ${key.name}: ${key.scalar}`).join(' ')} }`,
      `"The fields that ${plural} can be grouped by." enum ${name}AggregateField { ${keys.map((key) => `"By ${key.name}." ${key.constant}`).join(' ')} }`,
    ]),
  ].join('\n')
}

/** The indexed scalars and enums that documents hold as they are. An id is no group. */
function plainIndexed(type: DocumentType): Field[] {
  return [...type.fields.values()].filter((field) => field.indexed && field.leaf && field.shape === 'one' && field.name !== 'id' && comesFrom(field, 'client', 'list'))
}
